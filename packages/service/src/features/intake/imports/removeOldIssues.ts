import type { Database } from '#kit/db/database.js';
import { inSlices, keptSince, SLICE_ROWS, type Sweep } from '#ledger/sweep.js';
import { deleteIssues, deletePlans } from './store.js';

/** Deletes errors, warnings and mappings of old imports: they quote the file. Their numbers are kept. */
export function removeOldIssues(db: Database, days: number): Sweep {
  return (now, until) =>
    inSlices(db, 'import issues', until, async (tx) => {
      const before = keptSince(now, days);
      const issues = await deleteIssues(tx, before, SLICE_ROWS);
      const plans = await deletePlans(tx, before, SLICE_ROWS);
      return { affected: issues + plans, isLast: Math.max(issues, plans) < SLICE_ROWS };
    });
}
