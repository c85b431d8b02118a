import type { Clock } from '../../../kit/clock.js';
import type { Database } from '../../../kit/db/database.js';

export interface AnalyticsDeps {
  db: Database;
  clock: Clock;
  config: { analyticsMaxDays: number; bookSummaryMax: number };
}
