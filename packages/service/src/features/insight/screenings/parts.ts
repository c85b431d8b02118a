import type { Clock } from '../../../kit/clock.js';
import type { Database } from '../../../kit/db/database.js';
import type { IdSource } from '../../../kit/ids.js';
import type { JobSignal } from '../../../kit/jobs/jobs.js';
import type { OnceRunner } from '../../../ledger/idempotency.js';
import type { OutboxSignal } from '../../../outbox/outboxSignal.js';

export interface ScreeningParts {
  config: { screeningStaleMinutes: number };
  db: Database;
  clock: Clock;
  ids: IdSource;
  once: OnceRunner;
  outbox: OutboxSignal;
  jobs: JobSignal;
  runsWorker: boolean;
}
