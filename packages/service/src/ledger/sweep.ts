import type { Database, Tx } from '../kit/db/database.js';

/**
 * Periodic work: done in bounded slices until nothing is left or `until` says to end. Answers how many things it changed,
 * or queued where the work itself is another's (RULES O2).
 */
export type Sweep = (now: Date, until: AbortSignal) => Promise<number>;

export interface Slice {
  /** Things changed. */
  affected: number;
  /** Nothing was left to look at. */
  isLast: boolean;
}

/** Rows per transaction: short enough that nobody waits for it, long enough to share its costs. */
export const SLICE_ROWS = 1000;

/**
 * Runs slices, each a transaction of its own, while no other process is at the same work: whoever finds another there
 * leaves it the rest. Answers the sum of what was changed.
 * @param name of the work, for the lock.
 */
export async function inSlices(
  db: Database,
  name: string,
  until: AbortSignal,
  work: (tx: Tx) => Promise<Slice>,
): Promise<number> {
  let affected = 0;
  while (!until.aborted) {
    const slice = await db.transaction(async (tx) => ((await isAlone(tx, name)) ? work(tx) : null));
    if (!slice) break;
    affected += slice.affected;
    if (slice.isLast) break;
  }
  return affected;
}

async function isAlone(tx: Tx, name: string): Promise<boolean> {
  const [row] = await tx.query<{ isMine: boolean }>(
    'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as is_mine',
    [`sweep ${name}`],
  );
  return row?.isMine === true;
}
