import type { Clock } from '../../../kit/clock.js';
import type { Database } from '../../../kit/db/database.js';
import type { UsageMeter } from './meter.js';

/** What reads of usage work with. */
export interface UsageDeps {
  db: Database;
  clock: Clock;
  meter: Pick<UsageMeter, 'flush'>;
}

/** How long daily counts are kept, and so how far a window reaches (RULES M7). */
export const KEPT_DAYS = 400;
