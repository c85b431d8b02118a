import { systemClock } from '../kit/clock.js';
import { MAX_GROUP } from '../kit/db/groups.js';
import { findNodes } from '../shape/citus/placement.js';
import { ConfigError, readConfig } from '../start/config.js';
import { distributeLedgerGroups } from '../start/migrateSchema.js';
import { programs, readArguments } from './options.js';
import { CommandError, programOutput, runCommand } from './runCommand.js';
import { commandLog, withLedger } from './withLedger.js';

/*
 * reliability distribute --groups <n>: distributes the ledger groups over the nodes of a Citus
 * cluster, after adding groups up to n, and lists where they are. It can be run again.
 * Exit codes: 0 done, 1 failed, 2 invalid option or configuration.
 */
process.exitCode = await runCommand(distribute);

async function distribute(): Promise<number> {
  const { values } = readArguments(programs.distribute);
  const count = countOf(values.groups);
  const output = programOutput(values.json);
  const config = readConfig();
  if (config.databaseUrl === undefined) {
    throw new ConfigError('DATABASE_URL is not set. The embedded database cannot be distributed.');
  }
  return withLedger(config, 2, async (db) => {
    const { distributed, added } = await distributeLedgerGroups(
      { config, db, log: commandLog },
      count,
      systemClock.now(),
      output.say,
    );
    if (distributed.length > 0) output.say(`Distributed: ${distributed.join(', ')}.`);
    if (added.length > 0) output.say(`Added: ${added.join(', ')}.`);
    const groups = await findNodes(db);
    for (const { group, node } of groups) output.say(`Group ${group}: ${node}`);
    output.result({ distributed, added, groups });
    return 0;
  });
}

function countOf(text = '(missing)'): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 2 && count <= MAX_GROUP + 1) return count;
  throw new CommandError(
    `--groups needs the number of groups that the ledger shall have, from 2 to ${MAX_GROUP + 1}: ${text}`,
  );
}
