import { dayOf, isoFromDay } from '@reliability/scoring';
import type { Database } from '../../../kit/db/database.js';
import { inSlices, type Sweep } from '../../../ledger/sweep.js';
import { addParts, dropParts, findFirstDay, findPartsEnd, findProgress } from './sumStore.js';

/**
 * Nearly every transaction commits within this time of its stamp. A part that misses one is wrong
 * until its day is over and summed as a whole (sumDays.ts).
 */
const SETTLED_MS = 5 * 60 * 1000;

/**
 * Sums what was published today so far, so that a read counts the last minutes alone: a daily round
 * over a book of a million subjects publishes a million scores.
 */
export function sumParts(db: Database): Sweep {
  return async (now, until) => {
    const end = new Date(now.getTime() - SETTLED_MS);
    let affected = 0;
    for (const { platformId } of await findProgress(db)) {
      if (until.aborted) break;
      affected += await inSlices(db, `parts of ${platformId}`, until, async (tx) => {
        const [progress] = await findProgress(tx, platformId);
        const firstDay = progress?.summedBefore ?? (await findFirstDay(tx, platformId));
        if (firstDay === null) return { affected: 0, isLast: true };
        // A read that saw the progress before these days were summed has ended long ago.
        await dropParts(tx, platformId, isoFromDay(dayOf(new Date(firstDay)) - 1));
        const last = await findPartsEnd(tx, platformId);
        const from = last !== null && last > new Date(firstDay) ? last : new Date(firstDay);
        return { affected: from < end ? await addParts(tx, platformId, from, end) : 0, isLast: true };
      });
    }
    return affected;
  };
}
