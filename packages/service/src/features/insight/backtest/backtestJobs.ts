import { type Day, dayFromIso } from '@reliability/scoring';
import { createYielder } from '#kit/backpressure/yielder.js';
import type { Database, Tx } from '#kit/db/database.js';
import type { ClaimedJob, JobHandler } from '#kit/jobs/jobs.js';
import type { Sweep } from '#ledger/sweep.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { BACKTEST_JOB, EVERY_PLATFORM } from './backtests.js';
import { runBacktest } from './runBacktest.js';
import { type BacktestState, backtests } from './store.js';

type JobDeps = Pick<ServiceDeps, 'db' | 'groups' | 'clock'> & {
  /** True while requests need the processor. */
  mustYield?(): boolean;
};

/**
 * Executes queued backtests. One that lost its worker starts again, on the day of its creation, so it gives the
 * same report. It stops if a reset of test data deleted it.
 */
export function backtestJobs(deps: JobDeps): JobHandler {
  const { db, clock } = deps;
  return {
    kind: BACKTEST_JOB,
    async run(job, until) {
      const backtest = await job.inLease((tx) => noteProgress(tx, job, 0));
      if (!backtest) return job.finish(async () => undefined);
      const deleted = new AbortController();
      const groups = job.platformId === EVERY_PLATFORM.platformId ? deps.groups() : [db];
      const report = await runBacktest(groups, {
        ...runOf(job, backtest),
        onProgress: progressOf(job, () => deleted.abort()),
        yieldTurn: createYielder(deps.mustYield),
        until: AbortSignal.any([until, deleted.signal]),
      });
      if (until.aborted) return;
      await job.finish(async (tx) => {
        const ended = { status: 'COMPLETED', progress: 100, report, completedAt: clock.now() };
        if (report) await backtests.change(tx, job, ended);
      });
    },
    async abandon(tx, jobId, error, platformId) {
      const ended = { status: 'FAILED', error, completedAt: clock.now() };
      await backtests.change(tx, { platformId, jobId }, ended);
    },
  };
}

function runOf({ platformId }: ClaimedJob, backtest: BacktestState & { livemode: boolean }) {
  const { by, everyDays, horizonDays, from, to, createdAt, livemode } = backtest;
  return {
    platformId: platformId === EVERY_PLATFORM.platformId ? null : platformId,
    livemode,
    options: { by, everyDays, horizonDays, from: dayOrNull(from), to: dayOrNull(to) },
    now: createdAt,
  };
}

function dayOrNull(iso: string | null): Day | null {
  return iso === null ? null : dayFromIso(iso);
}

function noteProgress(tx: Tx, job: ClaimedJob, progress: number) {
  return backtests.change(tx, job, { status: 'RUNNING', progress });
}

const PROGRESS_EVERY_MS = 1000;

/** Stores the percentage once a second. */
function progressOf(job: ClaimedJob, onDeleted: () => void) {
  let storedAtMs = performance.now();
  return async (done: number, total: number): Promise<void> => {
    if (performance.now() - storedAtMs < PROGRESS_EVERY_MS) return;
    storedAtMs = performance.now();
    const percent = total === 0 ? 0 : Math.floor((done * 100) / total);
    const found = await job.inLease((tx) => noteProgress(tx, job, percent));
    if (!found) onDeleted();
  };
}

const BACKTESTS_PER_SLICE = 100;

export function removeOldBacktests(db: Database): Sweep {
  return backtests.removeOld(db, BACKTESTS_PER_SLICE);
}
