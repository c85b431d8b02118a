import type { Clock } from '../../../kit/clock.js';
import type { Database } from '../../../kit/db/database.js';
import type { IdSource } from '../../../kit/ids.js';
import type { RecomputeSignal } from '../../../ledger/recompute/signal.js';

export interface UserDeps {
  config: { bookExportMaxRows: number; bookSummaryMax: number };
  db: Database;
  clock: Clock;
  ids: IdSource;
  signal: RecomputeSignal;
}
