import type { Clock } from '../../../kit/clock.js';
import type { Database } from '../../../kit/db/database.js';
import type { IdSource } from '../../../kit/ids.js';
import type { WithIdempotency } from '../../../ledger/requests/idempotency.js';

export interface MonitorDeps {
  db: Database;
  clock: Clock;
  ids: IdSource;
  withIdempotency: WithIdempotency;
}
