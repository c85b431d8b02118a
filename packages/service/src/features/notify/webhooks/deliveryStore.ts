import type { Queryable, Tx } from '../../../kit/db/database.js';
import type { SentRequest } from './attemptDelivery.js';
import type { Delivery } from './deliverySchemas.js';
import type { SealedSecrets } from './webhookSecrets.js';

/** A row of the delivery log: one attempt. Its id is a UUIDv7 made at `createdAt`. */
export type DeliveryRow = Delivery & { readonly platformId: string; readonly sent: SentRequest };

/**
 * Answers to envelopes of erased subjects are not kept, nor their headers: those have a digest of
 * the body.
 * @param recovered endpoints whose series of failures ends: see clearFailing
 */
export async function insertDeliveries(
  tx: Tx,
  rows: readonly DeliveryRow[],
  recovered: readonly string[] = [],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.execute(
    `with cleared as (${clearing('$15')})
     insert into delivery (platform_id, delivery_id, webhook_id, envelope_id, type, status, attempt, response_status,
       latency_ms, response_body, error, created_at, next_attempt_at, sent)
     select made.platform_id, delivery_id, webhook_id, made.envelope_id, made.type, status, attempt, response_status, latency_ms,
       case when e.body is distinct from '' then response_body end, case when e.body is distinct from '' then error end,
       made.created_at, next_attempt_at, case when e.body is distinct from '' then made.sent::json end
     from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::integer[],
       $8::integer[], $9::integer[], $10::text[], $11::text[], $12::timestamptz[], $13::timestamptz[], $14::text[]) as made
       (platform_id, delivery_id, webhook_id, envelope_id, type, status, attempt, response_status, latency_ms, response_body, error,
       created_at, next_attempt_at, sent)
     left join envelope e on e.platform_id = made.platform_id and e.envelope_id = made.envelope_id`,
    [
      rows.map((row) => row.platformId),
      rows.map((row) => row.id),
      rows.map((row) => row.webhookId),
      rows.map((row) => row.envelopeId),
      rows.map((row) => row.type),
      rows.map((row) => row.status),
      rows.map((row) => row.attempt),
      rows.map((row) => row.responseStatus),
      rows.map((row) => row.latencyMs),
      rows.map((row) => row.responseBody),
      rows.map((row) => row.error),
      rows.map((row) => row.createdAt),
      rows.map((row) => row.nextAttemptAt),
      rows.map((row) => JSON.stringify(row.sent)),
      recovered,
    ],
  );
}

/** What a delivery needs of an endpoint. */
export interface EndpointRow extends SealedSecrets {
  readonly webhookId: string;
  readonly platformId: string;
  readonly livemode: boolean;
  readonly url: string;
}

export function findActiveEndpoints(db: Queryable, ids: readonly string[]): Promise<EndpointRow[]> {
  return db.query<EndpointRow>(
    `select webhook_id, platform_id, livemode, url, sealed_secret,
       sealed_previous_secret, previous_ends_at
     from webhook where webhook_id = any($1::uuid[]) and is_active`,
    [ids],
  );
}

/**
 * Ends the series of failures of endpoints that accepted a delivery. Does not write rows that have
 * none.
 */
export async function clearFailing(tx: Tx, webhookIds: readonly string[]): Promise<void> {
  if (webhookIds.length === 0) return;
  await tx.execute(clearing('$1'), [webhookIds]);
}

function clearing(ids: string): string {
  return `update webhook set failing_since = null, failed_attempts = 0, last_failed_at = null
    where webhook_id = any(${ids}::uuid[]) and failing_since is not null`;
}

/** An endpoint whose last attempt failed. */
export interface Failing {
  readonly webhookId: string;
  /** The first failure that no success followed. */
  readonly since: Date;
  /** The last failure. */
  readonly until: Date;
  /** Failed attempts between them. */
  readonly attempts: number;
  readonly isGone: boolean;
}

export interface DisabledEndpoint {
  readonly webhookId: string;
  readonly platformId: string;
  readonly livemode: boolean;
  readonly reason: 'gone' | 'failing';
}

/** When failures disable an endpoint: both limits must be reached. */
export interface FailureLimit {
  /** Time without a success. */
  readonly failingForMs: number;
  /** Attempts in that time. */
  readonly attempts: number;
  /** A longer time without attempts does not count, since no process was running. */
  readonly maxGapMs: number;
}

/**
 * Counts failures of endpoints. Disables those that are gone or have reached the limit, and empties
 * their queues.
 * @returns the endpoints that this call disabled, and all that are inactive now.
 */
export async function noteFailing(
  tx: Tx,
  failing: readonly Failing[],
  limit: FailureLimit,
  now: Date,
): Promise<{ disabled: DisabledEndpoint[]; inactive: Set<string> }> {
  if (failing.length === 0) return { disabled: [], inactive: new Set() };
  const sorted = [...failing].sort((a, b) => (a.webhookId < b.webhookId ? -1 : 1));
  const ids = sorted.map((row) => row.webhookId);
  const [, disabled, active] = await Promise.all([
    tx.execute(
      `update webhook w set failed_attempts = w.failed_attempts + f.attempts, last_failed_at = f.until,
         failing_since = case
           when w.failing_since is null then f.since
           when f.since - coalesce(w.last_failed_at, w.failing_since) > $5::integer * interval '1 second'
             then w.failing_since + (f.since - coalesce(w.last_failed_at, w.failing_since))
           else w.failing_since end
       from unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[], $4::integer[]) as f (webhook_id, since, until, attempts)
       where w.webhook_id = f.webhook_id and w.is_active`,
      [
        ids,
        sorted.map((row) => row.since),
        sorted.map((row) => row.until),
        sorted.map((row) => row.attempts),
        Math.round(limit.maxGapMs / 1000),
      ],
    ),
    tx.query<DisabledEndpoint>(
      `update webhook w set is_active = false, updated_at = $4,
         disabled_reason = case when f.is_gone then 'gone' else 'failing' end
       from unnest($1::uuid[], $2::boolean[]) as f (webhook_id, is_gone)
       where w.webhook_id = f.webhook_id and w.is_active
         and (f.is_gone or w.failing_since <= $3 and w.failed_attempts >= $5)
       returning w.webhook_id, w.platform_id, w.livemode, w.disabled_reason as reason`,
      [
        ids,
        sorted.map((row) => row.isGone),
        new Date(now.getTime() - limit.failingForMs),
        now,
        limit.attempts,
      ],
    ),
    tx.query<{ webhookId: string }>(
      'select webhook_id from webhook where webhook_id = any($1::uuid[]) and is_active',
      [ids],
    ),
  ]);
  const activeIds = new Set(active.map((row) => row.webhookId));
  if (disabled.length > 0) {
    await tx.execute('delete from outbox_queue where target_id = any($1::uuid[])', [
      disabled.map((row) => row.webhookId),
    ]);
  }
  return { disabled, inactive: new Set(ids.filter((id) => !activeIds.has(id))) };
}

/**
 * Deletes up to `limit` log rows older than `before` and returns how many. Without an order, so
 * that the BRIN index on `created_at` is used.
 */
export function deleteOldDeliveries(tx: Tx, before: Date, limit: number): Promise<number> {
  return tx.execute(
    `delete from delivery where (platform_id, delivery_id) in (
       select platform_id, delivery_id from delivery where created_at < $1 limit $2
     )`,
    [before, limit],
  );
}

/** The same for envelopes. */
export function deleteOldEnvelopes(tx: Tx, before: Date, limit: number): Promise<number> {
  return tx.execute(
    `delete from envelope where (platform_id, envelope_id) in (
       select platform_id, envelope_id from envelope where created_at < $1 limit $2
     )`,
    [before, limit],
  );
}
