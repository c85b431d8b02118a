import type { Queryable } from '../../kit/db/database.js';

export interface Failure {
  recordId: string;
  /** The message of the error. */
  error: string;
  at: Date;
}

/**
 * Stores that a record could not be computed. The next attempt is due after 10 s, doubling each
 * time up to one hour. Keeps one queue entry per reason, since all entries complete together.
 * Returns whether the previous attempt failed with the same error.
 */
export async function noteFailure(db: Queryable, { recordId, error, at }: Failure): Promise<boolean> {
  const [row] = await db.query<{ known: boolean }>(
    `with before as (
       select error from recompute_failure where record_id = $1
     ), surplus as (
       delete from recompute_queue where record_id = $1
         and queue_id not in (select min(queue_id) from recompute_queue where record_id = $1 group by reason)
     )
     insert into recompute_failure as known (record_id, failed_attempts, failing_since, retry_at, error)
     values ($1, 1, $2, $2::timestamptz + interval '10 seconds', $3)
     on conflict (record_id) do update set failed_attempts = known.failed_attempts + 1, error = excluded.error,
       retry_at = $2::timestamptz + least(interval '1 hour', interval '10 seconds' * 2 ^ least(known.failed_attempts, 10))
     returning exists (select 1 from before where before.error = $3) as known`,
    [recordId, at, error],
  );
  return row?.known === true;
}

export async function forgetFailure(db: Queryable, recordId: string): Promise<void> {
  await db.execute('delete from recompute_failure where record_id = $1', [recordId]);
}

/** Deletes failures of records without queue entries, for example after a reset of test data. */
export async function forgetIdleFailures(db: Queryable): Promise<void> {
  await db.execute(
    `delete from recompute_failure f
     where not exists (select 1 from recompute_queue q where q.record_id = f.record_id)`,
  );
}
