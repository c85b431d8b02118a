import { createTextModel } from '../../kit/ai.js';
import type { RouteTable } from '../../kit/http/route.js';
import type { JobHandler } from '../../kit/jobs/jobs.js';
import type { Sweep } from '../../ledger/sweep.js';
import type { ServiceDeps } from '../serviceDeps.js';
import { analyticsRoutes } from './analytics/routes.js';
import { sumDays } from './analytics/sumDays.js';
import { sumOutcomes } from './analytics/sumOutcomes.js';
import { sumParts } from './analytics/sumParts.js';
import { backtestJobs, removeOldBacktests } from './backtest/backtestJobs.js';
import { type BacktestRouteDeps, backtestRoutes } from './backtest/routes.js';
import { benchmarkSweep, dailyBenchmarkSweep } from './benchmarks/makeEditions.js';
import { benchmarkRoutes } from './benchmarks/routes.js';
import { recordRoutes } from './records/routes.js';
import { riskRoutes } from './risk/routes.js';
import { screeningRoutes } from './screenings/routes.js';
import { removeOldScreenings, screeningJobs } from './screenings/screeningJobs.js';
import { trustRoutes } from './trust/routes.js';

interface InsightDeps extends ServiceDeps {
  /** Whether this process executes queued jobs. */
  runsWorker: boolean;
  /** True while requests need the processor. */
  mustYield(): boolean;
  /** The report of a backtest as a page. */
  showBacktest: BacktestRouteDeps['showBacktest'];
}

export interface InsightRoom {
  routes: readonly RouteTable[];
  jobHandlers: readonly JobHandler[];
  sweeps: Record<'retention' | 'benchmarks', readonly Sweep[]>;
  /** The schedule runs these instead of `sweeps.benchmarks`: at most one edition a day. */
  scheduledBenchmarks: readonly Sweep[];
  close(): Promise<void>;
}

/**
 * Reads for decisions: records, risk signals, benchmarks, analytics, backtests, screenings,
 * summaries.
 */
export function insightRoom(deps: InsightDeps): InsightRoom {
  const { config, db, clock, log } = deps;
  const ai = config.ai ? createTextModel({ ...config.ai, clock, log }) : null;
  const sums = [sumDays(db), sumParts(db), sumOutcomes(db)];
  return {
    routes: [
      trustRoutes({ db, ai }),
      recordRoutes(deps),
      riskRoutes(deps),
      benchmarkRoutes(deps),
      analyticsRoutes(deps),
      backtestRoutes(deps),
      screeningRoutes(deps),
    ],
    jobHandlers: [screeningJobs(deps), backtestJobs(deps)],
    sweeps: {
      retention: [removeOldScreenings(db), removeOldBacktests(db)],
      benchmarks: [benchmarkSweep(deps), ...sums],
    },
    scheduledBenchmarks: [dailyBenchmarkSweep(deps), ...sums],
    async close() {
      await ai?.close();
    },
  };
}
