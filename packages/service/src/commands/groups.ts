import { systemClock } from '../kit/clock.js';
import { MAX_GROUP } from '../kit/db/groups.js';
import { countPlatforms } from '../ledger/groups/store.js';
import { ConfigError, readConfig } from '../start/config.js';
import { addLedgerGroups } from '../start/migrateSchema.js';
import { programs, readArguments } from './options.js';
import { CommandError, programOutput, runCommand } from './runCommand.js';
import { commandLog, withLedger } from './withLedger.js';

/*
 * reliability groups [--add <n>]: lists the ledger groups with their platforms, after adding n.
 * Exit codes: 0 done, 1 failed, 2 invalid option or configuration.
 */
process.exitCode = await runCommand(groups);

async function groups(): Promise<number> {
  const { values } = readArguments(programs.groups);
  const count = countOf(values.add ?? '0');
  const output = programOutput(values.json);
  const config = readConfig();
  if (config.databaseUrl === undefined) {
    throw new ConfigError('DATABASE_URL is not set. The embedded database has one ledger group.');
  }
  return withLedger(config, 2, async (db) => {
    const deps = { config, db, log: commandLog };
    const added = count === 0 ? [] : await addLedgerGroups(deps, count, systemClock.now(), output.say);
    if (added.length > 0) output.say(`Added: ${added.join(', ')}.`);
    const list = await countPlatforms(db);
    for (const { group, platforms } of list)
      output.say(`Group ${group}: ${platforms} ${platforms === 1 ? 'platform' : 'platforms'}`);
    output.result({ added, groups: list });
    return 0;
  });
}

function countOf(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 0 && count <= MAX_GROUP) return count;
  throw new CommandError(`--add needs a number of groups from 1 to ${MAX_GROUP}: ${text}`);
}
