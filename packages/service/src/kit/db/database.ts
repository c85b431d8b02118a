import { startPglite } from './pglite.js';
import { openPostgres } from './postgres.js';
import { type ReplicaReads, readsOfReplica } from './reads.js';
import type { Database, DatabaseLog, DatabaseOptions, StartedDatabase } from './types.js';

export {
  DatabaseUnavailableError,
  DataDirLockedError,
  isDatabaseBusy,
  isDatabaseUnavailable,
  isWrongServer,
  PreparedTransactionsError,
} from './errors.js';
export { isCreated } from './pgliteHost.js';
export { type Reads, type ReplicaReads, readsOfPrimary } from './reads.js';
export { sharesSessions } from './sharedSessions.js';
export { endWith } from './transaction.js';
export type {
  Database,
  DatabaseLog,
  DatabaseOptions,
  Engine,
  GroupsTx,
  Queryable,
  StartedDatabase,
  Tx,
} from './types.js';

/** Reads of a replica of `primary`. Does not connect yet. */
export function openReplica(
  options: { databaseUrl: string; replicaUrl: string; poolSize: number; maxLagMs: number; log: DatabaseLog },
  primary: Database,
): ReplicaReads {
  const { databaseUrl, replicaUrl, poolSize, maxLagMs, log } = options;
  const open = (url: string, size: number) =>
    openPostgres({ databaseUrl: url, poolSize: size, isGuarded: false, log });
  const gauge = open(databaseUrl, 1);
  return readsOfReplica({ primary, gauge, replica: open(replicaUrl, poolSize), maxLagMs, log });
}

/**
 * Opens the database. A server is dialled with the first statement, so one that is down does not
 * stop the start. The embedded one is ready when this resolves. Throws DataDirLockedError if
 * another process uses the folder.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { db, opened } = await startDatabase(options);
  try {
    await opened;
  } catch (error) {
    await db.close();
    throw error;
  }
  return db;
}

/**
 * The same without waiting for the embedded engine, which starts in its own thread: the caller can do
 * other work meanwhile.
 */
export async function startDatabase(options: DatabaseOptions): Promise<StartedDatabase> {
  const { databaseUrl } = options;
  if (databaseUrl === undefined) return startPglite(options);
  return { db: openPostgres({ ...options, databaseUrl }), opened: Promise.resolve() };
}
