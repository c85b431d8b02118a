import type { Clock } from '../../../kit/clock.js';
import type { Database } from '../../../kit/db/database.js';
import type { IdSource } from '../../../kit/ids.js';
import type { Ledger } from '../../../ledger/append/append.js';
import type { WithIdempotency } from '../../../ledger/requests/idempotency.js';

/** What ingest and saved mappings work with. */
export interface IngestDeps {
  db: Database;
  clock: Clock;
  ids: IdSource;
  withIdempotency: WithIdempotency;
  ledger: Ledger;
}
