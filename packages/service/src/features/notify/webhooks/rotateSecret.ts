import { type Answer, ok } from '../../../kit/http/answer.js';
import type { IdempotencyClaim, Owner } from '../../../kit/http/route.js';
import { recordActivity } from '../../../ledger/activity.js';
import type { WebhookDeps } from './deps.js';
import { lockWebhookOrFail, toWebhookResponse } from './lockWebhook.js';
import { newWebhookSecret, PREVIOUS_SECRET_MS } from './newSecret.js';
import { WEBHOOK_SECRET } from './webhookSecrets.js';
import { type StoredWebhook, saveWebhook } from './webhookStore.js';

/** POST /webhooks/{id}/rotate-secret: a new secret, beside which the one before signs along for a day. */
export function rotateSecret(
  { clock, ids, withIdempotency, vault }: WebhookDeps,
  owner: Owner,
  webhookId: string,
  claim: IdempotencyClaim | null,
): Promise<Answer> {
  const now = clock.now();
  return withIdempotency(claim, { now, isSecret: true }, async (tx) => {
    const before = await lockWebhookOrFail(tx, owner, webhookId);
    const secret = newWebhookSecret();
    const previousEndsAt = new Date(now.getTime() + PREVIOUS_SECRET_MS);
    const after: StoredWebhook = {
      ...before,
      sealedSecret: vault.seal(secret, WEBHOOK_SECRET),
      sealedPreviousSecret: before.sealedSecret,
      previousEndsAt,
      updatedAt: now,
    };
    await saveWebhook(tx, after);
    await recordActivity(tx, {
      id: ids.at(now),
      platformId: owner.platformId,
      livemode: owner.livemode,
      action: 'WEBHOOK_UPDATED',
      actor: owner.actor,
      target: after.id,
      details: { secret: 'rotated', previousSecretExpiresAt: previousEndsAt },
      at: now,
    });
    return ok({ ...toWebhookResponse(after), secret, previousSecretExpiresAt: previousEndsAt });
  });
}
