import { inspect } from 'node:util';
import { GroupsError } from '#ledger/groups/store.js';
import { openGroups } from '../shape/groups/groups.js';
import { openDatabase } from '../shape/openDatabase.js';
import { ConfigError, readConfig } from '../start/config.js';
import { migrateSchema, reportRole } from '../start/migrateSchema.js';
import { assertOwnSessions } from '../start/storage.js';
import { programs } from './options.js';
import { runProgram } from './runCommand.js';
import { commandLog } from './withLedger.js';

/* Exit codes: 0 done, 1 failed, 2 invalid option or configuration. */
process.exitCode = await runProgram(programs.migrate, async (_, output) => {
  const config = readConfig();
  const { databaseUrl, databaseMigrationUrl, stateFolder } = config;
  if (databaseUrl === undefined) {
    throw new ConfigError('DATABASE_URL is not set. The embedded database is migrated at each start.');
  }
  await assertOwnSessions('DATABASE_URL', databaseUrl);
  if (databaseMigrationUrl !== undefined) {
    await assertOwnSessions('DATABASE_MIGRATION_URL', databaseMigrationUrl);
  }
  const print = (details: object, message: string) => output.say(`${message} ${inspect(details)}`);
  const log = { ...commandLog, info: print };
  const db = await openDatabase({ databaseUrl, poolSize: 2, stateFolder, log, transactionLimitMs: null });
  try {
    const away = await migrateSchema({ config, db, log });
    await reportRole(
      (await openGroups(db)).filter(({ ledgers }) => !away.includes(ledgers.own)),
      log,
    );
    if (away.length > 0) {
      throw new GroupsError(
        `Ledger groups ${away.join(', ')} were not migrated: their server is away. Run this again when it is back.`,
      );
    }
    output.say('The database is up to date.');
    output.result({ upToDate: true });
    return 0;
  } finally {
    await db.close();
  }
});
