import { MAX_GROUP } from '#kit/db/groups.js';
import { countPlatforms } from '#ledger/groups/store.js';
import { addLedgerGroups } from '../start/migrateSchema.js';
import { programs } from './options.js';
import { countIn, runProgram } from './runCommand.js';
import { withServer } from './withLedger.js';

/* Exit codes: 0 done, 1 failed, 2 invalid option or configuration. */
process.exitCode = await runProgram(programs.groups, async ({ values }, { say, result }) => {
  const wanted = `--add needs a number of groups from 1 to ${MAX_GROUP}`;
  const count = countIn(values.add ?? '0', 0, MAX_GROUP, wanted);
  return withServer('The embedded database has one ledger group.', async (deps) => {
    const added = count === 0 ? [] : await addLedgerGroups(deps, count, say);
    if (added.length > 0) say(`Added: ${added.join(', ')}.`);
    const groups = await countPlatforms(deps.db);
    for (const { group, platforms } of groups)
      say(`Group ${group}: ${platforms} ${platforms === 1 ? 'platform' : 'platforms'}`);
    result({ added, groups });
    return 0;
  });
});
