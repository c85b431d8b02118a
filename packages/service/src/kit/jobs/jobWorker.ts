import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { createPollingLoop } from '../backgroundLoop.js';
import type { Clock } from '../clock.js';
import { type Database, isDatabaseUnavailable, type Tx } from '../db/database.js';
import { pollOfGroup } from '../db/groups.js';
import {
  type ClaimedJob,
  claimNext,
  deleteJob,
  giveBack,
  HopelessJob,
  type JobHandler,
  type LeasedJob,
  LeaseLost,
  lockLeased,
  renewLease,
} from './jobs.js';

interface JobWorkerDeps {
  db: Database;
  clock: Clock;
  log: FastifyBaseLogger;
  handlers: readonly JobHandler[];
  slots?: JobSlots;
  pollMs?: number;
  leaseMs?: number;
  retryWaitsMs?: readonly number[];
}

/** The queue is watched (queueWatch.ts), also for jobs of dead workers. */
const POLL_MS = 10_000;
const LEASE_MS = 30_000;
const RETRY_AFTER_ERROR_MS = 1_000;
/** The wait of a job whose failure could not be recorded. */
const PAUSE_AFTER_ERROR_MS = 60_000;
const RETRY_WAITS_MS = [1_000, 5_000, 25_000, 125_000];
/** It kills its process each time. Servers that are stopped hard do not reach it. */
const MAX_DEATHS = 20;
const FINISH_WITHIN_MS = 5_000;

const ALL_ATTEMPTS_FAILED = 'All attempts failed.';

export type JobWorker = ReturnType<typeof createJobWorker>;

export function createJobWorker(deps: JobWorkerDeps) {
  const { db, clock, log, leaseMs = LEASE_MS, retryWaitsMs = RETRY_WAITS_MS } = deps;
  const { slots = createJobSlots() } = deps;
  const handlers = new Map(deps.handlers.map((handler) => [handler.kind, handler]));
  const kinds = [...handlers.keys()];
  const pollMs = pollOfGroup(db, deps.pollMs ?? POLL_MS);
  const loop = createPollingLoop(
    async () => ((await startNext()) ? 0 : pollMs),
    (error) => log.error({ err: error }, 'claiming a job failed'),
  );
  const { stopping, wake } = loop;
  setMaxListeners(0, stopping);
  const underWay = new Set<Promise<void>>();
  /** And how long each then waits: the database was away, or recording failed. */
  const unreleased = new Map<LeasedJob, number>();

  return {
    start: loop.start,
    wake,
    /** Running jobs stop after their chunk and are released for other workers. Takes at most 5 s. */
    async stop(): Promise<void> {
      slots.leave(wake);
      const patience = new AbortController();
      const done = endAll();
      await Promise.race([done, pause(FINISH_WITHIN_MS, undefined, { signal: patience.signal })]);
      patience.abort();
    },
  };

  async function startNext(): Promise<boolean> {
    for (const [leased, waitMs] of unreleased) await releaseJob(leased, waitMs);
    if (kinds.length === 0 || !slots.tryTake(wake)) return false;
    let isStarted = false;
    try {
      const claim = { claim: randomUUID(), now: clock.now(), leaseEndsAt: after(leaseMs) };
      const leased = await claimNext(db, { kinds, ...claim });
      const handler = leased && handlers.get(leased.kind);
      if (handler && stopping.aborted) unreleased.set(leased, 0);
      else if (handler) isStarted = start(handler, leased);
    } finally {
      if (!isStarted) slots.release();
    }
    return isStarted;
  }

  function start(handler: JobHandler, leased: LeasedJob): true {
    const done = runJob(handler, leased).finally(() => {
      underWay.delete(done);
      slots.release();
      wake();
    });
    underWay.add(done);
    return true;
  }

  function after(ms: number): Date {
    return new Date(clock.now().getTime() + ms);
  }

  async function runJob(handler: JobHandler, leased: LeasedJob): Promise<void> {
    const lease = holdLease(leased);
    try {
      if (leased.deaths >= MAX_DEATHS) throw new HopelessJob(ALL_ATTEMPTS_FAILED);
      await handler.run(lease.job, stopping);
      if (!lease.isOver() && !stopping.aborted)
        throw new Error('a job handler returned without calling finish');
    } catch (error) {
      await endAttempt(handler, leased, lease, error);
    } finally {
      lease.close();
    }
    if (stopping.aborted && !lease.isOver()) unreleased.set(leased, 0);
  }

  async function endAttempt(
    handler: JobHandler,
    leased: LeasedJob,
    lease: ReturnType<typeof holdLease>,
    error: unknown,
  ): Promise<void> {
    const { jobId, kind, failures } = leased;
    const isLast = failures >= retryWaitsMs.length || error instanceof HopelessJob;
    try {
      if (lease.isOver())
        return log.error({ err: error, jobId, kind }, 'a job handler failed after its job had finished');
      if (isDatabaseUnavailable(error)) throw error;
      if (error instanceof LeaseLost) {
        if (!stopping.aborted) log.info({ jobId, kind }, 'lost the lease of a job: another worker runs it');
        return;
      }
      log.error(
        { err: error, jobId, kind, attempt: lease.job.attempt, isLast },
        'an attempt at a job failed',
      );
      const reason = error instanceof HopelessJob ? error.message : ALL_ATTEMPTS_FAILED;
      if (isLast) return await abandon(handler, leased, reason);
      await giveBack(db, leased, { dueAt: after(retryWaitsMs[failures] ?? 0), hasFailed: true });
    } catch (failure) {
      const isAway = isDatabaseUnavailable(failure);
      if (!isAway) log.error({ err: failure, jobId, kind }, 'could not record the result of a job attempt');
      unreleased.set(leased, isAway ? RETRY_AFTER_ERROR_MS : PAUSE_AFTER_ERROR_MS);
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

  async function releaseJob(leased: LeasedJob, waitMs: number): Promise<void> {
    await giveBack(db, leased, { dueAt: after(waitMs), hasFailed: false });
    unreleased.delete(leased);
  }

  async function endAll(): Promise<void> {
    await loop.stop();
    await Promise.all(underWay);
    for (const [leased] of unreleased) {
      // If it is not released, it is due again when its lease ends.
      await releaseJob(leased, 0).catch((error: unknown) =>
        log.warn({ err: error }, 'could not release a job'),
      );
    }
  }

  function holdLease(leased: LeasedJob) {
    const { jobId, platformId, failures, deaths } = leased;
    let isOver = false;
    let open = 0;
    // Not while a transaction is open: it locks the row.
    const timer = setInterval(() => {
      if (open > 0) return;
      renewLease(db, leased, after(leaseMs)).catch((error: unknown) => {
        if (!isDatabaseUnavailable(error))
          log.warn({ err: error, jobId }, 'could not renew the lease of a job');
      });
    }, leaseMs / 3).unref();
    const job: ClaimedJob = {
      jobId,
      platformId,
      attempt: failures + deaths + 1,
      async inLease(work) {
        if (stopping.aborted) throw new LeaseLost(jobId);
        // Last: the full lease starts when others can see it.
        return locked(work, (tx) => renewLease(tx, leased, after(leaseMs)));
      },
      async finish(work) {
        const result = await locked(work, (tx) => deleteJob(tx, leased));
        isOver = true; // its row is gone
        return result;
      },
    };
    return { job, isOver: () => isOver, close: () => clearInterval(timer) };

    async function locked<T>(work: (tx: Tx) => Promise<T>, end: (tx: Tx) => Promise<void>): Promise<T> {
      open += 1;
      try {
        return await db.transaction(async (tx) => {
          if (!(await lockLeased(tx, leased))) throw new LeaseLost(jobId);
          const result = await work(tx);
          await end(tx);
          return result;
        });
      } finally {
        open -= 1;
      }
    }
  }
}

/** A long job does not block the next, and requests keep most of the process. */
const AT_ONCE = 2;

type JobSlots = ReturnType<typeof createJobSlots>;

/** The jobs that all workers of a process may run at once. Workers take turns. */
export function createJobSlots(atOnce = AT_ONCE) {
  let free = atOnce;
  const waiting = new Set<() => void>();
  const next = () => [...waiting].slice(0, free);
  return {
    /** False: no slot is free. `wake` is then called when it is this worker's turn. */
    tryTake(wake: () => void): boolean {
      waiting.add(wake);
      if (!next().includes(wake)) return false;
      waiting.delete(wake);
      free -= 1;
      return true;
    },
    release(): void {
      free += 1;
      for (const wake of next()) wake();
    },
    leave(wake: () => void): void {
      waiting.delete(wake);
      for (const other of next()) other();
    },
  };
}
