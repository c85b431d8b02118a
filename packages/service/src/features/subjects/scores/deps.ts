import type { Database } from '../../../kit/db/database.js';

export interface ScoreDeps {
  db: Database;
}
