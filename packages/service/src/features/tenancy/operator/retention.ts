import type { Database, Tx } from '#kit/db/database.js';
import {
  DECAY_SNAPSHOT_DAYS,
  inSlices,
  keptSince,
  removeExpired,
  SLICE_ROWS,
  type Sweep,
} from '#ledger/sweep.js';

/**
 * Rows that are deleted so many days after a time, the oldest first (RULES O3). Status samples are not
 * listed: each new sample deletes the expired ones.
 */
const RETENTION = [
  { table: 'idempotency', key: 'key_id', time: 'created_at', days: 7, hasTexts: true },
  { table: 'activity', key: 'platform_id, activity_id', time: 'at', days: 400, hasTexts: false },
  { table: 'link_token', key: 'token_hash', time: 'expires_at', days: 0, hasTexts: false },
  { table: 'record_link', key: 'record_link_id', time: 'expires_at', days: 0, hasTexts: false },
] as const;

/**
 * Deletes rows past their retention period, never an event.
 * @param textDays RETENTION_TEXT_DAYS.
 */
export function retentionSweep(db: Database, textDays?: number): Sweep {
  return async (now, until) => {
    let affected = 0;
    for (const kept of RETENTION) {
      const before = keptSince(now, kept.days, kept.hasTexts ? textDays : undefined);
      affected += await removeExpired(db, kept, before, until);
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

/**
 * Judges up to `limit` decay snapshots older than `before`, each once. The last one of each subject
 * and UTC month stays, and so do the two latest snapshots of a subject, which show its last change.
 * The others are deleted. Months must be over by `before`.
 */
async function thinDecaySnapshots(
  tx: Tx,
  before: Date,
  limit: number,
): Promise<{ seen: number; removed: number }> {
  const [row] = await tx.query<{ seen: number; removed: number }>(
    `with due as (
       select subject_id, snapshot_no, computed_at,
         (date_trunc('month', computed_at at time zone 'UTC') + interval '1 month') at time zone 'UTC' as month_end
       from score_snapshot where reason = 'decay' and not is_kept and computed_at < $1 order by computed_at limit $2
     ), judged as (
       select due.subject_id, due.snapshot_no, due.snapshot_no < score.snapshot_no - 1 and exists (
         select 1 from score_snapshot later
         where later.subject_id = due.subject_id and later.snapshot_no > due.snapshot_no and later.reason = 'decay'
           and later.computed_at < due.month_end
       ) and not exists (
         -- it was the published score of a freeze
         select 1 from freeze_fact f where f.subject_id = due.subject_id and f.action = 'set' and f.at >= due.computed_at
           and not exists (
             select 1 from score_snapshot newer where newer.subject_id = due.subject_id
               and newer.snapshot_no > due.snapshot_no and newer.computed_at <= f.at
           )
       ) is true as is_surplus
       from due left join score using (subject_id)
     ), removed as (
       select delete_decay_snapshots(array_agg(subject_id), array_agg(snapshot_no)) as count from judged where is_surplus
     ), kept as (
       update score_snapshot set is_kept = true from judged
       where score_snapshot.subject_id = judged.subject_id and score_snapshot.snapshot_no = judged.snapshot_no
         and judged.is_surplus is not true
     )
     select (select count(*) from due) as seen, (select coalesce(count, 0) from removed) as removed`,
    [before, limit],
  );
  return row ?? { seen: 0, removed: 0 };
}
