import type { z } from 'zod';
import { envelopeTexts } from '../../../domain/envelopes/catalogue.js';
import { fail } from '../../../domain/errors.js';
import type { Owner } from '../../../kit/http/route.js';
import type { IdSource } from '../../../kit/ids.js';
import { envelopeBody } from '../../../outbox/envelopes.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import type { AttemptOutcome } from './attemptDelivery.js';
import { deliveryOf } from './deliveryLog.js';
import type { Delivery, TestBody } from './deliverySchemas.js';
import { insertDeliveries } from './deliveryStore.js';
import { findEnvelope, insertTestEnvelope, lockNextAttempt, removeFromQueue } from './manualDeliveryStore.js';
import type { SendNow } from './sendNow.js';
import { readStoredWebhook } from './webhookStore.js';

type ManualDeps = Pick<ServiceDeps, 'db' | 'clock' | 'ids'> & { sendNow: SendNow };

/**
 * POST /webhooks/{id}/test. The result is logged and neither counts as a failure nor ends a series
 * of them.
 */
export async function testWebhook(
  { db, clock, ids, sendNow }: ManualDeps,
  owner: Owner,
  webhookId: string,
  { type = 'score.updated' }: z.output<typeof TestBody>,
): Promise<Delivery> {
  const { platformId, livemode } = owner;
  const webhook = await readStoredWebhook(db, owner, webhookId);
  const createdAt = clock.now();
  const envelopeId = ids.at(createdAt);
  const data = { ...envelopeTexts[type].example, test: true };
  const body = envelopeBody({ id: envelopeId, type, livemode, createdAt, data });
  await db.transaction((tx) =>
    insertTestEnvelope(tx, owner, { id: envelopeId, type, body, webhookId: webhook.id, createdAt }),
  );
  const outcome = await sendNow(platformId, webhook, { envelopeId, body });
  const delivery = deliveryFrom(ids, outcome, { webhookId: webhook.id, envelopeId, type, attempt: 1 });
  await db.transaction((tx) => insertDeliveries(tx, [{ ...delivery, platformId, sent: outcome.sent }]));
  return delivery;
}

/**
 * POST /webhooks/{id}/deliveries/{deliveryId}/replay: sends the same body under the same envelope
 * id. A success ends a series of failures and removes the envelope from the queue; a failure
 * changes nothing but the log.
 */
export async function replayDelivery(
  { db, ids, sendNow }: ManualDeps,
  owner: Owner,
  path: { id: string; deliveryId: string },
): Promise<Delivery> {
  const { platformId } = owner;
  const webhook = await readStoredWebhook(db, owner, path.id);
  const { webhookId, envelopeId, type } = await deliveryOf(db, owner, webhook.id, path.deliveryId);
  const { body, createdAt } = (await findEnvelope(db, owner, envelopeId)) ?? fail('PAYLOAD_NOT_RETAINED');
  const outcome = await sendNow(platformId, webhook, { envelopeId, body });
  return db.transaction(async (tx) => {
    const attempt = await lockNextAttempt(tx, owner, { webhookId, envelopeId, since: createdAt });
    const delivery = deliveryFrom(ids, outcome, { webhookId, envelopeId, type, attempt });
    const isSuccess = delivery.status === 'succeeded';
    const row = { ...delivery, platformId, sent: outcome.sent };
    await insertDeliveries(tx, [row], isSuccess ? [webhookId] : []);
    if (isSuccess) await removeFromQueue(tx, webhookId, envelopeId);
    return delivery;
  });
}

/** The log entry of a manual attempt, which is never retried. */
function deliveryFrom(
  ids: IdSource,
  { status, responseStatus, latencyMs, responseBody, error, at }: AttemptOutcome,
  what: Pick<Delivery, 'webhookId' | 'envelopeId' | 'type' | 'attempt'>,
): Delivery {
  return {
    id: ids.at(at),
    ...what,
    status,
    responseStatus,
    latencyMs,
    responseBody,
    error,
    createdAt: at,
    nextAttemptAt: null,
  };
}
