import { type Day, dayFromIso } from '@reliability/scoring';
import { DAY_MS } from '../../../domain/timestamp.js';
import { createYielder } from '../../../kit/backpressure/yielder.js';
import type { Database } from '../../../kit/db/database.js';
import type { ClaimedJob, JobHandler } from '../../../kit/jobs/jobs.js';
import { inSlices, type Sweep } from '../../../ledger/sweep.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { BACKTEST_JOB, EVERY_PLATFORM } from './backtests.js';
import { runBacktest } from './runBacktest.js';
import {
  completeBacktest,
  deleteBacktests,
  failBacktest,
  noteProgress,
  type OwnedBacktest,
} from './store.js';

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
      const key = { platformId: job.platformId, backtestId: job.jobId };
      const backtest = await job.inLease((tx) => noteProgress(tx, key, 0));
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
        if (report) await completeBacktest(tx, key, report, clock.now());
      });
    },
    abandon: (tx, jobId, reason, platformId) =>
      failBacktest(tx, { platformId, backtestId: jobId }, reason, clock.now()),
  };
}

function runOf({ platformId }: ClaimedJob, backtest: OwnedBacktest) {
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

const PROGRESS_EVERY_MS = 1000;

/** Stores the percentage once a second. */
function progressOf({ jobId, platformId, inLease }: ClaimedJob, onDeleted: () => void) {
  let storedAtMs = performance.now();
  return async (done: number, total: number): Promise<void> => {
    if (performance.now() - storedAtMs < PROGRESS_EVERY_MS) return;
    storedAtMs = performance.now();
    const percent = total === 0 ? 0 : Math.floor((done * 100) / total);
    const found = await inLease((tx) => noteProgress(tx, { platformId, backtestId: jobId }, percent));
    if (!found) onDeleted();
  };
}

/** How long reports are kept (RULES O3). */
const RETENTION_DAYS = 30;
const BACKTESTS_PER_SLICE = 100;

/** Part of the retention sweep. */
export function removeOldBacktests(db: Database): Sweep {
  return (now, until) =>
    inSlices(db, 'backtests', until, async (tx) => {
      const before = new Date(now.getTime() - RETENTION_DAYS * DAY_MS);
      const affected = await deleteBacktests(tx, before, BACKTESTS_PER_SLICE);
      return { affected, isLast: affected < BACKTESTS_PER_SLICE };
    });
}
