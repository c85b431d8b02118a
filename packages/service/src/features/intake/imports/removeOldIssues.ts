import type { Database } from '../../../kit/db/database.js';
import { inSlices, keptSince, SLICE_ROWS, type Sweep } from '../../../ledger/sweep.js';
import { deleteIssues } from './store.js';

/** Deletes errors and warnings of old imports: they quote the file. Their numbers are kept. */
export function removeOldIssues(db: Database, days: number): Sweep {
  return (now, until) =>
    inSlices(db, 'import issues', until, async (tx) => {
      const affected = await deleteIssues(tx, keptSince(now, days), SLICE_ROWS);
      return { affected, isLast: affected < SLICE_ROWS };
    });
}
