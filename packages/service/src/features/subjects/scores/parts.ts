import type { Database } from '../../../kit/db/database.js';

export interface ScoreParts {
  db: Database;
}
