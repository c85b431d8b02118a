import type { Clock } from '../../../kit/clock.js';
import type { Database } from '../../../kit/db/database.js';

export interface RecordParts {
  db: Database;
  clock: Clock;
}
