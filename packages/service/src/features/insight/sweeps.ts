import type { ServiceDeps } from '../serviceDeps.js';
import { sumDays, sumParts } from './analytics/daySums.js';
import { sumEvents } from './analytics/eventSums.js';
import { removeOldBacktests } from './backtest/backtestJobs.js';
import { benchmarkSweep, dailyBenchmarkSweep } from './benchmarks/makeEditions.js';
import { removeOldScreenings } from './screenings/screeningJobs.js';

export function insightSweeps(deps: ServiceDeps) {
  const { db } = deps;
  const sums = [sumDays(db), sumParts(db), sumEvents(db)];
  return {
    retention: [removeOldScreenings(db), removeOldBacktests(db)],
    benchmarks: [benchmarkSweep(deps), ...sums],
    /** The schedule runs these instead of `benchmarks`: at most one edition a day. */
    dailyBenchmarks: [dailyBenchmarkSweep(deps), ...sums],
  };
}
