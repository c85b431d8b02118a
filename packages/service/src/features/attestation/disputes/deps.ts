import type { Clock } from '../../../kit/clock.js';
import type { Database } from '../../../kit/db/database.js';
import type { IdSource } from '../../../kit/ids.js';
import type { Ledger } from '../../../ledger/append/append.js';
import type { RecomputeSignal } from '../../../ledger/recompute/signal.js';
import type { WithIdempotency } from '../../../ledger/requests/idempotency.js';
import type { OutboxSignal } from '../../../outbox/outboxSignal.js';

/** What the dispute operations work with. */
export interface DisputeDeps {
  config: { disputeWindowMs: number };
  db: Database;
  clock: Clock;
  ids: IdSource;
  ledger: Ledger;
  withIdempotency: WithIdempotency;
  signal: RecomputeSignal;
  outbox: OutboxSignal;
}
