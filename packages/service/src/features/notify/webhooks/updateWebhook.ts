import { type Answer, ok } from '../../../kit/http/answer.js';
import type { Owner } from '../../../kit/http/route.js';
import { recordActivity } from '../../../ledger/activity.js';
import type { WebhookDeps } from './deps.js';
import { lockWebhookOrFail, toWebhookResponse } from './lockWebhook.js';
import { assertTargetUrl, originOf } from './targetUrl.js';
import type { WebhookChanges } from './webhookSchemas.js';
import { type StoredWebhook, saveWebhook } from './webhookStore.js';

/** PATCH /webhooks/{id}. A body that changes nothing that is shown leaves no line in the audit trail. */
export async function updateWebhook(
  { db, clock, ids, config }: WebhookDeps,
  owner: Owner,
  webhookId: string,
  body: WebhookChanges,
): Promise<Answer> {
  if (body.url !== undefined) assertTargetUrl(body.url, config.webhookAllowedNetworks);
  const webhook = await db.transaction(async (tx) => {
    const before = await lockWebhookOrFail(tx, owner, webhookId);
    const after = changed(before, body);
    const details = differences(before, after);
    const isSeen = Object.keys(details).length > 0;
    if (!isSeen && after.failingSince === before.failingSince) return before;
    const now = clock.now();
    const saved = isSeen ? { ...after, updatedAt: now } : after;
    await saveWebhook(tx, saved);
    if (!isSeen) return saved;
    await recordActivity(tx, {
      id: ids.at(now),
      platformId: owner.platformId,
      livemode: owner.livemode,
      action: 'WEBHOOK_UPDATED',
      actor: owner.actor,
      target: saved.id,
      details,
      at: now,
    });
    return saved;
  });
  return ok(toWebhookResponse(webhook));
}

/** Whoever switches an endpoint on, or leads it elsewhere, lets the count of days without a success begin anew. */
function changed(before: StoredWebhook, body: WebhookChanges): StoredWebhook {
  const { url = before.url, description = before.description, isActive = before.isActive } = body;
  const isFresh = body.isActive === true || url !== before.url;
  return {
    ...before,
    url,
    events: body.events === undefined ? before.events : [...new Set(body.events)],
    description,
    isActive,
    disabledReason: isActive ? null : before.disabledReason,
    failingSince: isFresh ? null : before.failingSince,
  };
}

/** What is different, as the audit trail tells it: from what to what. */
function differences(
  before: StoredWebhook,
  after: StoredWebhook,
): Record<string, { from: unknown; to: unknown }> {
  const fields = (['url', 'events', 'description', 'isActive', 'disabledReason'] as const).filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );
  return Object.fromEntries(
    fields.map((field) => [field, { from: emitted(before, field), to: emitted(after, field) }]),
  );
}

function emitted(webhook: StoredWebhook, field: keyof StoredWebhook): unknown {
  return field === 'url' ? originOf(webhook.url) : webhook[field];
}
