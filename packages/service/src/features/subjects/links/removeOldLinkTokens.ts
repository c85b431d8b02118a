import type { Database } from '../../../kit/db/database.js';
import { inSlices, SLICE_ROWS, type Sweep } from '../../../ledger/sweep.js';
import { deleteLinkTokens } from './store.js';

/** Part of the retention sweep: tokens that nobody can use any more. */
export function removeOldLinkTokens(db: Database): Sweep {
  return (now, until) =>
    inSlices(db, 'link tokens', until, async (tx) => {
      const affected = await deleteLinkTokens(tx, now, SLICE_ROWS);
      return { affected, isLast: affected < SLICE_ROWS };
    });
}
