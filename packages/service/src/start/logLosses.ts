import type { LogWitness } from '../domain/logWitnesses.js';
import { findLostHeads } from '../features/credentials/witness/lostHeads.js';
import type { Database } from '../kit/db/database.js';
import { readTreeSize } from '../ledger/log/head.js';
import type { HeadFile } from '../ledger/log/headFile.js';
import { StartError } from './startError.js';

interface KnownOutside {
  /** Where the newest checkpoint of a group's log is kept. */
  headOf(group: number): HeadFile | null;
  witnesses: readonly LogWitness[];
}

/** Throws StartError if signed leaves are missing. It names every log that lost some, so that one stop shows all. */
export async function assertLogsAreWhole(
  groups: readonly Database[],
  { headOf, witnesses }: KnownOutside,
): Promise<void> {
  const losses: Loss[] = [];
  for (const db of groups) {
    const loss = await lossOf(db, headOf(db.ledgers.own), witnesses);
    if (loss) losses.push(loss);
  }
  if (losses.length === 0) return;
  throw new StartError(
    `${losses.map(({ text }) => text).join(' ')} A backup was restored, or rows were changed. Restore the database with all ` +
      `its rows, or accept the loss: ${losses.map(({ command }) => command).join(' and ')}. The log then records the loss ` +
      'for everybody to see.',
  );
}

interface Loss {
  text: string;
  command: string;
}

async function lossOf(
  db: Database,
  head: HeadFile | null,
  witnesses: readonly LogWitness[],
): Promise<Loss | null> {
  const lost = await findLostHeads(db, { head, witnesses });
  if (lost.length === 0) return null;
  const size = Math.max(...lost.map((each) => each.size));
  const where = db.ledgers.own === 0 ? 'the database' : `ledger group ${db.ledgers.own}`;
  return {
    text:
      `The transparency log of ${where} has ${await readTreeSize(db)} leaves and does not contain the log of ${size} ` +
      `leaves that was signed before (known by ${lost.map(({ knownBy }) => knownBy).join(', ')}).`,
    command: `npm run accept-rollback -- ${size}${db.ledgers.own === 0 ? '' : ` --group ${db.ledgers.own}`}`,
  };
}
