import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../clock.js';
import { type Database, isDatabaseUnavailable } from '../db/database.js';
import { createWakeableSleep } from '../wakeableSleep.js';
import { claimNext, deleteJob, giveBack, type LeasedJob, lockLeased } from './jobStore.js';
import { HopelessJob, type JobHandler, type JobSignal, LeaseLost } from './jobs.js';
import { createLeaseHolder, LEASE_MS, type LeaseHolder } from './leaseHolder.js';

/** Does queued jobs, a few at a time. */
export interface JobWorker {
  start(): void;
  /** Takes no more jobs. Running jobs stop after their chunk and are released for other workers. Takes at most 5 s. */
  stop(): Promise<void>;
}

interface JobWorkerDeps {
  db: Database;
  clock: Clock;
  log: FastifyBaseLogger;
  signal: Pick<JobSignal, 'onQueued'>;
  handlers: readonly JobHandler[];
  /** How long a claim lasts without a heartbeat. Default: 30 s. */
  leaseMs?: number;
  /** Before the second, third … attempt. */
  retryWaitsMs?: readonly number[];
}

/** Jobs at a time: a long one does not block the next, and requests keep most of the process. */
const AT_ONCE = 2;
/** What another process queued without a wake-up that reached us, or a dead one left, is found within this. */
const POLL_MS = 2_000;
const RETRY_AFTER_ERROR_MS = 1_000;
/** Of a job whose failure could not even be recorded. */
const PAUSE_AFTER_ERROR_MS = 60_000;
const RETRY_WAITS_MS = [1_000, 5_000, 25_000, 125_000];
/** A job that takes its process with it each time is given up at last; servers that are stopped hard do not get that far. */
const MAX_DEATHS = 20;
const FINISH_WITHIN_MS = 5_000;

/** Told to platforms; the log has the errors. */
const GIVEN_UP = 'It was given up, since every attempt at it failed.';

export function createJobWorker(deps: JobWorkerDeps): JobWorker {
  const { db, clock, log, leaseMs = LEASE_MS, retryWaitsMs = RETRY_WAITS_MS } = deps;
  const handlers = new Map(deps.handlers.map((handler) => [handler.kind, handler]));
  const kinds = [...handlers.keys()];
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  const sleep = createWakeableSleep();
  const underWay = new Set<Promise<void>>();
  /** Held jobs that are still to be given back, and how long each then rests: the database was away, or something else is wrong. */
  const unreturned = new Map<LeasedJob, number>();
  let unsubscribe = (): void => {};
  let running: Promise<void> | null = null;

  return {
    start() {
      if (running) return;
      unsubscribe = deps.signal.onQueued(sleep.wake);
      running = loop();
    },
    async stop() {
      stopping.abort();
      unsubscribe();
      sleep.wake();
      const patience = new AbortController();
      const done = endAll();
      await Promise.race([done, pause(FINISH_WITHIN_MS, undefined, { signal: patience.signal })]);
      patience.abort();
    },
  };

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      sleep.reset();
      try {
        const hasCapacity = await takeNext();
        if (!hasCapacity) await sleep.rest(POLL_MS);
      } catch (error) {
        // Away databases are reported by readiness and by every request; the log need not repeat it each second.
        if (!isDatabaseUnavailable(error)) log.error({ err: error }, 'taking a job failed');
        if (stopping.signal.aborted) return;
        sleep.reset(); // a wake-up now would meet the same error again
        await sleep.rest(RETRY_AFTER_ERROR_MS);
      }
    }
  }

  /** False: none is due, or both hands are full. */
  async function takeNext(): Promise<boolean> {
    for (const [leased, restMs] of unreturned) await returnJob(leased, restMs);
    if (underWay.size >= AT_ONCE || kinds.length === 0) return false;
    const now = clock.now();
    const leased = await claimNext(db, { kinds, claim: randomUUID(), now, leaseEndsAt: leaseEnd() });
    const handler = leased && handlers.get(leased.kind);
    if (!handler) return false;
    if (stopping.signal.aborted) {
      unreturned.set(leased, 0);
      return false;
    }
    const done = carry(handler, leased).finally(() => {
      underWay.delete(done);
      sleep.wake();
    });
    underWay.add(done);
    return true;
  }

  function leaseEnd(): Date {
    return new Date(clock.now().getTime() + leaseMs);
  }

  async function carry(handler: JobHandler, leased: LeasedJob): Promise<void> {
    const lease = createLeaseHolder({ db, clock, log, leased, leaseMs, until: stopping.signal });
    try {
      if (leased.deaths >= MAX_DEATHS) throw new HopelessJob(GIVEN_UP);
      await handler.run(lease.job, stopping.signal);
      if (!lease.isOver() && !stopping.signal.aborted)
        throw new Error('a handler returned without finishing its job');
    } catch (error) {
      await endAttempt(handler, leased, lease, error);
    } finally {
      lease.close();
    }
    if (stopping.signal.aborted && !lease.isOver()) unreturned.set(leased, 0);
  }

  async function endAttempt(
    handler: JobHandler,
    leased: LeasedJob,
    lease: LeaseHolder,
    error: unknown,
  ): Promise<void> {
    const { jobId, kind, failures } = leased;
    const isLast = failures >= retryWaitsMs.length || error instanceof HopelessJob;
    try {
      if (lease.isOver())
        return log.error({ err: error, jobId, kind }, 'a handler failed after its job was over');
      if (isDatabaseUnavailable(error)) throw error;
      if (error instanceof LeaseLost) {
        if (!stopping.signal.aborted) log.info({ jobId, kind }, 'a job went on without this worker');
        return;
      }
      log.error(
        { err: error, jobId, kind, attempt: lease.job.attempt, isLast },
        'an attempt at a job failed',
      );
      if (isLast)
        return await abandon(handler, leased, error instanceof HopelessJob ? error.message : GIVEN_UP);
      const dueAt = new Date(clock.now().getTime() + (retryWaitsMs[failures] ?? 0));
      await giveBack(db, leased, { dueAt, hasFailed: true });
    } catch (failure) {
      const isAway = isDatabaseUnavailable(failure);
      if (!isAway) log.error({ err: failure, jobId, kind }, 'the end of an attempt was not recorded');
      unreturned.set(leased, isAway ? RETRY_AFTER_ERROR_MS : PAUSE_AFTER_ERROR_MS);
    }
  }

  async function abandon(handler: JobHandler, leased: LeasedJob, reason: string): Promise<void> {
    const isMine = await db.transaction(async (tx) => {
      if (!(await lockLeased(tx, leased))) return false;
      await handler.abandon(tx, leased.jobId, reason, leased.platformId);
      await deleteJob(tx, leased);
      return true;
    });
    if (isMine) handler.onAbandoned?.();
  }

  /** As if it had never been taken, but for the rest. */
  async function returnJob(leased: LeasedJob, restMs: number): Promise<void> {
    await giveBack(db, leased, { dueAt: new Date(clock.now().getTime() + restMs), hasFailed: false });
    unreturned.delete(leased);
  }

  async function endAll(): Promise<void> {
    await running;
    await Promise.all(underWay);
    for (const [leased] of unreturned) {
      // Not given back it is due by itself when its lease ends.
      await returnJob(leased, 0).catch((error: unknown) =>
        log.warn({ err: error }, 'a job was not given back'),
      );
    }
  }
}
