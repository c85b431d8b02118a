import { fail } from '../../../domain/errors.js';
import type { Queryable } from '../../../kit/db/database.js';
import { type Answer, ok } from '../../../kit/http/answer.js';
import type { Owner } from '../../../kit/http/route.js';
import { isUuid } from '../../../kit/ids.js';
import { type DeliveryResponse, findDelivery } from './deliveryLog.js';
import type { WebhookDeps } from './deps.js';
import { webhookOf } from './lockWebhook.js';

/** GET /webhooks/{id}/deliveries/{deliveryId}. */
export async function readDelivery(
  { db }: Pick<WebhookDeps, 'db'>,
  owner: Owner,
  path: { webhookId: string; deliveryId: string },
): Promise<Answer> {
  const webhook = await webhookOf(db, owner, path.webhookId);
  return ok(await deliveryOf(db, owner, webhook.id, path.deliveryId));
}

/** A delivery of an endpoint that was found to be the owner's. Throws NOT_FOUND. */
export async function deliveryOf(
  db: Queryable,
  owner: Owner,
  webhookId: string,
  deliveryId: string,
): Promise<DeliveryResponse> {
  const found = isUuid(deliveryId) ? await findDelivery(db, owner, webhookId, deliveryId) : null;
  return found ?? fail('NOT_FOUND', { message: 'This endpoint has no delivery with this id.' });
}
