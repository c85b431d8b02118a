import type { Answer } from '../../../kit/http/answer.js';
import type { Owner } from '../../../kit/http/route.js';
import { recordActivity } from '../../../ledger/activity.js';
import type { WebhookDeps } from './deps.js';
import { lockWebhookOrFail } from './lockWebhook.js';
import { originOf } from './targetUrl.js';
import { deleteWebhook } from './webhookStore.js';

/** DELETE /webhooks/{id}: nothing is sent to it any more, what was in line for it included. */
export async function removeWebhook(
  { db, clock, ids }: Pick<WebhookDeps, 'db' | 'clock' | 'ids'>,
  owner: Owner,
  webhookId: string,
): Promise<Answer> {
  await db.transaction(async (tx) => {
    const webhook = await lockWebhookOrFail(tx, owner, webhookId);
    const now = clock.now();
    await deleteWebhook(tx, webhook.id);
    await recordActivity(tx, {
      id: ids.at(now),
      platformId: owner.platformId,
      livemode: owner.livemode,
      action: 'WEBHOOK_DELETED',
      actor: owner.actor,
      target: webhook.id,
      details: { url: originOf(webhook.url) },
      at: now,
    });
  });
  return { status: 204, body: null };
}
