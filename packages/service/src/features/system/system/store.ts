import type { Queryable } from '../../../kit/db/database.js';

/** Since when the first entry of the recompute queue has been waiting; null when none waits. Records that failed are apart. */
export async function waitingSince(db: Queryable): Promise<Date | null> {
  const [row] = await db.query<{ enqueuedAt: Date }>(
    `select enqueued_at from recompute_queue where record_id not in (select record_id from recompute_failure)
     order by queue_id limit 1`,
  );
  return row?.enqueuedAt ?? null;
}

/** How many records wait to be computed again after a failure, counted no further than `most`. */
export async function failingRecords(db: Queryable, most: number): Promise<number> {
  const [row] = await db.query<{ failing: number }>(
    `select count(*) as failing from (
       select 1 from recompute_failure f
       where exists (select 1 from recompute_queue q where q.record_id = f.record_id) limit $1
     ) as waiting`,
    [most],
  );
  return row?.failing ?? 0;
}

/** How many entries wait, counted no further than `most`: a scrape must stay cheap while a sweep has filled the queue. */
export async function queueDepth(db: Queryable, most: number): Promise<number> {
  const [row] = await db.query<{ depth: number }>(
    'select count(*) as depth from (select 1 from recompute_queue limit $1) waiting',
    [most],
  );
  return row?.depth ?? 0;
}

/** How many deliveries are pending, counted no further than `most`. */
export async function outboxDepth(db: Queryable, most: number): Promise<number> {
  const [row] = await db.query<{ depth: number }>(
    'select count(*) as depth from (select 1 from outbox_queue limit $1) pending',
    [most],
  );
  return row?.depth ?? 0;
}

/** How many jobs wait or are under way. */
export async function jobDepth(db: Queryable): Promise<number> {
  const [row] = await db.query<{ depth: number }>('select count(*) as depth from job');
  return row?.depth ?? 0;
}

/**
 * Since when the first delivery has been due whose target takes what it is sent; null when none is. Looks at the first of
 * each target, at `most` of them.
 */
export async function dueSince(db: Queryable, now: Date, most: number): Promise<Date | null> {
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
    [now, most],
  );
  return row?.dueAt ?? null;
}

/** Keeps what was found in the minute that starts at `minute`; the first finding of a minute stands. */
export async function insertSample(db: Queryable, minute: Date, isOk: boolean): Promise<void> {
  await db.execute('insert into status_sample (sampled_at, is_ok) values ($1, $2) on conflict do nothing', [
    minute,
    isOk,
  ]);
}

export async function deleteSamplesBefore(db: Queryable, limit: Date): Promise<number> {
  return db.execute('delete from status_sample where sampled_at < $1', [limit]);
}

export interface SampleCount {
  /** The first sample of the window; null when there is none. */
  readonly first: Date | null;
  readonly samples: number;
  readonly good: number;
}

export async function countSamples(db: Queryable, from: Date): Promise<SampleCount> {
  const [row] = await db.query<SampleCount & { first: Date | null }>(
    `select min(sampled_at) as first, count(*) as samples, count(*) filter (where is_ok) as good
     from status_sample where sampled_at >= $1`,
    [from],
  );
  return row ?? { first: null, samples: 0, good: 0 };
}
