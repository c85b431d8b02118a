import type { Clock } from '../../../kit/clock.js';
import type { Database } from '../../../kit/db/database.js';
import type { IdSource } from '../../../kit/ids.js';
import type { OnceRunner } from '../../../ledger/idempotency.js';

export interface MonitorParts {
  db: Database;
  clock: Clock;
  ids: IdSource;
  once: OnceRunner;
}
