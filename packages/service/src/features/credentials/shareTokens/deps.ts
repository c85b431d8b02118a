import type { Clock } from '../../../kit/clock.js';
import type { Database } from '../../../kit/db/database.js';
import type { WithIdempotency } from '../../../ledger/requests/idempotency.js';
import type { ShareTokens } from '../issuing/shareTokens.js';

export interface SharingDeps {
  db: Database;
  clock: Clock;
  withIdempotency: WithIdempotency;
  shareTokens: ShareTokens;
}
