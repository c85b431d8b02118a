import { parseArgs } from 'node:util';
import { ConfigError, readConfig } from '../config.js';
import { findLostHeads } from '../features/credentials/witness/lostHeads.js';
import { StartError } from '../firstStart.js';
import { systemClock } from '../kit/clock.js';
import type { Database } from '../kit/db/database.js';
import { openGroups } from '../ledger/groups/groups.js';
import { acceptLosses, headFileIn, type LostHead, readTreeSize } from '../ledger/log/head.js';
import { forgetWitnessedLog } from '../ledger/log/witness/witnessedLogs.js';
import { groupNamed } from './groupNamed.js';
import { runCommand } from './runCommand.js';
import { withLedger } from './withLedger.js';

/*
 * npm run accept-rollback -- LEAVES: after a backup was restored, accepts that signed leaves of the
 * transparency log are lost, so that the service starts again. LEAVES is the size of the lost log;
 * without it the command only says what is lost. `-- --of ORIGIN`: this installation witnesses
 * another log that lost leaves. It forgets that log and cosigns what it gets next. Both become
 * facts of this log. Exit codes: 0 done or nothing lost, 1 not accepted or failed, 2 invalid
 * configuration or argument.
 */
process.exitCode = await runCommand(accept);

async function accept(): Promise<number> {
  const { origin, size, group } = readArguments();
  const config = readConfig();
  return withLedger(config, 2, async (db) =>
    origin === undefined
      ? acceptOwn(groupNamed(await openGroups(db), group), config, size)
      : acceptOther(db, origin),
  );
}

const USAGE = 'npm run accept-rollback -- LEAVES [--group N], or npm run accept-rollback -- --of ORIGIN';

function readArguments(): { origin: string | undefined; size: number | undefined; group: string } {
  const { values, positionals } = parseArgs({
    options: { of: { type: 'string' }, group: { type: 'string', default: '0' } },
    allowPositionals: true,
  });
  const [size] = positionals;
  const isWhole = size === undefined || /^[1-9]\d{0,14}$/.test(size);
  if (!isWhole || positionals.length > 1 || (size !== undefined && values.of !== undefined))
    throw new ConfigError(USAGE);
  const { of: origin, group } = values;
  return { origin, group, size: size === undefined ? undefined : Number(size) };
}

async function acceptOwn(
  db: Database,
  { logStateDir, logWitnesses: witnesses }: ReturnType<typeof readConfig>,
  size: number | undefined,
): Promise<number> {
  const head = logStateDir === undefined ? null : headFileIn(logStateDir, db.group);
  const lost = await findLostHeads(db, { head, witnesses });
  console.log(`The transparency log of the database has ${await readTreeSize(db)} leaves.`);
  if (lost.length === 0) {
    console.log('It contains every signed log that is known outside of the database. Nothing to accept.');
    return 0;
  }
  for (const { size: leaves, knownBy } of lost)
    console.log(`It does not contain the log of ${leaves} leaves that ${knownBy} knows.`);
  if (size !== largest(lost)) {
    console.log(
      'Better: restore a backup that has these leaves. To accept the loss, run ' +
        `npm run accept-rollback -- ${largest(lost)}. Everybody will see it in the log.`,
    );
    return 1;
  }
  await acceptLosses(db, lost, systemClock.now());
  console.log('The loss is accepted. The next start records it as a fact of the log.');
  return 0;
}

function largest(lost: readonly LostHead[]): number {
  return Math.max(...lost.map(({ size }) => size));
}

async function acceptOther(db: Database, origin: string): Promise<number> {
  const size = await forgetWitnessedLog(db, origin, systemClock.now());
  if (size === null) throw new StartError(`This installation has cosigned no log with the name ${origin}.`);
  console.log(
    `The log ${origin} of ${size} leaves is forgotten. What it sends next is cosigned without a proof that it continues that log.`,
  );
  return 0;
}
