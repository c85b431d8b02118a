import type { Clock } from '../../../kit/clock.js';
import type { Database } from '../../../kit/db/database.js';
import type { IdSource } from '../../../kit/ids.js';
import type { OnceRunner } from '../../../ledger/idempotency.js';
import type { RecomputeSignal } from '../../../ledger/recomputeSignal.js';

export interface LinkParts {
  config: { velocityMaxPerHour: number };
  db: Database;
  clock: Clock;
  ids: IdSource;
  once: OnceRunner;
  signal: RecomputeSignal;
}
