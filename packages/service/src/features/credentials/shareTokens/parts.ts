import type { Clock } from '../../../kit/clock.js';
import type { Database } from '../../../kit/db/database.js';
import type { OnceRunner } from '../../../ledger/idempotency.js';
import type { ShareTokens } from '../issuing/shareTokens.js';

export interface SharingParts {
  db: Database;
  clock: Clock;
  once: OnceRunner;
  shareTokens: ShareTokens;
}
