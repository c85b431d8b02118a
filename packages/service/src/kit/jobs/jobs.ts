import type { Queryable, Tx } from '../db/database.js';
import { insertRow, pick } from '../db/rows.js';

/** A job that this process has claimed. The next attempt continues from what it has committed. */
export interface ClaimedJob {
  readonly jobId: string;
  readonly platformId: string;
  /** 1, 2, 3 … over all processes. Graceful stops and database outages do not count. */
  readonly attempt: number;
  /**
   * Runs `work` in a transaction that renews the lease and locks the job until it commits. Throws LeaseLost
   * if another worker has claimed the job, or if this worker is stopping: write nothing more then.
   */
  inLease<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Like `inLease`, and its commit ends the job. Also possible while the worker is stopping. */
  finish<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

export interface JobHandler {
  readonly kind: string;
  /**
   * Does the job in chunks, each `inLease` and at most about a second long, and ends with `finish`.
   * @param until aborted when the worker stops: return after the current chunk, without `finish`.
   * Throws HopelessJob if no further attempt can help; after any other error it is tried again.
   */
  run(job: ClaimedJob, until: AbortSignal): Promise<void>;
  /** Records, in the transaction that removes the job, that no attempt is left. */
  abandon(tx: Tx, jobId: string, reason: string, platformId: string): Promise<void>;
  onAbandoned?(): void;
}

/** A retry cannot help. The platform sees the message as the reason. */
export class HopelessJob extends Error {
  override readonly name = 'HopelessJob';
}

/** Another worker has the job, it is finished, or this process must not continue it. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';

  constructor(readonly jobId: string) {
    super(`this worker no longer has the lease of job ${jobId}`);
  }
}

interface Job {
  /** Also the id of the row that describes the work. */
  readonly jobId: string;
  readonly kind: string;
  readonly platformId: string;
}

/** In the caller's transaction. Raise `jobs` after the commit. */
export async function enqueueJob(tx: Tx, job: Job, now: Date): Promise<void> {
  await insertRow(tx, 'job', { ...pick(job, 'jobId', 'kind', 'platformId'), dueAt: now, createdAt: now });
}

/** A job that this process has leased. Its work counts only while the claim is valid. */
export interface LeasedJob extends Job {
  readonly claim: string;
  readonly failures: number;
  readonly deaths: number;
}

/** Of the platform with the fewest running jobs, the one due for longest. Null: none is due. */
export async function claimNext(
  db: Queryable,
  claiming: { kinds: readonly string[]; claim: string; now: Date; leaseEndsAt: Date },
): Promise<LeasedJob | null> {
  const { kinds, claim, now, leaseEndsAt } = claiming;
  const [row] = await db.query<LeasedJob>(
    `with busy as (
       select platform_id, count(*) as jobs from job
       where claim is not null and due_at > $2::timestamptz group by platform_id
     ), next as (
       select j.job_id from job j left join busy on busy.platform_id = j.platform_id
       where j.due_at <= $2::timestamptz and j.kind = any($1::text[])
       order by coalesce(busy.jobs, 0), j.due_at, j.job_id limit 1
       for update of j skip locked
     )
     update job set claim = $3::uuid, due_at = $4::timestamptz, deaths = job.deaths + (job.claim is not null)::integer
     from next where job.job_id = next.job_id
     returning job.job_id, job.kind, job.platform_id, job.claim, job.failures, job.deaths`,
    [kinds, now, claim, leaseEndsAt],
  );
  return row ?? null;
}

type Leased = Pick<LeasedJob, 'jobId' | 'claim'>;

/** Locks the row until the transaction ends. False: the lease is lost. */
export async function lockLeased(tx: Tx, { jobId, claim }: Leased): Promise<boolean> {
  const text = 'select 1 as one from job where job_id = $1 and claim = $2 for update';
  return (await tx.query(text, [jobId, claim])).length === 1;
}

export async function renewLease(db: Queryable, { jobId, claim }: Leased, leaseEndsAt: Date): Promise<void> {
  const values = [jobId, claim, leaseEndsAt];
  await db.execute('update job set due_at = $3 where job_id = $1 and claim = $2', values);
}

export async function giveBack(
  db: Queryable,
  { jobId, claim }: Leased,
  { dueAt, hasFailed }: { dueAt: Date; hasFailed: boolean },
): Promise<void> {
  await db.execute(
    `update job set claim = null, due_at = $3, failures = failures + $4::boolean::integer
     where job_id = $1 and claim = $2`,
    [jobId, claim, dueAt, hasFailed],
  );
}

export async function deleteJob(tx: Tx, { jobId }: Leased): Promise<void> {
  await tx.execute('delete from job where job_id = $1', [jobId]);
}

/** The last heartbeat of any worker process; null if there never was one. */
export async function lastHeartbeat(db: Queryable): Promise<Date | null> {
  const [row] = await db.shared.query<{ beatAt: Date | null }>(
    'select max(beat_at) as beat_at from worker_heartbeat',
  );
  return row?.beatAt ?? null;
}

/** A worker counts as gone when its last heartbeat is older. */
export const WORKER_LIMIT_MS = 60_000;

/** RULES J5: in this process, or in one whose last heartbeat is less than a minute old. */
export async function isQueueServed(db: Queryable, now: Date, runsWorkerHere: boolean): Promise<boolean> {
  if (runsWorkerHere) return true;
  const lastBeatAt = await lastHeartbeat(db);
  return lastBeatAt !== null && now.getTime() - lastBeatAt.getTime() <= WORKER_LIMIT_MS;
}
