import type { Clock } from '../../kit/clock.js';
import { texts, uuids } from '../../kit/db/arrays.js';
import type { Database, Queryable, Tx } from '../../kit/db/database.js';
import { LOWEST_ID } from '../audit/store.js';
import { FORMULA_CHANGED } from './scoreChange.js';

const SCORES_PER_SLICE = 500;

/**
 * Queues the scores that an older draft of the formula computed, one slice per call. False: nothing
 * is left. One pass is enough: frozen scores, which it skips, are queued when they are unfrozen.
 */
export function createDraftWalk(db: Database, clock: Clock): () => Promise<boolean> {
  let afterId: string | null = LOWEST_ID;
  return async () => {
    if (afterId === null) return false;
    const { queued, lastId } = await queueDraftScores(db, afterId, SCORES_PER_SLICE, clock.now());
    afterId = lastId;
    return queued > 0;
  };
}

/** `lastId` is where the next slice continues; null: this was the last. */
async function queueDraftScores(
  db: Queryable,
  afterId: string,
  limit: number,
  now: Date,
): Promise<{ queued: number; lastId: string | null }> {
  const [row] = await db.query<{ seen: number; lastId: string | null }>(
    `with found as (
       select subject_id, record_id from score
       where is_draft and frozen_at is null and subject_id > $1 order by subject_id limit $2
     ), queued as (
       insert into recompute_queue (record_id, reason, enqueued_at)
       select distinct record_id, $3, $4::timestamptz from found
     )
     select count(*)::integer as seen, (array_agg(subject_id order by subject_id desc))[1] as last_id from found`,
    [afterId, limit, FORMULA_CHANGED, now],
  );
  const seen = row?.seen ?? 0;
  return { queued: seen, lastId: seen < limit ? null : (row?.lastId ?? null) };
}

/** Queues records again that were computed as of their last count, to compute later events next. */
export async function requeue(
  tx: Tx,
  records: readonly { recordId: string; reason: string | null }[],
  now: Date,
): Promise<void> {
  await tx.execute(
    `insert into recompute_queue (record_id, reason, enqueued_at)
     select record_id, reason, $3::timestamptz from unnest($1::uuid[], $2::text[]) as waiting (record_id, reason)`,
    [uuids(records, ({ recordId }) => recordId), texts(records, ({ reason }) => reason), now],
  );
}
