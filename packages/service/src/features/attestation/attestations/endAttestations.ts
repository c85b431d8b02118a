import type { Database } from '../../../kit/db/database.js';
import { inSlices, SLICE_ROWS, type Sweep } from '../../../ledger/sweep.js';
import { expire, findLapsed } from '../confirmations/sweepStore.js';

/** Part of the expiry sweep: writes down what every reader sees by itself, that the window of a request is over. */
export function expireConfirmations(db: Database): Sweep {
  return (now, until) =>
    inSlices(db, 'expired confirmations', until, async (tx) => {
      const lapsed = await findLapsed(tx, now, SLICE_ROWS);
      return { affected: await expire(tx, lapsed), isLast: lapsed.length < SLICE_ROWS };
    });
}
