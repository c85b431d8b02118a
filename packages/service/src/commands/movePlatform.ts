import { systemClock } from '../kit/clock.js';
import { announce } from '../kit/db/wakes.js';
import { ConfigError, readConfig } from '../start/config.js';
import { movePlatformTo } from '../start/migrateSchema.js';
import { programs, readArguments } from './options.js';
import { CommandError, programOutput, runCommand } from './runCommand.js';
import { commandLog, withLedger } from './withLedger.js';

/*
 * reliability platform-move <platform> <group>: moves an inactive platform without a ledger to another
 * ledger group, or says why not. Exit codes: 0 moved, 1 not moved, 2 invalid argument or
 * configuration.
 */
process.exitCode = await runCommand(move);

async function move(): Promise<number> {
  const { positionals, values } = readArguments(programs.movePlatform);
  const [platformId = '', number = ''] = positionals;
  if (positionals.length !== 2 || !/^\d{1,3}$/.test(number)) {
    throw new CommandError(
      'reliability platform-move <platform> <group>, for example: 0199a3c2-7b1e-7c40-8d21-5f0c9b7a1e34 3',
    );
  }
  const group = Number(number);
  const output = programOutput(values.json);
  const config = readConfig();
  if (config.databaseUrl === undefined) {
    throw new ConfigError('DATABASE_URL is not set. The embedded database has one ledger group.');
  }
  return withLedger(config, 1, async (db) => {
    const deps = { config, db, log: commandLog };
    const from = await movePlatformTo(deps, platformId, group, systemClock.now());
    await announce(db, 'keys');
    output.say(`Moved from group ${from} to group ${group}. The platform is inactive until you activate it.`);
    output.result({ platformId, from, group });
    return 0;
  });
}
