import type { Clock } from '../../../kit/clock.js';
import type { Database } from '../../../kit/db/database.js';
import type { IdSource } from '../../../kit/ids.js';
import type { Vault } from '../../../kit/vault.js';
import type { WithIdempotency } from '../../../ledger/requests/idempotency.js';

/** What the operations on notification channels work with. */
export interface ChannelDeps {
  config: { readonly smtpUrl: string | undefined };
  db: Database;
  clock: Clock;
  ids: IdSource;
  withIdempotency: WithIdempotency;
  vault: Vault;
}

/** What is sealed: as `kit/vault.ts` asks for it. */
export const TARGET_CONTEXT = 'channel target';
