import type { z } from 'zod';
import { fail, failValidation } from '../../../domain/errors.js';
import { DAY_MS } from '../../../domain/timestamp.js';
import type { TypedAnswer } from '../../../kit/http/answer.js';
import type { IdempotencyClaim, Owner } from '../../../kit/http/route.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import type { RecoverBody, Recovered } from './deliverySchemas.js';
import { lockRecovery, queueMissed } from './recoveryStore.js';
import { PAYLOAD_DAYS } from './removeOldDeliveries.js';
import { readWebhook } from './webhookStore.js';

/** Limits of one call: enough for most outages, and done within seconds. */
const MAX_QUEUED = 50_000;
const MAX_SCANNED = 100_000;

/**
 * POST /webhooks/{id}/recover: re-queues what the endpoint never accepted, because every attempt
 * failed or the endpoint was inactive. Envelope ids stay the same, so a receiver recognises what it
 * has.
 */
export async function recoverDeliveries(
  { clock, withIdempotency, wakes }: Pick<ServiceDeps, 'clock' | 'withIdempotency' | 'wakes'>,
  owner: Owner,
  webhookId: string,
  { since }: z.output<typeof RecoverBody>,
  claim: IdempotencyClaim | null,
): Promise<TypedAnswer<202, z.output<typeof Recovered>>> {
  const now = clock.now();
  if (since > now) {
    failValidation([{ path: 'since', code: 'invalid_value', message: 'must not be in the future' }]);
  }
  const answer = await withIdempotency(claim, { now }, async (tx) => {
    const webhook = await readWebhook(tx, owner, webhookId);
    await lockRecovery(tx, webhook.id);
    if (!webhook.isActive) fail('CONFLICT', { message: INACTIVE });
    const { queued, stoppedAt, hasMore } = await queueMissed(tx, owner, {
      webhookId: webhook.id,
      types: webhook.events,
      since: latest(since, webhook.createdAt, new Date(now.getTime() - PAYLOAD_DAYS * DAY_MS)),
      now,
      maxScanned: MAX_SCANNED,
      maxQueued: MAX_QUEUED,
    });
    const body = { recovered: queued, hasMore, nextSince: hasMore ? stoppedAt : null };
    return { status: 202 as const, body };
  });
  wakes.raise('deliveries');
  return answer;
}

const INACTIVE = 'This endpoint is inactive. Set `isActive` to true, then call this again.';

function latest(...dates: readonly Date[]): Date {
  return new Date(Math.max(...dates.map((date) => date.getTime())));
}
