import type { Clock } from '../../../kit/clock.js';
import type { Database } from '../../../kit/db/database.js';
import type { IdSource } from '../../../kit/ids.js';
import type { WithIdempotency } from '../../../ledger/requests/idempotency.js';

export interface PolicyDeps {
  /** Subjects with a score past which a preview counts no more. */
  config: { bookSummaryMax: number };
  db: Database;
  clock: Clock;
  ids: IdSource;
  withIdempotency: WithIdempotency;
}
