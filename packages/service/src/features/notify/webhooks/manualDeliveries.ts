import type { z } from 'zod';
import { type EnvelopeType, envelopeTexts } from '#domain/envelopes/catalogue.js';
import { fail } from '#domain/errors.js';
import type { Queryable, Tx } from '#kit/db/database.js';
import { insertRow } from '#kit/db/rows.js';
import type { Owner } from '#kit/http/route.js';
import { type IdSource, lowestIdAt } from '#kit/ids.js';
import { envelopeBody } from '#outbox/envelopes.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { type AttemptDeps, type AttemptOutcome, attemptDelivery } from './attemptDelivery.js';
import { type Delivery, deliveryOf, type TestBody } from './deliveryLog.js';
import { insertDeliveries } from './deliveryStore.js';
import { createSecretOpener, type SealedSecrets } from './webhookSecrets.js';
import { storedWebhooks } from './webhookStore.js';

interface TestEnvelope {
  readonly id: string;
  readonly type: EnvelopeType;
  readonly body: string;
  readonly webhookId: string;
  readonly createdAt: Date;
}

/**
 * Stored like any other, so that its delivery can be replayed. `only_target` keeps it out of queues
 * and streams.
 */
async function insertTestEnvelope(
  tx: Tx,
  { platformId, livemode }: Owner,
  { id, type, body, webhookId, createdAt }: TestEnvelope,
): Promise<void> {
  const envelope = { platformId, envelopeId: id, livemode, type, body, onlyTarget: webhookId, createdAt };
  await insertRow(tx, 'envelope', envelope);
}

interface SentEnvelope {
  readonly body: string;
  readonly createdAt: Date;
}

/** Null: the payload was deleted with age, or erased with its subject. */
async function findEnvelope(
  db: Queryable,
  { platformId }: Owner,
  envelopeId: string,
): Promise<SentEnvelope | null> {
  const [row] = await db.query<SentEnvelope>(
    'select body, created_at from envelope where platform_id = $1 and envelope_id = $2 and body <> $3',
    [platformId, envelopeId, ''],
  );
  return row ?? null;
}

/**
 * The number of the next attempt to send the envelope to the endpoint. Locks the endpoint until the
 * transaction ends, so that two simultaneous replays get different numbers.
 * @param since no attempt is older.
 */
async function lockNextAttempt(
  tx: Tx,
  { platformId }: Owner,
  { webhookId, envelopeId, since }: { webhookId: string; envelopeId: string; since: Date },
): Promise<number> {
  await tx.execute('select 1 from webhook where webhook_id = $1 for update', [webhookId]);
  const [row] = await tx.query<{ attempt: number | null }>(
    `select max(attempt) as attempt from delivery
     where platform_id = $1 and webhook_id = $2 and envelope_id = $3 and delivery_id >= $4`,
    [platformId, webhookId, envelopeId, lowestIdAt(since)],
  );
  return 1 + (row?.attempt ?? 0);
}

async function removeFromQueue(tx: Tx, webhookId: string, envelopeId: string): Promise<void> {
  await tx.execute('delete from outbox_queue where target_id = $1 and envelope_id = $2', [
    webhookId,
    envelopeId,
  ]);
}

interface Target extends SealedSecrets {
  readonly url: string;
}

/**
 * Sends one envelope past the queue while the caller waits (tests and replays). A receiver that
 * hangs keeps each of these requests for ten seconds, so few run at once: one too many for a
 * platform is refused with RATE_LIMIT_EXCEEDED, one too many for the process with OVERLOADED.
 */
type SendNow = (
  platformId: string,
  target: Target,
  envelope: { readonly envelopeId: string; readonly body: string },
) => Promise<AttemptOutcome>;

const MAX_OF_PLATFORM = 8;
const MAX_OF_PROCESS = 128;

export function createSendNow(deps: AttemptDeps & Pick<ServiceDeps, 'vault'>): SendNow {
  const openSecrets = createSecretOpener(deps.vault);
  const running = new Map<string, number>();
  let total = 0;

  return async (platformId, target, envelope) => {
    acquire(platformId);
    try {
      const secrets = openSecrets(target, deps.clock.now());
      return await attemptDelivery(deps, { url: target.url, secrets }, envelope);
    } finally {
      release(platformId);
    }
  };

  function acquire(platformId: string): void {
    const ofPlatform = running.get(platformId) ?? 0;
    if (ofPlatform >= MAX_OF_PLATFORM) fail('RATE_LIMIT_EXCEEDED', { message: TOO_MANY });
    if (total >= MAX_OF_PROCESS) fail('OVERLOADED');
    running.set(platformId, ofPlatform + 1);
    total += 1;
  }

  function release(platformId: string): void {
    const left = (running.get(platformId) ?? 1) - 1;
    if (left === 0) running.delete(platformId);
    else running.set(platformId, left);
    total -= 1;
  }
}

const TOO_MANY = `${MAX_OF_PLATFORM} test deliveries and replays of this platform are running. Wait until one ends.`;

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
  const webhook = await storedWebhooks.read(db, owner, webhookId);
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
  return { ...delivery, userId: null };
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
  const webhook = await storedWebhooks.read(db, owner, path.id);
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
    return deliveryOf(tx, owner, webhookId, delivery.id);
  });
}

/** The log entry of a manual attempt, which is never retried. */
function deliveryFrom(
  ids: IdSource,
  { status, responseStatus, latencyMs, responseBody, error, at }: AttemptOutcome,
  what: Pick<Delivery, 'webhookId' | 'envelopeId' | 'type' | 'attempt'>,
): Omit<Delivery, 'userId'> {
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
