import type { Clock } from '../../../kit/clock.js';
import type { Database } from '../../../kit/db/database.js';
import type { IdSource } from '../../../kit/ids.js';
import type { JobSignal } from '../../../kit/jobs/jobs.js';
import type { WithIdempotency } from '../../../ledger/requests/idempotency.js';
import type { OutboxSignal } from '../../../outbox/outboxSignal.js';

export interface ScreeningDeps {
  config: { screeningStaleMinutes: number };
  db: Database;
  clock: Clock;
  ids: IdSource;
  withIdempotency: WithIdempotency;
  outbox: OutboxSignal;
  jobs: JobSignal;
  runsWorker: boolean;
}
