import type { Tx } from '../../../kit/db/database.js';

/** Deletes up to `limit` rows older than `before`, the oldest first; returns their number. */
type DeleteBefore = (tx: Tx, before: Date, limit: number) => Promise<number>;

export const deleteIdempotentAnswers: DeleteBefore = (tx, before, limit) =>
  tx.execute(
    `delete from idempotency where key_id in (
       select key_id from idempotency where created_at < $1 order by created_at limit $2
     )`,
    [before, limit],
  );

export const deleteActivity: DeleteBefore = (tx, before, limit) =>
  tx.execute(
    `delete from activity where (platform_id, activity_id) in (
       select platform_id, activity_id from activity where at < $1 order by at limit $2
     )`,
    [before, limit],
  );

/**
 * Judges up to `limit` decay snapshots older than `before`, each once. The last one of each subject
 * and UTC month stays, and so do the two latest snapshots of a subject, which show its last change.
 * The others are deleted. Months must be over by `before`.
 */
export async function thinDecaySnapshots(
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
