import { openPglite } from './pglite.js';
import { openPostgres } from './postgres.js';
import type { Database, DatabaseOptions } from './types.js';

export {
  DatabaseUnavailableError,
  DataDirLockedError,
  isDatabaseBusy,
  isDatabaseUnavailable,
} from './errors.js';
export { sharesSessions } from './sharedSessions.js';
export type { Database, DatabaseLog, DatabaseOptions, Engine, Queryable, Tx } from './types.js';

/**
 * Opens the database. A server is dialled with the first statement, so one that is down does not
 * stop the start. The embedded one is ready when this resolves. Throws DataDirLockedError if
 * another process uses the folder.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { databaseUrl, dataDir, poolSize, isGuarded, log } = options;
  if (databaseUrl !== undefined) return openPostgres({ databaseUrl, poolSize, isGuarded, log });
  return openPglite({ dataDir, log });
}
