import { fileURLToPath } from 'node:url';
import { ConfigError, readConfig } from '../config.js';
import { openDatabase } from '../kit/db/database.js';
import { MigrationError, migrate } from '../kit/db/migrate.js';
import { packageFile } from '../kit/packageFile.js';
import { DistributeError, distributeSchema } from './distribute/distributeSchema.js';
import { commandLog } from './withLedger.js';

/*
 * npm run db:distribute: spreads an empty schema over the machines of a Citus cluster; makes the schema where there is none yet.
 * DATABASE_URL is the coordinator's. Exit code 0: done; 1: it cannot be; 2: the environment cannot be used.
 */
process.exitCode = await main();

async function main(): Promise<number> {
  try {
    await distribute();
    return 0;
  } catch (error) {
    const isPlain = [ConfigError, DistributeError, MigrationError].some((kind) => error instanceof kind);
    console.error(isPlain && error instanceof Error ? error.message : error);
    return error instanceof ConfigError ? 2 : 1;
  }
}

async function distribute(): Promise<void> {
  const { databaseUrl } = readConfig();
  if (databaseUrl === undefined) {
    throw new ConfigError('DATABASE_URL must be set: the embedded database lives on one machine.');
  }
  const db = await openDatabase({ databaseUrl, poolSize: 1, log: commandLog });
  try {
    await migrate(db, fileURLToPath(packageFile('migrations/')));
    const { placed, isUnguarded } = await distributeSchema(db);
    console.log(placed.length === 0 ? 'Every table has its place already.' : `Placed: ${placed.join(', ')}.`);
    if (isUnguarded) {
      console.log(
        'This role is a superuser, whom no privilege holds back: let the service use a role of its own that ' +
          'owns the database, so that the ledger stays append-only.',
      );
    }
  } finally {
    await db.close();
  }
}
