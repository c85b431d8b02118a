import type { Clock } from '../../../kit/clock.js';
import type { Database } from '../../../kit/db/database.js';
import type { IdSource } from '../../../kit/ids.js';
import type { OnceRunner } from '../../../ledger/idempotency.js';
import type { LoadOutcomes } from '../../../ledger/outcomeRecords.js';

export interface SubjectParts {
  db: Database;
  clock: Clock;
  ids: IdSource;
  once: OnceRunner;
  loadOutcomes: LoadOutcomes;
}
