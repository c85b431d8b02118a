import type { Clock } from '../../../kit/clock.js';
import type { Database } from '../../../kit/db/database.js';
import type { IdSource } from '../../../kit/ids.js';
import type { JobSignal } from '../../../kit/jobs/jobs.js';
import type { Ledger } from '../../../ledger/append/append.js';
import type { RecomputeSignal } from '../../../ledger/recompute/signal.js';
import type { WithIdempotency } from '../../../ledger/requests/idempotency.js';
import type { OutboxSignal } from '../../../outbox/outboxSignal.js';
import type { FileReader } from './takeFile.js';

export interface ImportDeps {
  config: { importMaxRows: number; importMaxStoredErrors: number };
  db: Database;
  clock: Clock;
  ids: IdSource;
  ledger: Ledger;
  withIdempotency: WithIdempotency;
  signal: RecomputeSignal;
  outbox: OutboxSignal;
  jobs: JobSignal;
  readFile: FileReader;
  /** True while requests need the processor. */
  mustYield(): boolean;
  /** This process works on queued jobs itself. */
  runsWorker: boolean;
}
