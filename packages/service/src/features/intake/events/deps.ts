import type { Clock } from '../../../kit/clock.js';
import type { Database } from '../../../kit/db/database.js';
import type { Ledger } from '../../../ledger/append/append.js';

/** What the event operations work with. */
export interface EventDeps {
  config: { eventExportMaxRows: number };
  db: Database;
  clock: Clock;
  ledger: Ledger;
}
