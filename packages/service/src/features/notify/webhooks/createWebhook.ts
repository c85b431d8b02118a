import { planOf } from '../../../domain/catalogues/plans.js';
import { fail } from '../../../domain/errors.js';
import type { Tx } from '../../../kit/db/database.js';
import { type Answer, created } from '../../../kit/http/answer.js';
import type { IdempotencyClaim, Owner } from '../../../kit/http/route.js';
import { recordActivity } from '../../../ledger/activity.js';
import { failUnknownPlatform } from '../../../ledger/requests/knownPlatform.js';
import type { WebhookDeps } from './deps.js';
import { newWebhookSecret } from './newSecret.js';
import { assertTargetUrl, originOf } from './targetUrl.js';
import type { WebhookBody } from './webhookSchemas.js';
import { WEBHOOK_SECRET } from './webhookSecrets.js';
import { countForNewWebhook, insertWebhook, type Webhook } from './webhookStore.js';

/** POST /webhooks: one more endpoint. Its secret is in this answer and, but sealed, nowhere else. */
export function createWebhook(
  { clock, ids, withIdempotency, vault, config }: WebhookDeps,
  owner: Owner,
  { body, claim }: { body: WebhookBody; claim: IdempotencyClaim | null },
): Promise<Answer> {
  assertTargetUrl(body.url, config.webhookAllowedNetworks);
  const now = clock.now();
  return withIdempotency(claim, { now, isSecret: true }, async (tx) => {
    await assertLimitForOneMore(tx, owner);
    const secret = newWebhookSecret();
    const webhook: Webhook = {
      id: ids.at(now),
      url: body.url,
      events: [...new Set(body.events)],
      description: body.description ?? null,
      isActive: body.isActive ?? true,
      disabledReason: null,
      createdAt: now,
      updatedAt: now,
    };
    await insertWebhook(tx, owner, webhook, vault.seal(secret, WEBHOOK_SECRET));
    await recordActivity(tx, {
      id: ids.at(now),
      platformId: owner.platformId,
      livemode: owner.livemode,
      action: 'WEBHOOK_CREATED',
      actor: owner.actor,
      target: webhook.id,
      details: { url: originOf(webhook.url), events: webhook.events },
      at: now,
    });
    return created({ ...webhook, secret });
  });
}

/** So many endpoints a platform may have in each mode, switched off ones included. */
async function assertLimitForOneMore(tx: Tx, owner: Owner): Promise<void> {
  const { plan, count } = (await countForNewWebhook(tx, owner)) ?? failUnknownPlatform();
  const limit = planOf(plan).limits.webhookEndpoints;
  if (count < limit) return;
  fail('CONFLICT', {
    message: `This platform has its ${limit} endpoints of this mode already. Delete one that is no longer used first.`,
    details: { limit },
  });
}
