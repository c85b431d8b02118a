import type { Database, Queryable, Tx } from '#kit/db/database.js';
import { rowsOf, type Sql, sql } from '#kit/db/rows.js';
import { keptSince, removeExpired, type Sweep } from '#ledger/sweep.js';
import type { SentRequest } from './attemptDelivery.js';
import type { Delivery } from './deliveryLog.js';
import type { SealedSecrets } from './webhookSecrets.js';

/** A row of the delivery log: one attempt. Its id is a UUIDv7 made at `createdAt`. */
export type DeliveryRow = Omit<Delivery, 'userId'> & {
  readonly platformId: string;
  readonly sent: SentRequest;
};

const attempts = rowsOf<DeliveryRow>(
  {
    uuid: ['platformId', 'webhookId', 'envelopeId'],
    text: ['type', 'status', 'responseBody', 'error'],
    integer: ['attempt', 'responseStatus', 'latencyMs'],
    timestamptz: ['createdAt', 'nextAttemptAt'],
    json: ['sent'],
  },
  { deliveryId: ['uuid', ({ id }) => id] },
);

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
  await sql`
    with cleared as (${clearing(recovered)})
    insert into delivery (platform_id, delivery_id, webhook_id, envelope_id, type, status, attempt, response_status,
      latency_ms, response_body, error, created_at, next_attempt_at, sent)
    select made.platform_id, delivery_id, webhook_id, made.envelope_id, made.type, status, attempt, response_status, latency_ms,
      case when e.body is distinct from '' then response_body end, case when e.body is distinct from '' then error end,
      made.created_at, next_attempt_at, case when e.body is distinct from '' then made.sent end
    from ${attempts.as('made', rows)}
    left join envelope e on e.platform_id = made.platform_id and e.envelope_id = made.envelope_id`.execute(
    tx,
  );
}

/** What a delivery needs of an endpoint. */
interface EndpointRow extends SealedSecrets {
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
  await clearing(webhookIds).execute(tx);
}

function clearing(webhookIds: readonly string[]): Sql {
  return sql`update webhook set failing_since = null, failed_attempts = 0, last_failed_at = null
    where webhook_id = any(${webhookIds}::uuid[]) and failing_since is not null`;
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
interface FailureLimit {
  /** Time without a success. */
  readonly failingForMs: number;
  /** Attempts in that time. */
  readonly attempts: number;
  /** A longer time without attempts does not count, since no process was running. */
  readonly maxGapMs: number;
}

const failures = rowsOf<Failing>({
  uuid: ['webhookId'],
  timestamptz: ['since', 'until'],
  integer: ['attempts'],
  boolean: ['isGone'],
});

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
  const maxGapSeconds = Math.round(limit.maxGapMs / 1000);
  const failingSince = new Date(now.getTime() - limit.failingForMs);
  const [, disabled, active] = await Promise.all([
    sql`update webhook w set failed_attempts = w.failed_attempts + f.attempts, last_failed_at = f.until,
        failing_since = case
          when w.failing_since is null then f.since
          when f.since - coalesce(w.last_failed_at, w.failing_since) > ${maxGapSeconds}::integer * interval '1 second'
            then w.failing_since + (f.since - coalesce(w.last_failed_at, w.failing_since))
          else w.failing_since end
      from ${failures.as('f', sorted)} where w.webhook_id = f.webhook_id and w.is_active`.execute(tx),
    sql`update webhook w set is_active = false, updated_at = ${now},
        disabled_reason = case when f.is_gone then 'gone' else 'failing' end
      from ${failures.as('f', sorted)} where w.webhook_id = f.webhook_id and w.is_active
        and (f.is_gone or w.failing_since <= ${failingSince} and w.failed_attempts >= ${limit.attempts})
      returning w.webhook_id, w.platform_id, w.livemode, w.disabled_reason as reason`.query<DisabledEndpoint>(
      tx,
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

/** How long payloads are kept (RULES H7). The log of their deliveries outlives them by a month. */
export const PAYLOAD_DAYS = 30;
const LOG_DAYS = 60;

const RETENTION = [
  { table: 'delivery', key: 'platform_id, delivery_id', time: 'created_at', isBrin: true, days: LOG_DAYS },
  {
    table: 'envelope',
    key: 'platform_id, envelope_id',
    time: 'created_at',
    isBrin: true,
    days: PAYLOAD_DAYS,
  },
] as const;

/**
 * Deletes old envelopes and log rows. The dispatcher drops queue rows whose envelope is gone.
 * @param textDays RETENTION_TEXT_DAYS.
 */
export function removeOldDeliveries(db: Database, textDays?: number): Sweep {
  return async (now, until) => {
    let affected = 0;
    for (const kept of RETENTION) {
      affected += await removeExpired(db, kept, keptSince(now, kept.days, textDays), until);
    }
    return affected;
  };
}
