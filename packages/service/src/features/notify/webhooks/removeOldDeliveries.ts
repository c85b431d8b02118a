import type { Database } from '../../../kit/db/database.js';
import { inSlices, keptSince, SLICE_ROWS, type Sweep } from '../../../ledger/sweep.js';
import { deleteOldDeliveries, deleteOldEnvelopes } from './deliveryStore.js';

/** How long payloads are kept (RULES H7). The log of their deliveries outlives them by a month. */
export const PAYLOAD_DAYS = 30;
const LOG_DAYS = 60;

const TABLES = [
  { name: 'deliveries', days: LOG_DAYS, deleteBefore: deleteOldDeliveries },
  { name: 'envelopes', days: PAYLOAD_DAYS, deleteBefore: deleteOldEnvelopes },
] as const;

/**
 * Deletes old envelopes and log rows. The dispatcher drops queue rows whose envelope is gone.
 * @param textDays RETENTION_TEXT_DAYS.
 */
export function removeOldDeliveries(db: Database, textDays?: number): Sweep {
  return async (now, until) => {
    let affected = 0;
    for (const { name, days, deleteBefore } of TABLES) {
      const before = keptSince(now, days, textDays);
      affected += await inSlices(db, name, until, async (tx) => {
        const count = await deleteBefore(tx, before, SLICE_ROWS);
        return { affected: count, isLast: count < SLICE_ROWS };
      });
    }
    return affected;
  };
}
