import type { z } from 'zod';
import { fail, failValidation } from '../../../domain/errors.js';
import { DAY_MS } from '../../../domain/timestamp.js';
import type { Answer } from '../../../kit/http/answer.js';
import type { IdempotencyClaim, Owner } from '../../../kit/http/route.js';
import type { RecoverBody } from './deliverySchemas.js';
import type { WebhookDeps } from './deps.js';
import { webhookOf } from './lockWebhook.js';
import { lockRecovery, queueMissed } from './recoveryStore.js';
import { KEPT_DAYS } from './removeOldDeliveries.js';

/** One call's share: enough for most outages, and done within seconds. */
const MAX_QUEUED = 50_000;
const MAX_LOOKED_AT = 100_000;

/**
 * POST /webhooks/{id}/recover: sends again what never arrived, be it that every attempt failed or that the endpoint was switched
 * off at the time. Under the same envelope ids, so what did arrive after all is recognised.
 */
export async function recoverDeliveries(
  { clock, withIdempotency, outbox }: WebhookDeps,
  owner: Owner,
  webhookId: string,
  { body, claim }: { body: z.output<typeof RecoverBody>; claim: IdempotencyClaim | null },
): Promise<Answer> {
  const now = clock.now();
  if (body.since > now) {
    failValidation([{ path: 'since', code: 'invalid_value', message: 'must not lie in the future' }]);
  }
  const answer = await withIdempotency(claim, { now }, async (tx) => {
    const webhook = await webhookOf(tx, owner, webhookId);
    await lockRecovery(tx, webhook.id);
    if (!webhook.isActive) fail('CONFLICT', { message: SWITCHED_OFF });
    const { queued, stoppedAt, hasMore } = await queueMissed(tx, owner, {
      webhookId: webhook.id,
      types: webhook.events,
      since: latest(body.since, webhook.createdAt, new Date(now.getTime() - KEPT_DAYS * DAY_MS)),
      now,
      maxLookedAt: MAX_LOOKED_AT,
      maxQueued: MAX_QUEUED,
    });
    return { status: 202, body: { recovered: queued, hasMore, nextSince: hasMore ? stoppedAt : null } };
  });
  outbox.written();
  return answer;
}

const SWITCHED_OFF =
  'This endpoint is switched off. Set `isActive` to true first, and call this again once it answers.';

function latest(...dates: readonly Date[]): Date {
  return new Date(Math.max(...dates.map((date) => date.getTime())));
}
