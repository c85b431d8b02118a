import type { Database } from '../../../kit/db/database.js';
import { inSlices, keptSince, SLICE_ROWS, type Sweep } from '../../../ledger/sweep.js';
import { deleteOldDeliveries, deleteOldEnvelopes } from './deliveryStore.js';

/** How long payloads and the delivery log are kept (RULES H7). */
export const RETENTION_DAYS = 30;

const TABLES = [
  { name: 'deliveries', deleteBefore: deleteOldDeliveries },
  { name: 'envelopes', deleteBefore: deleteOldEnvelopes },
] as const;

/**
 * Deletes old envelopes and log rows. The dispatcher drops queue rows whose envelope is gone.
 * @param textDays RETENTION_TEXT_DAYS.
 */
export function removeOldDeliveries(db: Database, textDays?: number): Sweep {
  return async (now, until) => {
    const before = keptSince(now, RETENTION_DAYS, textDays);
    let affected = 0;
    for (const { name, deleteBefore } of TABLES) {
      affected += await inSlices(db, name, until, async (tx) => {
        const count = await deleteBefore(tx, before, SLICE_ROWS);
        return { affected: count, isLast: count < SLICE_ROWS };
      });
    }
    return affected;
  };
}
