import type { FastifyBaseLogger } from 'fastify';
import type { Database, Queryable, Tx } from '../db/database.js';
import { createWakeSignal } from '../db/wakeSignal.js';
import { insertJob, type Job, type LeasedJob, lastHeartbeat } from './jobStore.js';

/** Enqueues a job in the caller's transaction. Call `JobSignal.queued()` after the commit. */
export function enqueueJob(tx: Tx, job: Job, now: Date): Promise<void> {
  return insertJob(tx, job, now);
}

/** A job in the hands of this process. What it has committed stays: the next attempt goes on from there. */
export interface ClaimedJob {
  readonly jobId: string;
  readonly platformId: string;
  /** 1, 2, 3 … over all processes; an attempt that was stopped politely, or by a database that was away, counts for none. */
  readonly attempt: number;
  /**
   * A transaction that renews the lease; its lock on the job keeps others off until it commits. Throws LeaseLost when
   * another worker took the job meanwhile, or when this one is stopping: nothing more may be written then.
   */
  inLease<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** The same, and with its commit the job is over. Also open while the worker is stopping. */
  finish<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Hands the claim to `work`, which returns true once it has finished the job. */
  inOtherHands(work: (leased: LeasedJob) => Promise<boolean>): Promise<void>;
}

/** What knows how to do jobs of one kind. */
export interface JobHandler {
  readonly kind: string;
  /**
   * Does the job in chunks, each `inLease` and no longer than a second or so, and ends with `finish`.
   * @param until aborted when the worker stops: return after the chunk under way, without `finish`.
   * Throws HopelessJob where no further attempt can help; after any other error it is tried again.
   */
  run(job: ClaimedJob, until: AbortSignal): Promise<void>;
  /** Called when there is no further attempt: records the failure in the transaction that removes the job. */
  abandon(tx: Tx, jobId: string, reason: string, platformId: string): Promise<void>;
  /** After that commit. */
  onAbandoned?(): void;
}

/** A retry cannot help. The platform sees the message as the reason. */
export class HopelessJob extends Error {
  override readonly name = 'HopelessJob';
}

/** The job is in other hands, over, or not to be gone on with by this process. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';

  constructor(readonly jobId: string) {
    super(`job ${jobId} is no longer this worker's to go on with`);
  }
}

/** Wakes job workers once something was queued, in this process and in others. */
export interface JobSignal {
  /** To be called after the commit. */
  queued(): void;
  /** Calls `wake` whenever this process or another one has queued a job. Returns what ends that. */
  onQueued(wake: () => void): () => void;
  /** Listens to other processes. Resolves to what ends that. */
  listen(): Promise<() => Promise<void>>;
}

export function createJobSignal(db: Database, log: FastifyBaseLogger): JobSignal {
  const signal = createWakeSignal(db, 'job', log);
  return { queued: signal.raise, onQueued: signal.onRaised, listen: signal.listen };
}

/** A worker whose last heartbeat is older counts as gone. */
export const WORKER_LIMIT_MS = 60_000;

/** Whether a worker runs queued jobs (RULES J5): here, or in a process whose heartbeat is less than a minute old. */
export async function isQueueServed(db: Queryable, now: Date, runsWorkerHere: boolean): Promise<boolean> {
  if (runsWorkerHere) return true;
  const lastBeatAt = await lastHeartbeat(db);
  return lastBeatAt !== null && now.getTime() - lastBeatAt.getTime() <= WORKER_LIMIT_MS;
}
