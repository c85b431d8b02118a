import type { Database } from '../../../kit/db/database.js';

/** What the reads of the audit trail work with. */
export interface ActivityDeps {
  db: Database;
}
