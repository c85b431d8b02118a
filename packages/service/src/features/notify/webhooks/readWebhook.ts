import { type Answer, ok } from '../../../kit/http/answer.js';
import type { Owner } from '../../../kit/http/route.js';
import type { WebhookDeps } from './deps.js';
import { toWebhookResponse, webhookOf } from './lockWebhook.js';

/** GET /webhooks/{id}. */
export async function readWebhook(
  { db }: Pick<WebhookDeps, 'db'>,
  owner: Owner,
  webhookId: string,
): Promise<Answer> {
  return ok(toWebhookResponse(await webhookOf(db, owner, webhookId)));
}
