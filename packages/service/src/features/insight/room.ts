import { createTextModel } from '#kit/ai.js';
import type { RouteTable } from '#kit/http/route.js';
import type { ServiceDeps } from '../serviceDeps.js';
import { analyticsRoutes } from './analytics/routes.js';
import { type BacktestRouteDeps, backtestRoutes } from './backtest/backtests.js';
import { benchmarkRoutes } from './benchmarks/readBenchmark.js';
import { outcomeProjector } from './records/projection.js';
import { recordRoutes } from './records/routes.js';
import { riskRoutes } from './risk/risk.js';
import { screeningRoutes } from './screenings/screenings.js';
import { trustRoutes } from './trust/routes.js';

interface InsightDeps extends ServiceDeps {
  /** Whether this process executes queued jobs. */
  runsWorker: boolean;
  /** The report of a backtest as a page. */
  showBacktest: BacktestRouteDeps['showBacktest'];
}

export interface InsightRoom {
  routes: readonly RouteTable[];
  /** For dry runs of reports. */
  projectOutcomes: ReturnType<typeof outcomeProjector>;
  close(): Promise<void>;
}

/**
 * Reads for decisions: records, risk signals, benchmarks, analytics, backtests, screenings,
 * summaries.
 */
export function insightRoom(deps: InsightDeps): InsightRoom {
  const { config, db, clock, log } = deps;
  const ai = config.ai ? createTextModel({ ...config.ai, clock, log }) : null;
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
    projectOutcomes: outcomeProjector(deps),
    async close() {
      await ai?.close();
    },
  };
}
