import type { LogWitness } from '#domain/logWitnesses.js';
import type { Database } from '#kit/db/database.js';
import type { OutboundFetch } from '#kit/outboundFetch.js';
import { findLossByFile, findSignedCheckpoint, type LostHead } from '#ledger/log/checkpoints.js';
import type { HeadFile } from '#ledger/log/heads.js';
import { readAcceptedSizes } from '#ledger/log/heads.js';
import { askWitness, createWitnessOutbound } from './askWitness.js';

interface KnownHeads {
  head: HeadFile | null;
  witnesses: readonly LogWitness[];
}

/** The start waits so long for witnesses. One that cannot be reached does not hinder it. */
const TIMEOUT_MS = 3000;

/**
 * Compares the database with the newest checkpoint that is known outside of it: by the file, and by
 * witnesses. Losses that the operator has accepted are left out.
 */
export async function findLostHeads(db: Database, { head, witnesses }: KnownHeads): Promise<LostHead[]> {
  const outbound = createWitnessOutbound();
  try {
    const [byFile, ...byWitness] = await Promise.all([
      head && findLossByFile(db, head),
      ...witnesses.map((witness) => findLossByWitness(db, outbound, witness)),
    ]);
    const lost = [byFile, ...byWitness].filter((found) => found !== null);
    if (lost.length === 0) return [];
    const accepted = await readAcceptedSizes(db);
    return lost.filter(({ size }) => !accepted.has(size));
  } finally {
    await outbound.close();
  }
}

async function findLossByWitness(
  db: Database,
  outbound: OutboundFetch,
  witness: LogWitness,
): Promise<LostHead | null> {
  const newest = await findSignedCheckpoint(db);
  if (!newest) return null;
  const answer = await askWitness({ db, outbound, timeoutMs: TIMEOUT_MS }, witness, newest, newest.treeSize);
  return answer.kind === 'contradicts'
    ? { size: answer.size, knownBy: `the witness ${witness.key.name}` }
    : null;
}
