import { announce } from '#kit/db/wakes.js';
import { movePlatformTo } from '../start/migrateSchema.js';
import { programs } from './options.js';
import { CommandError, runProgram } from './runCommand.js';
import { withServer } from './withLedger.js';

/* Exit codes: 0 moved, 1 not moved, 2 invalid argument or configuration. */
process.exitCode = await runProgram(programs.movePlatform, async ({ positionals }, { say, result }) => {
  const [platformId = '', number = ''] = positionals;
  if (positionals.length !== 2 || !/^\d{1,3}$/.test(number)) {
    throw new CommandError(
      'reliability platform-move <platform> <group>, for example: 0199a3c2-7b1e-7c40-8d21-5f0c9b7a1e34 3',
    );
  }
  const group = Number(number);
  return withServer('The embedded database has one ledger group.', async (deps) => {
    const from = await movePlatformTo(deps, platformId, group);
    await announce(deps.db, 'keys');
    say(`Moved from group ${from} to group ${group}. The platform is inactive until you activate it.`);
    result({ platformId, from, group });
    return 0;
  });
});
