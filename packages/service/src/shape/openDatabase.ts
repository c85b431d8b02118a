import type { Database } from '#kit/db/database.js';
import { openPostgres, type PostgresOptions } from '#kit/db/postgres.js';
import { startPglite } from './embedded/pglite.js';

export interface DatabaseOptions extends Omit<PostgresOptions, 'databaseUrl'> {
  /** postgres://… of a server, version 15 or newer. Without it the database is embedded. */
  databaseUrl?: string | undefined;
  /**
   * The folder of the embedded database, created if needed. Without both settings the database is
   * in memory (for tests).
   */
  dataDir?: string | undefined;
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
 * The same without waiting for the embedded engine, which starts in its own thread. Statements wait
 * for it. `opened` rejects if it cannot open the folder: close `db` then.
 */
export async function startDatabase(options: DatabaseOptions) {
  const { databaseUrl } = options;
  if (databaseUrl === undefined) return startPglite(options);
  return { db: openPostgres({ ...options, databaseUrl }), opened: Promise.resolve() };
}
