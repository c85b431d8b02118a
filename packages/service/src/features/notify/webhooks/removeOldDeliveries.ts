import { DAY_MS } from '../../../domain/timestamp.js';
import type { Database } from '../../../kit/db/database.js';
import { inSlices, SLICE_ROWS, type Sweep } from '../../../ledger/sweep.js';
import { deleteDeliveries, deleteEnvelopes } from './retentionStore.js';

/** How long payloads and the log of their deliveries are kept (RULES H7). */
export const KEPT_DAYS = 30;

const KEPT = [
  { name: 'deliveries', deleteBefore: deleteDeliveries },
  { name: 'envelopes', deleteBefore: deleteEnvelopes },
] as const;

/** Deletes what was told and sent long enough ago. What is still in line of it, its courier drops. */
export function removeOldDeliveries(db: Database): Sweep {
  return async (now, until) => {
    const before = new Date(now.getTime() - KEPT_DAYS * DAY_MS);
    let affected = 0;
    for (const { name, deleteBefore } of KEPT) {
      affected += await inSlices(db, name, until, async (tx) => {
        const count = await deleteBefore(tx, before, SLICE_ROWS);
        return { affected: count, isLast: count < SLICE_ROWS };
      });
    }
    return affected;
  };
}
