import { MAX_GROUP } from '#kit/db/groups.js';
import { findNodes } from '../shape/citus/placement.js';
import { distributeLedgerGroups } from '../start/migrateSchema.js';
import { programs } from './options.js';
import { countIn, runProgram } from './runCommand.js';
import { withServer } from './withLedger.js';

/* Can be run again. Exit codes: 0 done, 1 failed, 2 invalid option or configuration. */
process.exitCode = await runProgram(programs.distribute, async ({ values }, { say, result }) => {
  const max = MAX_GROUP + 1;
  const wanted = `--groups needs the number of groups that the ledger shall have, from 2 to ${max}`;
  const count = countIn(values.groups ?? '(missing)', 2, max, wanted);
  return withServer('The embedded database cannot be distributed.', async (deps) => {
    const { distributed, added } = await distributeLedgerGroups(deps, count, say);
    if (distributed.length > 0) say(`Distributed: ${distributed.join(', ')}.`);
    if (added.length > 0) say(`Added: ${added.join(', ')}.`);
    const groups = await findNodes(deps.db);
    for (const { group, node } of groups) say(`Group ${group}: ${node}`);
    result({ distributed, added, groups });
    return 0;
  });
});
