import { DAY_MS } from '../../../domain/timestamp.js';
import type { Database } from '../../../kit/db/database.js';
import { inSlices, type Sweep } from '../../../ledger/sweep.js';
import { deleteScreenings } from './store.js';

/** How long results are kept (RULES O3). */
const KEPT_DAYS = 30;
/** Each may hold ten thousand results. */
const SCREENINGS_PER_SLICE = 50;

/** Part of the retention sweep: screenings with all they found. */
export function removeOldScreenings(db: Database): Sweep {
  return (now, until) =>
    inSlices(db, 'screenings', until, async (tx) => {
      const before = new Date(now.getTime() - KEPT_DAYS * DAY_MS);
      const affected = await deleteScreenings(tx, before, SCREENINGS_PER_SLICE);
      return { affected, isLast: affected < SCREENINGS_PER_SLICE };
    });
}
