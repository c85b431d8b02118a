import type { Clock } from '../../../kit/clock.js';
import type { Database } from '../../../kit/db/database.js';

export interface RecordDeps {
  db: Database;
  clock: Clock;
}
