import { dayFromIso, dayOf, isoFromDay } from '@reliability/scoring';
import type { Database } from '../../../kit/db/database.js';
import { inSlices, type Sweep } from '../../../ledger/sweep.js';
import { findFirstDay, findProgress, saveProgress, sumEvents, sumSnapshots } from './sumStore.js';

/**
 * Sums include what was stamped at least this long ago. A transaction commits within some minutes of
 * its stamp or never: statements and pauses inside it are limited to a minute each.
 */
export const SETTLED_MS = 60 * 60 * 1000;

/**
 * Sums up the days of all platforms that are over, so that a window over them costs a row per day and kind, however large the book.
 * Live data alone: that of a test universe may be taken back. Answers how many days it summed.
 */
export function sumDays(db: Database): Sweep {
  return async (now, until) => {
    const end = dayOf(new Date(now.getTime() - SETTLED_MS));
    let affected = 0;
    for (const { platformId, summedBefore } of await findProgress(db)) {
      if (until.aborted) break;
      if (summedBefore !== null && dayFromIso(summedBefore) >= end) continue;
      affected += await sumPlatform(db, platformId, end, until);
    }
    return affected;
  };
}

/** A day in a transaction, from where the sums end on. */
function sumPlatform(db: Database, platformId: string, end: number, until: AbortSignal): Promise<number> {
  return inSlices(db, `days of ${platformId}`, until, async (tx) => {
    const [progress] = await findProgress(tx, platformId);
    const date = progress?.summedBefore ?? (await findFirstDay(tx, platformId));
    if (date === null || dayFromIso(date) >= end) return { affected: 0, isLast: true };
    const nextDay = dayFromIso(date) + 1;
    await sumEvents(tx, platformId, date);
    await sumSnapshots(tx, platformId, date);
    await saveProgress(tx, platformId, isoFromDay(nextDay));
    return { affected: 1, isLast: nextDay >= end };
  });
}
