import type { Queryable } from '../../kit/db/database.js';

/** When a worker last said that it lives; null when none ever did. */
export async function lastHeartbeat(db: Queryable): Promise<Date | null> {
  const [row] = await db.query<{ beat_at: Date | null }>(
    'select max(beat_at) as beat_at from worker_heartbeat',
  );
  return row?.beat_at ?? null;
}

/** Since when the first entry of the recompute queue has been waiting; null when none waits. */
export async function waitingSince(db: Queryable): Promise<Date | null> {
  const [row] = await db.query<{ enqueued_at: Date }>(
    'select enqueued_at from recompute_queue order by queue_id limit 1',
  );
  return row?.enqueued_at ?? null;
}

/** How many entries wait, counted no further than `most`: a scrape must stay cheap while a sweep has filled the queue. */
export async function queueDepth(db: Queryable, most: number): Promise<number> {
  const [row] = await db.query<{ depth: number }>(
    'select count(*) as depth from (select 1 from recompute_queue limit $1) waiting',
    [most],
  );
  return row?.depth ?? 0;
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
