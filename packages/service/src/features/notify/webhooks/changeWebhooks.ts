import { planOf } from '#domain/catalogues/plans.js';
import { fail, failValidation } from '#domain/errors.js';
import { DAY_MS } from '#domain/timestamp.js';
import { isPrivateTarget, refusalOf } from '#kit/addressGuard.js';
import type { Tx } from '#kit/db/database.js';
import { created, ok, type TypedAnswer } from '#kit/http/answer.js';
import type { IdempotencyClaim, Owner } from '#kit/http/route.js';
import { differences, recordOwnerActivity } from '#ledger/activity.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { lockCount } from '../store.js';
import { newWebhookSecret, WEBHOOK_SECRET } from './webhookSecrets.js';
import {
  insertWebhook,
  type SecretRotated,
  type StoredWebhook,
  saveWebhook,
  storedWebhooks,
  toWebhook,
  type Webhook,
  type WebhookBody,
  type WebhookChanges,
  type WebhookCreated,
} from './webhookStore.js';

export type WebhookDeps = Pick<ServiceDeps, 'db' | 'clock' | 'ids' | 'vault' | 'config' | 'withIdempotency'>;

/** How long the previous secret also signs after a rotation. */
const PREVIOUS_SECRET_MS = DAY_MS;

/** POST /webhooks. The secret is only in this answer; the database has it sealed. */
export function createWebhook(
  deps: WebhookDeps,
  owner: Owner,
  body: WebhookBody,
  claim: IdempotencyClaim | null,
): Promise<TypedAnswer<201, WebhookCreated>> {
  assertTargetUrl(deps, body.url);
  const now = deps.clock.now();
  return deps.withIdempotency(claim, { now, isSecret: true }, async (tx) => {
    await assertWebhookLimit(tx, owner);
    const secret = newWebhookSecret();
    const webhook: Webhook = {
      id: deps.ids.at(now),
      url: body.url,
      events: [...new Set(body.events)],
      description: body.description ?? null,
      isActive: body.isActive ?? true,
      disabledReason: null,
      failingSince: null,
      createdAt: now,
      updatedAt: now,
    };
    await insertWebhook(tx, owner, webhook, deps.vault.seal(secret, WEBHOOK_SECRET));
    await recordOwnerActivity(tx, deps.ids, owner, {
      action: 'WEBHOOK_CREATED',
      target: webhook.id,
      details: { url: originOf(webhook.url), events: webhook.events },
      at: now,
    });
    return created({ ...webhook, secret });
  });
}

/** The cap counts the endpoints of one mode, including inactive ones. */
async function assertWebhookLimit(tx: Tx, owner: Owner): Promise<void> {
  const limit = planOf(owner.plan).limits.webhookEndpoints;
  if ((await lockCount(tx, 'webhookEndpoints', owner)) < limit) return;
  fail('CONFLICT', {
    message: `The plan allows ${limit} endpoints in each mode, and all are in use. Delete one first.`,
    details: { limit },
  });
}

/** PATCH /webhooks/{id}. Without a visible change nothing is recorded in the activity log. */
export async function updateWebhook(
  deps: WebhookDeps,
  owner: Owner,
  id: string,
  body: WebhookChanges,
): Promise<Webhook> {
  if (body.url !== undefined) assertTargetUrl(deps, body.url);
  const webhook = await deps.db.transaction(async (tx) => {
    const before = await storedWebhooks.lock(tx, owner, id);
    const after = changed(before, body);
    const details = differences(before, after, VISIBLE);
    if (details.url) details.url = { from: originOf(before.url), to: originOf(after.url) };
    const isVisible = Object.keys(details).length > 0;
    if (!isVisible && after.failingSince === before.failingSince) return before;
    const now = deps.clock.now();
    const saved = isVisible ? { ...after, updatedAt: now } : after;
    await saveWebhook(tx, saved);
    if (isVisible) {
      await recordOwnerActivity(tx, deps.ids, owner, {
        action: 'WEBHOOK_UPDATED',
        target: id,
        details,
        at: now,
      });
    }
    return saved;
  });
  return toWebhook(webhook);
}

/** Activating an endpoint or changing its URL restarts the count of days without a success. */
function changed(before: StoredWebhook, body: WebhookChanges): StoredWebhook {
  const { url = before.url, description = before.description, isActive = before.isActive } = body;
  const restartsCount = body.isActive === true || url !== before.url;
  return {
    ...before,
    url,
    events: body.events === undefined ? before.events : [...new Set(body.events)],
    description,
    isActive,
    disabledReason: isActive ? null : before.disabledReason,
    failingSince: restartsCount ? null : before.failingSince,
  };
}

const VISIBLE = ['url', 'events', 'description', 'isActive', 'disabledReason'] as const;

/**
 * DELETE /webhooks/{id}. Also empties its queue. Its delivery log is unreachable from now on and is
 * deleted with age.
 */
export function deleteWebhook(deps: WebhookDeps, owner: Owner, id: string): Promise<void> {
  return deps.db.transaction(async (tx) => {
    const webhook = await storedWebhooks.remove(tx, owner, id);
    await tx.execute('delete from outbox_queue where target_id = $1', [webhook.id]);
    await recordOwnerActivity(tx, deps.ids, owner, {
      action: 'WEBHOOK_DELETED',
      target: webhook.id,
      details: { url: originOf(webhook.url) },
      at: deps.clock.now(),
    });
  });
}

/** POST /webhooks/{id}/rotate-secret. For a day, deliveries carry signatures of both secrets. */
export function rotateSecret(
  deps: WebhookDeps,
  owner: Owner,
  id: string,
  claim: IdempotencyClaim | null,
): Promise<TypedAnswer<200, SecretRotated>> {
  const now = deps.clock.now();
  return deps.withIdempotency(claim, { now, isSecret: true }, async (tx) => {
    const before = await storedWebhooks.lock(tx, owner, id);
    const secret = newWebhookSecret();
    const previousSecretExpiresAt = new Date(now.getTime() + PREVIOUS_SECRET_MS);
    const after: StoredWebhook = {
      ...before,
      sealedSecret: deps.vault.seal(secret, WEBHOOK_SECRET),
      sealedPreviousSecret: before.sealedSecret,
      previousEndsAt: previousSecretExpiresAt,
      updatedAt: now,
    };
    await saveWebhook(tx, after);
    await recordOwnerActivity(tx, deps.ids, owner, {
      action: 'WEBHOOK_UPDATED',
      target: after.id,
      details: { secret: 'rotated', previousSecretExpiresAt },
      at: now,
    });
    return ok({ ...toWebhook(after), secret, previousSecretExpiresAt });
  });
}

/**
 * Throws VALIDATION_ERROR for a URL that is refused whatever its host resolves to (RULES H8). The
 * addresses are checked at each delivery, when it connects.
 */
function assertTargetUrl({ config }: WebhookDeps, url: string): void {
  const refusal = refusalOf(url, config.webhookAllowedPrivateCidrs);
  if (refusal === null) return;
  const message = isPrivateTarget(url, config.webhookAllowedPrivateCidrs)
    ? `${IS_PRIVATE} ${refusal}`
    : refusal;
  failValidation([{ path: 'url', code: 'custom', message }]);
}

const IS_PRIVATE =
  'Webhooks do not reach this machine or private networks. To receive events on your own machine, run ' +
  '`npx @reliability/cli listen --forward-to URL`. The operator can open a network with WEBHOOK_ALLOWED_PRIVATE_CIDRS.';

/** The activity log gets no path and query, since they can contain a secret of the receiver. */
function originOf(url: string): string {
  return new URL(url).origin;
}
