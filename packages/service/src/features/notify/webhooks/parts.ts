import type { Networks } from '../../../kit/addressGuard.js';
import type { Database } from '../../../kit/db/database.js';
import type { IdSource } from '../../../kit/ids.js';
import type { Vault } from '../../../kit/vault.js';
import type { OnceRunner } from '../../../ledger/idempotency.js';
import type { OutboxSignal } from '../../../outbox/outboxSignal.js';
import type { AttemptParts } from './attemptDelivery.js';
import type { SendByHand } from './sendByHand.js';

/** What the operations on webhook endpoints are built from. */
export interface WebhookRouteParts extends AttemptParts {
  db: Database;
  ids: IdSource;
  once: OnceRunner;
  vault: Vault;
  outbox: OutboxSignal;
  config: AttemptParts['config'] & { readonly webhookAllowedNetworks: Networks };
}

/** What they work with. */
export interface WebhookParts extends WebhookRouteParts {
  sendByHand: SendByHand;
}
