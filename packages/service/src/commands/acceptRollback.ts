import { systemClock } from '#kit/clock.js';
import type { Database } from '#kit/db/database.js';
import { forgetTimelinesAbove } from '#kit/db/serverHistory.js';
import { acceptLosses, findLossByDatabase, readTreeSize } from '#ledger/log/checkpoints.js';
import { headFileIn, readAcceptedSizes } from '#ledger/log/heads.js';
import { forgetWitnessedLog } from '#ledger/log/witness/witnesses.js';
import { findLostHeads } from '../features/transparency/witness/lostHeads.js';
import { openGroups } from '../shape/groups/groups.js';
import { type Config, readConfig } from '../start/config.js';
import { StartError } from '../start/exit.js';
import { programs, type readArguments } from './options.js';
import { CommandError, groupNamed, type ProgramOutput, runProgram } from './runCommand.js';
import { withLedger } from './withLedger.js';

// Above the program: it runs before the rest of this file is evaluated.
const NUMBER = /^[1-9]\d{0,14}$/;
const USAGE =
  'Usage: reliability accept-rollback [LEAVES] [--group N], reliability accept-rollback --of ORIGIN, or reliability accept-rollback --timeline N';

/* Exit codes: 0 done or nothing lost, 1 not accepted or failed, 2 invalid configuration or argument. */
process.exitCode = await runProgram(programs.acceptRollback, async (given, output) => {
  const { origin, size, group, timeline } = readGiven(given);
  const config = readConfig();
  if (timeline !== undefined) return acceptTimeline(config, timeline, output);
  return withLedger(config, 2, async (db) =>
    origin === undefined
      ? acceptOwn(groupNamed(await openGroups(db), group), config, size, output)
      : acceptOther(db, origin, output),
  );
});

type Given = ReturnType<typeof readArguments<typeof programs.acceptRollback.options>>;

function readGiven({ values, positionals }: Given) {
  const [size] = positionals;
  const { of: origin, group = '0', timeline } = values;
  if (size !== undefined && !NUMBER.test(size))
    throw new CommandError(`LEAVES must be the number of leaves of the lost log, not ${size}. ${USAGE}`);
  if (timeline !== undefined && !NUMBER.test(timeline))
    throw new CommandError(`--timeline must be the number of a timeline, not ${timeline}. ${USAGE}`);
  const ways = [size, origin, timeline].filter((way) => way !== undefined);
  if (positionals.length > 1 || ways.length > 1)
    throw new CommandError(`There are too many arguments. ${USAGE}`);
  return { origin, group, size: numberIn(size), timeline: numberIn(timeline) };
}

function numberIn(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

async function acceptTimeline({ stateFolder }: Config, timeline: number, output: ProgramOutput) {
  const forgotten = await forgetTimelinesAbove(stateFolder, timeline);
  for (const { timeline: newer, server } of forgotten)
    output.say(`Timeline ${newer} on ${server} is forgotten. What was written only there is lost.`);
  output.say(
    forgotten.length > 0
      ? `Shut down the servers of the newer timelines, then restart every process of the service.`
      : `No timeline above ${timeline} is remembered in ${stateFolder.path}. A process that still refuses has it in its memory: restart it.`,
  );
  output.result({ forgotten });
  return 0;
}

async function acceptOwn(
  db: Database,
  { logStateDir, logWitnesses: witnesses }: Config,
  size: number | undefined,
  output: ProgramOutput,
): Promise<number> {
  const head = logStateDir === undefined ? null : headFileIn(logStateDir, db.ledgers.own);
  // Unlike a start, the command also accepts what only a running process knew and has stored.
  const [outside, inside, accepted] = await Promise.all([
    findLostHeads(db, { head, witnesses }),
    findLossByDatabase(db),
    readAcceptedSizes(db),
  ]);
  const lost = inside && !accepted.has(inside.size) ? [...outside, inside] : outside;
  const largest = Math.max(...lost.map((each) => each.size));
  output.say(`The transparency log of the database has ${await readTreeSize(db)} leaves.`);
  if (lost.length === 0) {
    output.say('It contains every signed log that is known. Nothing to accept.');
    output.result({ lost: [], accepted: false });
    return 0;
  }
  for (const { size: leaves, knownBy } of lost)
    output.say(`It does not contain the log of ${leaves} leaves that ${knownBy} knows.`);
  if (size !== largest) {
    const command = `reliability accept-rollback ${largest}${db.ledgers.own === 0 ? '' : ` --group ${db.ledgers.own}`}`;
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

async function acceptOther(db: Database, origin: string, output: ProgramOutput): Promise<number> {
  const size = await forgetWitnessedLog(db, origin, systemClock.now());
  if (size === null) throw new StartError(`This installation has cosigned no log with the name ${origin}.`);
  output.say(
    `The log ${origin} of ${size} leaves is forgotten. What it sends next is cosigned without a proof that it continues that log.`,
  );
  output.result({ origin, size });
  return 0;
}
