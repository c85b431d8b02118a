import type { Networks } from '../../../kit/addressGuard.js';
import type { Database } from '../../../kit/db/database.js';
import type { IdSource } from '../../../kit/ids.js';
import type { Vault } from '../../../kit/vault.js';
import type { WithIdempotency } from '../../../ledger/requests/idempotency.js';
import type { OutboxSignal } from '../../../outbox/outboxSignal.js';
import type { AttemptDeps } from './attemptDelivery.js';
import type { SendByHand } from './sendByHand.js';

/** What the operations on webhook endpoints are built from. */
export interface WebhookRouteDeps extends AttemptDeps {
  db: Database;
  ids: IdSource;
  withIdempotency: WithIdempotency;
  vault: Vault;
  outbox: OutboxSignal;
  config: AttemptDeps['config'] & { readonly webhookAllowedNetworks: Networks };
}

/** What they work with. */
export interface WebhookDeps extends WebhookRouteDeps {
  sendByHand: SendByHand;
}
