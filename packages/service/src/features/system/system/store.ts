import type { Queryable } from '#kit/db/database.js';
import { insertRow } from '#kit/db/rows.js';

/**
 * When the oldest entry of the recompute queue was added; null if none waits. Failing records are
 * excluded.
 */
export async function waitingSince(db: Queryable): Promise<Date | null> {
  const [row] = await db.query<{ enqueuedAt: Date }>(
    `select enqueued_at from recompute_queue where record_id not in (select record_id from recompute_failure)
     order by queue_id limit 1`,
  );
  return row?.enqueuedAt ?? null;
}

/** Number of records that wait for a retry after a failure, counted up to `max`. */
export async function failingRecords(db: Queryable, max: number): Promise<number> {
  const [row] = await db.query<{ failing: number }>(
    `select count(*) as failing from (
       select 1 from recompute_failure f
       where exists (select 1 from recompute_queue q where q.record_id = f.record_id) limit $1
     ) as waiting`,
    [max],
  );
  return row?.failing ?? 0;
}

/**
 * Number of waiting entries, counted up to `max`: a scrape must stay cheap while a sweep has filled
 * the queue.
 */
export async function queueDepth(db: Queryable, max: number): Promise<number> {
  const [row] = await db.query<{ depth: number }>(
    'select count(*) as depth from (select 1 from recompute_queue limit $1) waiting',
    [max],
  );
  return row?.depth ?? 0;
}

/** Number of pending deliveries, counted up to `max`. */
export async function outboxDepth(db: Queryable, max: number): Promise<number> {
  const [row] = await db.query<{ depth: number }>(
    'select count(*) as depth from (select 1 from outbox_queue limit $1) pending',
    [max],
  );
  return row?.depth ?? 0;
}

/** Number of jobs that wait or run. */
export async function jobDepth(db: Queryable): Promise<number> {
  const [row] = await db.query<{ depth: number }>('select count(*) as depth from job');
  return row?.depth ?? 0;
}

/**
 * When the oldest delivery to a working target became due; null if none is. Reads the first of each
 * target, for up to `max` targets.
 */
export async function dueSince(db: Queryable, now: Date, max: number): Promise<Date | null> {
  const [row] = await db.query<{ dueAt: Date | null }>(
    `with recursive step as (
       (select target_id, due_at, 1 as number from outbox_queue order by target_id, due_at, envelope_id limit 1)
       union all
       select following.target_id, following.due_at, step.number + 1
       from step cross join lateral (
         select target_id, due_at from outbox_queue where target_id > step.target_id
         order by target_id, due_at, envelope_id limit 1
       ) following
       where step.number < $2
     )
     select min(step.due_at) as due_at from step
     left join webhook w on w.webhook_id = step.target_id
     left join notification_channel c on c.channel_id = step.target_id
     where step.due_at <= $1
       and (w.is_active and w.failing_since is null or c.is_active and c.last_error is null)`,
    [now, max],
  );
  return row?.dueAt ?? null;
}

/**
 * Stores the sample of the minute that starts at `minute`; the first sample of a minute is kept.
 */
export async function insertSample(db: Queryable, minute: Date, isOk: boolean): Promise<void> {
  await insertRow(db, 'status_sample', { sampledAt: minute, isOk }, 'on conflict do nothing');
}

export async function deleteSamplesBefore(db: Queryable, limit: Date): Promise<number> {
  return db.execute('delete from status_sample where sampled_at < $1', [limit]);
}

export interface SampleCount {
  /** The first and the last sample of the window; null when there is none. */
  readonly first: Date | null;
  readonly last: Date | null;
  readonly samples: number;
  readonly good: number;
}

export async function countSamples(db: Queryable, from: Date): Promise<SampleCount> {
  const [row] = await db.query<SampleCount>(
    `select min(sampled_at) as first, max(sampled_at) as last, count(*) as samples, count(*) filter (where is_ok) as good
     from status_sample where sampled_at >= $1`,
    [from],
  );
  return row ?? { first: null, last: null, samples: 0, good: 0 };
}
