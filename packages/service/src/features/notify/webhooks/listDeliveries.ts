import { type Answer, ok } from '../../../kit/http/answer.js';
import type { Owner } from '../../../kit/http/route.js';
import { newestPositionOf } from '../../../ledger/reads/newestPage.js';
import { readLog } from './deliveryLog.js';
import type { DeliveryQuery } from './deliverySchemas.js';
import type { WebhookDeps } from './deps.js';
import { webhookOf } from './lockWebhook.js';

/** GET /webhooks/{id}/deliveries: every attempt to deliver to the endpoint, newest first. */
export async function listDeliveries(
  { db }: Pick<WebhookDeps, 'db'>,
  owner: Owner,
  webhookId: string,
  { status, type, limit, cursor }: DeliveryQuery,
): Promise<Answer> {
  const position = newestPositionOf(cursor);
  const webhook = await webhookOf(db, owner, webhookId);
  const filter = { status: status ?? null, type: type ?? null };
  return ok(await readLog(db, owner, webhook.id, filter, position, limit));
}
