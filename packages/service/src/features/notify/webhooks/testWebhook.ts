import type { z } from 'zod';
import { envelopeEntry } from '../../../domain/envelopes/catalogue.js';
import { type Answer, ok } from '../../../kit/http/answer.js';
import type { Owner } from '../../../kit/http/route.js';
import { envelopeBody } from '../../../outbox/envelopes.js';
import type { TestBody } from './deliverySchemas.js';
import { insertDeliveries } from './deliveryStore.js';
import type { WebhookDeps } from './deps.js';
import { webhookOf } from './lockWebhook.js';
import { loggedAttempt, toAttemptResponse } from './loggedAttempt.js';
import { insertTestEnvelope } from './sentByHandStore.js';

/**
 * POST /webhooks/{id}/test: an example, sent at once. What comes of it is logged and answered, and changes nothing else: an
 * endpoint neither falls nor recovers by a test.
 */
export async function testWebhook(
  { db, clock, ids, sendByHand }: WebhookDeps,
  owner: Owner,
  webhookId: string,
  { type = 'score.updated' }: z.output<typeof TestBody>,
): Promise<Answer> {
  const webhook = await webhookOf(db, owner, webhookId);
  const createdAt = clock.now();
  const id = ids.at(createdAt);
  const data = { ...envelopeEntry(type).example, test: true };
  const body = envelopeBody({ id, type, livemode: owner.livemode, createdAt, data });
  await db.transaction((tx) =>
    insertTestEnvelope(tx, owner, { id, type, body, webhookId: webhook.id, createdAt }),
  );
  const outcome = await sendByHand(owner.platformId, webhook, { envelopeId: id, body });
  const row = loggedAttempt(ids, outcome, {
    platformId: owner.platformId,
    webhookId: webhook.id,
    envelopeId: id,
    type,
    attempt: 1,
  });
  await db.transaction((tx) => insertDeliveries(tx, [row]));
  return ok(toAttemptResponse(row));
}
