import { DAY_MS } from '../../../domain/timestamp.js';
import type { Database } from '../../../kit/db/database.js';
import { inSlices, SLICE_ROWS, type Sweep } from '../../../ledger/sweep.js';
import { KEPT_DAYS } from './deps.js';
import { deleteDays, deleteMonths } from './store.js';

/** Part of the retention sweep: days that no window reaches any more, and the months before them. */
export function removeOldUsage(db: Database): Sweep {
  return (now, until) => {
    const oldest = new Date(now.getTime() - (KEPT_DAYS - 1) * DAY_MS).toISOString().slice(0, 10);
    return inSlices(db, 'usage', until, async (tx) => {
      const affected = await deleteDays(tx, oldest, SLICE_ROWS);
      const isLast = affected < SLICE_ROWS;
      if (isLast) await deleteMonths(tx, oldest);
      return { affected, isLast };
    });
  };
}
