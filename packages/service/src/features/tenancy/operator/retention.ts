import type { Database } from '../../../kit/db/database.js';
import { DECAY_SNAPSHOT_DAYS, inSlices, keptSince, SLICE_ROWS, type Sweep } from '../../../ledger/sweep.js';
import { deleteActivity, deleteIdempotentAnswers, thinDecaySnapshots } from './store.js';

/**
 * Retention periods (RULES O3). Status samples are not listed: each new sample deletes the expired
 * ones.
 */
const RETENTION = [
  { name: 'idempotency', days: 7, hasTexts: true, deleteBefore: deleteIdempotentAnswers },
  { name: 'activity', days: 400, hasTexts: false, deleteBefore: deleteActivity },
] as const;

/**
 * Deletes rows past their retention period, never an event.
 * @param textDays RETENTION_TEXT_DAYS.
 */
export function retentionSweep(db: Database, textDays?: number): Sweep {
  return async (now, until) => {
    let affected = 0;
    for (const { name, days, hasTexts, deleteBefore } of RETENTION) {
      affected += await inSlices(db, name, until, async (tx) => {
        const count = await deleteBefore(
          tx,
          keptSince(now, days, hasTexts ? textDays : undefined),
          SLICE_ROWS,
        );
        return { affected: count, isLast: count < SLICE_ROWS };
      });
    }
    return affected + (await thin(db, now, until));
  };
}

function thin(db: Database, now: Date, until: AbortSignal): Promise<number> {
  const old = keptSince(now, DECAY_SNAPSHOT_DAYS);
  const thisMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth()));
  // On the 31st a snapshot of the 1st is old enough, but the last one of its month is not known
  // yet.
  const before = old < thisMonth ? old : thisMonth;
  return inSlices(db, 'decay snapshots', until, async (tx) => {
    const { seen, removed } = await thinDecaySnapshots(tx, before, SLICE_ROWS);
    return { affected: removed, isLast: seen < SLICE_ROWS };
  });
}
