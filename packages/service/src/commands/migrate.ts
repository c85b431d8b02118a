import { ConfigError, readConfig } from '../config.js';
import { openDatabase } from '../kit/db/database.js';
import { migrateSchema, reportRole } from '../migrateSchema.js';
import { runCommand } from './runCommand.js';
import { commandLog } from './withLedger.js';

/*
 * npm run migrate: runs the migrations as the role of DATABASE_MIGRATION_URL and grants the role of
 * DATABASE_URL what the service needs. The processes of the service then need no
 * DATABASE_MIGRATION_URL. Exit codes: 0 done, 1 failed, 2 invalid configuration.
 */
process.exitCode = await runCommand(migrateDatabase);

async function migrateDatabase(): Promise<number> {
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
    return 0;
  } finally {
    await db.close();
  }
}

function print(details: object, message: string): void {
  console.log(message, details);
}
