import { DAY_MS, HOUR_MS } from '../../../domain/timestamp.js';
import type { Tx } from '../../../kit/db/database.js';
import type { IdSource } from '../../../kit/ids.js';
import type { Vault } from '../../../kit/vault.js';
import { recordActivity } from '../../../ledger/activity.js';
import type { ChannelAdapter, ClaimedItem, EndedSend } from '../../../outbox/channelAdapter.js';
import {
  type AttemptDeps,
  type AttemptOutcome,
  type AttemptTarget,
  attemptDelivery,
} from './attemptDelivery.js';
import {
  clearFailing,
  type DeliveryRow,
  type DisabledEndpoint,
  type Failing,
  findActiveEndpoints,
  insertDeliveries,
  noteFailing,
} from './deliveryStore.js';
import { createRetryPlan, longestWaitMs } from './retryPlan.js';
import { createSecretOpener } from './webhookSecrets.js';

interface WebhookAdapterDeps extends AttemptDeps {
  ids: IdSource;
  vault: Vault;
  config: AttemptDeps['config'] & { readonly webhookRetrySchedule: readonly number[] };
  /** From 0 up to, not including, 1. */
  random?(): number;
}

const MAX_SENDS_PER_ENDPOINT = 32;
/** Nothing but failures for so long, and so many of them, switch an endpoint off. */
const DISABLED_AFTER_MS = 5 * DAY_MS;
const DISABLED_AFTER_ATTEMPTS = 10;

type Send = EndedSend<AttemptTarget, AttemptOutcome>;

/** Delivers envelopes to webhook endpoints (RULES H1). */
export function createWebhookAdapter(
  deps: WebhookAdapterDeps,
): ChannelAdapter<AttemptTarget, AttemptOutcome> {
  const { clock, ids, random = Math.random } = deps;
  const retryAtOf = createRetryPlan(deps.config.webhookRetrySchedule, random);
  const openSecrets = createSecretOpener(deps.vault);
  const limit = {
    failingForMs: DISABLED_AFTER_MS,
    attempts: DISABLED_AFTER_ATTEMPTS,
    longestGapMs: Math.max(DAY_MS, longestWaitMs(deps.config.webhookRetrySchedule)) + HOUR_MS,
  };

  return {
    kind: 'webhook',
    itemsPerSend: 1,
    maxSendsPerTarget: MAX_SENDS_PER_ENDPOINT,
    minIntervalMs: 0,
    async load(db, targetIds) {
      // Without a key to sign with nothing is attempted, and none of it counts as an attempt.
      const [endpoints] = await Promise.all([findActiveEndpoints(db, targetIds), deps.messageKeys.current()]);
      const now = clock.now();
      return new Map(
        endpoints.map((row) => [row.webhookId, { url: row.url, secrets: openSecrets(row, now) }]),
      );
    },
    send: (target, items, signal) => attemptDelivery(deps, target, onlyOf(items), signal),
    isSuccess: ({ status }) => status === 'succeeded',
    async settle(tx, sends) {
      const now = clock.now();
      const { recovered, failing } = turnsOf(sends);
      const clearing = () => clearFailing(tx, recovered);
      // Cleared first: an endpoint may have failed again after it took something. With no failure nothing has to wait for it.
      if (failing.length > 0) await clearing();
      const { disabled, inactive } = await noteFailing(tx, failing, limit, now);
      const rows = sends.map((send) => toRow(send, inactive));
      await Promise.all([
        failing.length > 0 ? undefined : clearing(),
        insertDeliveries(tx, rows),
        ...disabled.map((row) => tellOwner(tx, row, now)),
      ]);
      return rows.map(({ webhookId, envelopeId, nextAttemptAt }) => ({
        targetId: webhookId,
        envelopeId,
        retryAt: nextAttemptAt,
      }));
    },
  };

  function toRow({ items, outcome }: Send, inactive: ReadonlySet<string>): DeliveryRow {
    const { targetId, platformId, envelopeId, type, attempt } = onlyOf(items);
    const { status, responseStatus, responseBody, error, latencyMs, at } = outcome;
    const isOver = status === 'succeeded' || inactive.has(targetId);
    return {
      id: ids.at(at),
      platformId,
      webhookId: targetId,
      envelopeId,
      type,
      status,
      attempt,
      responseStatus,
      latencyMs,
      responseBody,
      error,
      createdAt: at,
      nextAttemptAt: isOver ? null : retryAtOf(attempt, outcome, endOf(outcome)),
    };
  }

  function tellOwner(tx: Tx, { platformId, livemode, webhookId, reason }: DisabledEndpoint, at: Date) {
    return recordActivity(tx, {
      id: ids.at(at),
      platformId,
      livemode,
      action: 'WEBHOOK_DISABLED',
      actor: 'service',
      target: webhookId,
      details: { reason },
      at,
    });
  }
}

/** Endpoints that have taken something, and those whose last attempt failed, or said that it is gone. */
function turnsOf(sends: readonly Send[]): { recovered: string[]; failing: Failing[] } {
  const recovered = new Set<string>();
  const failing = new Map<string, Failing>();
  const inOrder = [...sends].sort((a, b) => endOf(a.outcome).getTime() - endOf(b.outcome).getTime());
  for (const { items, outcome } of inOrder) {
    const { targetId: webhookId } = onlyOf(items);
    const known = failing.get(webhookId);
    if (outcome.status === 'failed') {
      const isGone = outcome.isGone || (known?.isGone ?? false);
      const { since = outcome.at, attempts = 0 } = known ?? {};
      failing.set(webhookId, { webhookId, since, until: outcome.at, attempts: attempts + 1, isGone });
    } else {
      recovered.add(webhookId);
      if (!known?.isGone) failing.delete(webhookId);
    }
  }
  return { recovered: [...recovered].sort(), failing: [...failing.values()] };
}

function onlyOf(items: readonly ClaimedItem[]): ClaimedItem {
  const [item, ...more] = items;
  if (!item || more.length > 0) throw new Error('a webhook is sent one envelope at a time');
  return item;
}

function endOf({ at, latencyMs }: AttemptOutcome): Date {
  return new Date(at.getTime() + latencyMs);
}
