import type { Clock } from '../../kit/clock.js';
import type { Database } from '../../kit/db/database.js';
import type { ShareTokens } from '../../ledger/credentials/shareTokens.js';
import type { OnceRunner } from '../../ledger/idempotency.js';

export interface SharingParts {
  db: Database;
  clock: Clock;
  once: OnceRunner;
  shareTokens: ShareTokens;
}
