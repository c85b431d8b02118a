import { fileURLToPath } from 'node:url';
import { ConfigError, readConfig } from '../config.js';
import { openDatabase } from '../kit/db/database.js';
import { MigrationError, migrate } from '../kit/db/migrate.js';
import { packageFile } from '../kit/packageFile.js';
import { DistributeError, distributeSchema } from './distribute/distributeSchema.js';
import { commandLog } from './withLedger.js';

/*
 * npm run db:distribute: distributes an empty schema over a Citus cluster, after creating it if it
 * is missing. DATABASE_URL names the coordinator. Exit codes: 0 done, 1 failed, 2 invalid
 * configuration.
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
    throw new ConfigError('DATABASE_URL is not set. Only a PostgreSQL server with Citus can be distributed.');
  }
  const db = await openDatabase({ databaseUrl, poolSize: 1, log: commandLog });
  try {
    await migrate(db, fileURLToPath(packageFile('migrations/')));
    const { placed, isUnguarded } = await distributeSchema(db);
    console.log(
      placed.length === 0 ? 'All tables are already distributed.' : `Distributed: ${placed.join(', ')}.`,
    );
    if (isUnguarded) {
      console.log(
        'This role is a superuser, so privileges cannot keep the ledger append-only. Let the service use ' +
          'a role without superuser rights that owns the database.',
      );
    }
  } finally {
    await db.close();
  }
}
