import { ConfigError, readConfig } from '../config.js';
import { isDatabaseUnavailable, openDatabase } from '../kit/db/database.js';
import { MigrationError } from '../kit/db/migrate.js';
import { migrateSchema, reportRole } from '../migrateSchema.js';
import { commandLog } from './withLedger.js';

/*
 * npm run migrate: runs the migrations as the role of DATABASE_MIGRATION_URL and grants the role of
 * DATABASE_URL what the service needs. The processes of the service then need no
 * DATABASE_MIGRATION_URL. Exit codes: 0 done, 1 failed, 2 invalid configuration.
 */
process.exitCode = await main();

async function main(): Promise<number> {
  try {
    await migrateDatabase();
    return 0;
  } catch (error) {
    const isPlain =
      error instanceof ConfigError || error instanceof MigrationError || isDatabaseUnavailable(error);
    console.error(isPlain ? error.message : error);
    return error instanceof ConfigError ? 2 : 1;
  }
}

async function migrateDatabase(): Promise<void> {
  const config = readConfig();
  const { databaseUrl } = config;
  if (databaseUrl === undefined) {
    throw new ConfigError('DATABASE_URL is not set. The embedded database is migrated at each start.');
  }
  const log = { ...commandLog, info: print };
  const db = await openDatabase({ databaseUrl, poolSize: 1, log });
  try {
    await migrateSchema({ config, db, log });
    await reportRole(db, log);
    console.log('The database is up to date.');
  } finally {
    await db.close();
  }
}

function print(details: object, message: string): void {
  console.log(message, details);
}
