import { parseArgs } from 'node:util';
import { readConfig } from '../config.js';
import { findLostHeads } from '../features/credentials/witness/lostHeads.js';
import { systemClock } from '../kit/clock.js';
import type { Database } from '../kit/db/database.js';
import { openGroups } from '../ledger/groups/groups.js';
import { acceptLosses, headFileIn, type LostHead, readTreeSize } from '../ledger/log/head.js';
import { forgetWitnessedLog } from '../ledger/log/witness/witnessedLogs.js';
import { StartError } from '../startError.js';
import { CommandError } from './commandError.js';
import { groupNamed } from './groupNamed.js';
import { jsonOption, type ProgramOutput, programOutput } from './programOutput.js';
import { runCommand } from './runCommand.js';
import { withLedger } from './withLedger.js';

// Above the program: it runs before the rest of this file is evaluated.
const USAGE =
  'Usage: reliability accept-rollback [LEAVES] [--group N], or reliability accept-rollback --of ORIGIN';

/*
 * reliability accept-rollback LEAVES: after a backup was restored, accepts that signed leaves of the
 * transparency log are lost, so that the service starts again. LEAVES is the size of the lost log;
 * without it the command only says what is lost. `--of ORIGIN`: this installation witnesses
 * another log that lost leaves. It forgets that log and cosigns what it gets next. Both become
 * facts of this log. Exit codes: 0 done or nothing lost, 1 not accepted or failed, 2 invalid
 * configuration or argument.
 */
process.exitCode = await runCommand(accept);

async function accept(): Promise<number> {
  const { origin, size, group, output } = readArguments();
  const config = readConfig();
  return withLedger(config, 2, async (db) =>
    origin === undefined
      ? acceptOwn(groupNamed(await openGroups(db), group), config, size, output)
      : acceptOther(db, origin, output),
  );
}

interface Arguments {
  origin: string | undefined;
  size: number | undefined;
  group: string;
  output: ProgramOutput;
}

function readArguments(): Arguments {
  const { values, positionals } = parseArgs({
    options: { of: { type: 'string' }, group: { type: 'string', default: '0' }, ...jsonOption },
    allowPositionals: true,
  });
  const [size] = positionals;
  if (size !== undefined && !/^[1-9]\d{0,14}$/.test(size))
    throw new CommandError(`LEAVES must be the number of leaves of the lost log, not ${size}. ${USAGE}`);
  if (positionals.length > 1 || (size !== undefined && values.of !== undefined))
    throw new CommandError(`There are too many arguments. ${USAGE}`);
  const { of: origin, group } = values;
  const output = programOutput(values.json);
  return { origin, group, output, size: size === undefined ? undefined : Number(size) };
}

async function acceptOwn(
  db: Database,
  { logStateDir, logWitnesses: witnesses }: ReturnType<typeof readConfig>,
  size: number | undefined,
  output: ProgramOutput,
): Promise<number> {
  const head = logStateDir === undefined ? null : headFileIn(logStateDir, db.group);
  const lost = await findLostHeads(db, { head, witnesses });
  output.say(`The transparency log of the database has ${await readTreeSize(db)} leaves.`);
  if (lost.length === 0) {
    output.say('It contains every signed log that is known outside of the database. Nothing to accept.');
    output.result({ lost: [], accepted: false });
    return 0;
  }
  for (const { size: leaves, knownBy } of lost)
    output.say(`It does not contain the log of ${leaves} leaves that ${knownBy} knows.`);
  if (size !== largest(lost)) {
    const command = `reliability accept-rollback ${largest(lost)}${db.group === 0 ? '' : ` --group ${db.group}`}`;
    output.say(
      `Better: restore a backup that has these leaves. To accept the loss, run ${command}. Everybody will see it in the log.`,
    );
    output.result({ lost, accepted: false });
    return 1;
  }
  await acceptLosses(db, lost, systemClock.now());
  output.say('The loss is accepted. The next start records it as a fact of the log.');
  output.result({ lost, accepted: true });
  return 0;
}

function largest(lost: readonly LostHead[]): number {
  return Math.max(...lost.map(({ size }) => size));
}

async function acceptOther(db: Database, origin: string, output: ProgramOutput): Promise<number> {
  const size = await forgetWitnessedLog(db, origin, systemClock.now());
  if (size === null) throw new StartError(`This installation has cosigned no log with the name ${origin}.`);
  output.say(
    `The log ${origin} of ${size} leaves is forgotten. What it sends next is cosigned without a proof that it continues that log.`,
  );
  output.result({ origin, size });
  return 0;
}
