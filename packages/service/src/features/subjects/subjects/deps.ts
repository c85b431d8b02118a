import type { Clock } from '../../../kit/clock.js';
import type { Database } from '../../../kit/db/database.js';
import type { IdSource } from '../../../kit/ids.js';
import type { LoadOutcomes } from '../../../ledger/profile/outcomeRecords.js';
import type { WithIdempotency } from '../../../ledger/requests/idempotency.js';

export interface SubjectDeps {
  db: Database;
  clock: Clock;
  ids: IdSource;
  withIdempotency: WithIdempotency;
  loadOutcomes: LoadOutcomes;
}
