import type { Clock } from '../../../kit/clock.js';
import type { Database } from '../../../kit/db/database.js';
import type { IdSource } from '../../../kit/ids.js';
import type { Ledger } from '../../../ledger/append.js';
import type { WithIdempotency } from '../../../ledger/idempotency.js';
import type { RecomputeSignal } from '../../../ledger/recomputeSignal.js';

/** What the operations on confirmations and campaigns work with. */
export interface ConfirmationDeps {
  config: { baseUrl: string; confirmationExpiryHours: number };
  db: Database;
  clock: Clock;
  ids: IdSource;
  ledger: Ledger;
  withIdempotency: WithIdempotency;
  signal: RecomputeSignal;
}
