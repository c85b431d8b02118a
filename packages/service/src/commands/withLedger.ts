import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Database, DatabaseLog } from '#kit/db/database.js';
import { hasLedger } from '#ledger/audit/store.js';
import { openDatabase } from '../shape/openDatabase.js';
import { type Config, ConfigError, readConfig } from '../start/config.js';
import { StartError } from '../start/exit.js';
import type { SchemaDeps } from '../start/migrateSchema.js';
import { assertOwnSessions } from '../start/storage.js';

/** Prints warnings and errors only: the output of a command is its result. */
export const commandLog: DatabaseLog = { info: () => {}, warn: print, error: print };

/** For a service that was started before. Throws StartError, ConfigError. */
export async function withLedger<T>(
  { databaseUrl, dataDir, stateFolder }: Config,
  poolSize: number,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const folder = join(dataDir, 'database');
  // Opening a missing folder would create an empty database.
  if (databaseUrl === undefined && !existsSync(folder)) {
    throw new StartError(`There is no database in ${folder}. Set DATA_DIR or DATABASE_URL.`);
  }
  if (databaseUrl !== undefined) await assertOwnSessions('DATABASE_URL', databaseUrl);
  const db = await openDatabase({
    databaseUrl,
    dataDir: folder,
    poolSize,
    stateFolder,
    log: commandLog,
    transactionLimitMs: null,
  });
  try {
    if (await hasLedger(db)) return await work(db);
    throw new StartError(
      'The database has no ledger. Start the service on it once, or set another DATABASE_URL or DATA_DIR.',
    );
  } finally {
    await db.close();
  }
}

/** For what only a database server has. Throws ConfigError with `otherwise` for the embedded database. */
export function withServer<T>(otherwise: string, work: (deps: SchemaDeps) => Promise<T>): Promise<T> {
  const config = readConfig();
  if (config.databaseUrl === undefined) throw new ConfigError(`DATABASE_URL is not set. ${otherwise}`);
  return withLedger(config, 2, (db) => work({ config, db, log: commandLog }));
}

function print(details: object, message: string): void {
  console.error(message, details);
}
