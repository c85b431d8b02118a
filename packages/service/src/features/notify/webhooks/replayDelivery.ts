import { fail } from '../../../domain/errors.js';
import { type Answer, ok } from '../../../kit/http/answer.js';
import type { Owner } from '../../../kit/http/route.js';
import { clearFailing, insertDeliveries } from './deliveryStore.js';
import type { WebhookDeps } from './deps.js';
import { webhookOf } from './lockWebhook.js';
import { loggedAttempt, toAttemptResponse } from './loggedAttempt.js';
import { deliveryOf } from './readDelivery.js';
import { findEnvelope, lastAttempt, removeFromLine } from './sentByHandStore.js';
import { lockWebhook } from './webhookStore.js';

/**
 * POST /webhooks/{id}/deliveries/{deliveryId}/replay: the same text under the same envelope id, sent at once. An endpoint that
 * takes it has recovered, and nothing of this envelope is left to send; one that does not is no worse off than before.
 */
export async function replayDelivery(
  { db, ids, sendByHand }: WebhookDeps,
  owner: Owner,
  path: { webhookId: string; deliveryId: string },
): Promise<Answer> {
  const webhook = await webhookOf(db, owner, path.webhookId);
  const earlier = await deliveryOf(db, owner, webhook.id, path.deliveryId);
  const { platformId } = owner;
  const { webhookId, envelopeId, type } = earlier;
  const { body, createdAt } = (await findEnvelope(db, owner, envelopeId)) ?? fail('PAYLOAD_NOT_RETAINED');
  const outcome = await sendByHand(platformId, webhook, { envelopeId, body });
  return db.transaction(async (tx) => {
    // The endpoint is held, so that two replays at once do not take the same number.
    await lockWebhook(tx, owner, webhookId);
    const attempt = 1 + (await lastAttempt(tx, owner, { webhookId, envelopeId, since: createdAt }));
    const row = loggedAttempt(ids, outcome, { platformId, webhookId, envelopeId, type, attempt });
    await insertDeliveries(tx, [row]);
    if (row.status === 'succeeded') {
      await clearFailing(tx, [webhookId]);
      await removeFromLine(tx, webhookId, envelopeId);
    }
    return ok(toAttemptResponse(row));
  });
}
