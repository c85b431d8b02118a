import { fail } from '../../../domain/errors.js';
import type { Queryable, Tx } from '../../../kit/db/database.js';
import type { Owner } from '../../../kit/http/route.js';
import { isUuid } from '../../../kit/ids.js';
import { findWebhook, lockWebhook, type StoredWebhook, type Webhook } from './webhookStore.js';

/** The endpoint an owner means. Another platform's or mode's is as if it were not there: NOT_FOUND. */
export async function webhookOf(db: Queryable, owner: Owner, id: string): Promise<StoredWebhook> {
  return (isUuid(id) ? await findWebhook(db, owner, id) : null) ?? failUnknownWebhook();
}

/** The same, held until the transaction ends. */
export async function lockWebhookOrFail(tx: Tx, owner: Owner, id: string): Promise<StoredWebhook> {
  return (isUuid(id) ? await lockWebhook(tx, owner, id) : null) ?? failUnknownWebhook();
}

/** What answers show of an endpoint: field by field, so that nothing sealed gets out. */
export function toWebhookResponse(webhook: Webhook): Webhook {
  const { id, url, events, description, isActive, disabledReason, createdAt, updatedAt } = webhook;
  return { id, url, events, description, isActive, disabledReason, createdAt, updatedAt };
}

function failUnknownWebhook(): never {
  return fail('NOT_FOUND', { message: 'There is no webhook endpoint with this id in this mode.' });
}
