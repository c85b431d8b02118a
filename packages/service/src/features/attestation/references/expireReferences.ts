import type { Database } from '../../../kit/db/database.js';
import { inSlices, SLICE_ROWS, type Sweep } from '../../../ledger/sweep.js';
import { expireReferenceRows } from './store.js';

/** Part of the expiry sweep: writes down what every reader sees already. */
export function expireReferences(db: Database): Sweep {
  return (now, until) =>
    inSlices(db, 'expired references', until, async (tx) => {
      const affected = await expireReferenceRows(tx, now, SLICE_ROWS);
      return { affected, isLast: affected < SLICE_ROWS };
    });
}
