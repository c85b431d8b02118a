import { type Answer, ok } from '../../../kit/http/answer.js';
import { shownWebhook, webhookOf } from './heldWebhook.js';
import type { Owner } from './owner.js';
import type { WebhookParts } from './parts.js';

/** GET /webhooks/{id}. */
export async function readWebhook(
  { db }: Pick<WebhookParts, 'db'>,
  owner: Owner,
  webhookId: string,
): Promise<Answer> {
  return ok(shownWebhook(await webhookOf(db, owner, webhookId)));
}
