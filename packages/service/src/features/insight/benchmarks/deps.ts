import type { Clock } from '../../../kit/clock.js';
import type { Database } from '../../../kit/db/database.js';

export interface BenchmarkDeps {
  db: Database;
  clock: Clock;
  config: { benchmarkMinCohort: number };
}

/** The live universe is one for the whole installation; a test universe has the id of its platform. */
export const LIVE_UNIVERSE = '00000000-0000-0000-0000-000000000000';

/** Up to here a universe is so small that a read may make its figures. */
export const SMALL_UNIVERSE = 1000;
