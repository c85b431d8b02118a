import type { Tx } from '../db/database.js';

/**
 * A job that this process has claimed. What it has committed stays: the next attempt continues from
 * there.
 */
export interface ClaimedJob {
  readonly jobId: string;
  readonly platformId: string;
  /**
   * 1, 2, 3 … over all processes. An attempt that ended with a graceful stop or a database outage
   * does not count.
   */
  readonly attempt: number;
  /**
   * Runs `work` in a transaction that renews the lease and locks the job until it commits. Throws
   * LeaseLost if another worker has claimed the job, or if this worker is stopping: write nothing
   * more then.
   */
  inLease<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Like `inLease`, and its commit ends the job. Also possible while the worker is stopping. */
  finish<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

/** Runs jobs of one kind. */
export interface JobHandler {
  readonly kind: string;
  /**
   * Does the job in chunks, each `inLease` and at most about a second long, and ends with `finish`.
   * @param until aborted when the worker stops: return after the current chunk, without `finish`.
   * Throws HopelessJob if no further attempt can help; after any other error it is tried again.
   */
  run(job: ClaimedJob, until: AbortSignal): Promise<void>;
  /**
   * Called when no attempt is left: records the failure in the transaction that removes the job.
   */
  abandon(tx: Tx, jobId: string, reason: string, platformId: string): Promise<void>;
  /** Called after the commit of `abandon`. */
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
