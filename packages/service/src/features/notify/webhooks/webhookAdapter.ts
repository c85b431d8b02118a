import { DAY_MS, HOUR_MS } from '#domain/timestamp.js';
import type { Tx } from '#kit/db/database.js';
import { recordActivity } from '#ledger/activity.js';
import type { ChannelAdapter, ClaimedItem, EndedSend } from '#outbox/channelAdapter.js';
import type { ServiceDeps } from '../../serviceDeps.js';
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
import { createSecretOpener } from './webhookSecrets.js';

type WebhookAdapterDeps = AttemptDeps &
  Pick<ServiceDeps, 'ids' | 'vault'> & {
    config: Pick<ServiceDeps['config'], 'webhookRetrySchedule'>;
    /** From 0 to less than 1. Default: Math.random. */
    random?(): number;
  };

const MAX_SENDS_PER_ENDPOINT = 32;
/** Both limits must be reached without a success before an endpoint is disabled (RULES H5). */
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
    maxGapMs: Math.max(DAY_MS, maxWaitMs(deps.config.webhookRetrySchedule)) + HOUR_MS,
  };

  return {
    kind: 'webhook',
    itemsPerSend: 1,
    maxSendsPerTarget: MAX_SENDS_PER_ENDPOINT,
    minIntervalMs: 0,
    async load(db, targetIds) {
      // Fails if no signing key can be read, so that nothing is attempted and nothing counts as an
      // attempt.
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
      const { recovered, failing } = summaryOf(sends);
      // If there are failures, clear first: an endpoint may have failed again after a success.
      if (failing.length > 0) await clearFailing(tx, recovered);
      const { disabled, inactive } = await noteFailing(tx, failing, limit, now);
      const rows = sends.map((send) => toRow(send, inactive));
      await Promise.all([
        insertDeliveries(tx, rows, failing.length > 0 ? [] : recovered),
        ...disabled.map((row) => recordDisabled(tx, row, now)),
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
    const { status, sent, responseStatus, responseBody, error, latencyMs, at } = outcome;
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
      sent,
      nextAttemptAt: isOver ? null : retryAtOf(attempt, outcome, endOf(outcome)),
    };
  }

  function recordDisabled(tx: Tx, { platformId, livemode, webhookId, reason }: DisabledEndpoint, at: Date) {
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

/** Endpoints with a success, and endpoints whose last attempt failed or that answered 410. */
function summaryOf(sends: readonly Send[]): { recovered: string[]; failing: Failing[] } {
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
  if (!item || more.length > 0) throw new Error('a webhook delivery has exactly one envelope');
  return item;
}

function endOf({ at, latencyMs }: AttemptOutcome): Date {
  return new Date(at.getTime() + latencyMs);
}

/** When the next attempt follows a failed one; null: it was the last. */
type RetryPlan = (attempt: number, outcome: Pick<AttemptOutcome, 'notBefore'>, endedAt: Date) => Date | null;

/** Attempts that failed together must not be retried together. */
const JITTER = 0.1;

/** The longest time between two attempts to send one envelope. */
function maxWaitMs(schedule: readonly number[]): number {
  return Math.max(...schedule) * (1 + JITTER) * 1000;
}

/**
 * @param schedule seconds before each attempt, starting with the first (RULES H4).
 * @param random from 0 to less than 1.
 */
export function createRetryPlan(schedule: readonly number[], random: () => number): RetryPlan {
  return (attempt, { notBefore }, endedAt) => {
    const seconds = schedule[attempt];
    if (seconds === undefined) return null;
    const spread = 1 + JITTER * (2 * random() - 1);
    const planned = endedAt.getTime() + seconds * spread * 1000;
    return new Date(Math.ceil(Math.max(planned, notBefore?.getTime() ?? 0)));
  };
}
