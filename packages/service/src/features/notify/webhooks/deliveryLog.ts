import { z } from 'zod';
import { deliveryStatuses } from '#domain/catalogues/enums.js';
import { envelopeTypes } from '#domain/envelopes/catalogue.js';
import { fail } from '#domain/errors.js';
import { HOUR_MS, timestamp } from '#domain/timestamp.js';
import type { Queryable } from '#kit/db/database.js';
import { encodeCursor } from '#kit/http/cursor.js';
import {
  cursorParam,
  instant,
  pageLimit,
  pageSchema,
  pathText,
  storableText,
  wholeNumber,
} from '#kit/http/query.js';
import type { Owner } from '#kit/http/route.js';
import { isUuid, lowestIdAt } from '#kit/ids.js';
import {
  isWithin,
  type NewestPosition,
  type NewestRow,
  newestColumns,
  newestPage,
  newestPositionOf,
} from '#ledger/reads/newestPage.js';
import type { SentRequest } from './attemptDelivery.js';
import { webhookPath, webhooks } from './webhookStore.js';

export type Delivery = z.output<typeof Delivery>;
export const Delivery = z
  .object({
    id: z.uuid(),
    webhookId: z.uuid(),
    envelopeId: z.uuid(),
    type: z.enum(envelopeTypes),
    userId: z.string().nullable(),
    status: z.enum(deliveryStatuses),
    attempt: z.int().min(1),
    responseStatus: z.int().min(0).nullable(),
    latencyMs: z.int().min(0),
    responseBody: z.string().nullable(),
    error: z.string().nullable(),
    createdAt: instant,
    nextAttemptAt: instant.nullable(),
  })
  .meta({ id: 'WebhookDelivery' });

export type DeliveryPage = z.output<typeof DeliveryPage>;
export const DeliveryPage = pageSchema('deliveries', Delivery).meta({ id: 'WebhookDeliveryPage' });

export type DeliveryQuery = z.output<typeof DeliveryQuery>;
export const DeliveryQuery = z.object({
  status: z.enum(deliveryStatuses).optional(),
  type: z.enum(envelopeTypes).optional(),
  q: storableText(0, 255).optional(),
  limit: pageLimit(100, 25),
  cursor: cursorParam,
});

export type DeliveryRequest = z.output<typeof DeliveryRequest>;
export const DeliveryRequest = z
  .object({
    method: z.literal('POST'),
    url: z.string(),
    headers: z.record(z.string(), z.string()),
    body: z.string(),
  })
  .meta({ id: 'WebhookDeliveryRequest' });

const perHour = z.array(z.int().min(0));

export type AttemptHours = z.output<typeof AttemptHours>;
export const AttemptHours = z
  .object({
    from: instant,
    to: instant,
    endpoints: z.array(
      z.object({
        webhookId: z.uuid(),
        succeeded: perHour,
        failed: perHour,
      }),
    ),
  })
  .meta({ id: 'WebhookAttemptHours' });

export const AttemptQuery = z.object({
  hours: wholeNumber(1, 168).optional().default(24),
});

export const TestBody = z
  .object({
    type: z.enum(envelopeTypes).optional(),
  })
  .meta({ id: 'WebhookTest' });

export const RecoverBody = z
  .object({
    since: timestamp,
  })
  .meta({ id: 'WebhookRecovery' });

export const Recovered = z
  .object({
    recovered: z.int().min(0),
    hasMore: z.boolean(),
    nextSince: instant.nullable(),
  })
  .meta({ id: 'WebhookRecovered' });

const deliveryId = pathText();

export const deliveryPath = z.object({ ...webhookPath.shape, deliveryId });

/**
 * GET /webhooks/{id}/deliveries: newest first. Rows written meanwhile neither repeat nor hide a
 * row. A search looks through so many attempts a page at most: a page can hold fewer rows than its
 * limit, or none, and have a next one.
 */
export async function listDeliveries(
  db: Queryable,
  owner: Owner,
  webhookId: string,
  { status, type, q, limit, cursor }: DeliveryQuery,
): Promise<DeliveryPage> {
  const position = newestPositionOf(cursor);
  const webhook = await webhooks.read(db, owner, webhookId);
  const log = LOG_OF[status ?? 'any'];
  const lookedThrough = q ? MAX_SEARCHED : limit + 1;
  const values = ({ beforeId, horizon }: NewestPosition) =>
    [owner.platformId, webhook.id, beforeId, horizon, type ?? null, lookedThrough] as const;
  const { rows, nextCursor } = await newestPage(limit, position, (start) =>
    db.query<Delivery & NewestRow>(log.page, [...values(start), q ?? '', limit + 1]),
  );
  if (!q || nextCursor !== null) return { deliveries: rows, nextCursor };
  const [last] = await db.query<{ id: string; horizon: string }>(log.lastLookedAt, values(position));
  return { deliveries: rows, nextCursor: last ? encodeCursor([last.id, last.horizon]) : null };
}

const MAX_SEARCHED = 5_000;

/** GET /webhooks/{id}/deliveries/{deliveryId}. Throws NOT_FOUND. */
export async function readDelivery(
  db: Queryable,
  owner: Owner,
  path: { id: string; deliveryId: string },
): Promise<Delivery> {
  const webhook = await webhooks.read(db, owner, path.id);
  return deliveryOf(db, owner, webhook.id, path.deliveryId);
}

/**
 * GET /webhooks/{id}/deliveries/{deliveryId}/request. Throws NOT_FOUND, or PAYLOAD_NOT_RETAINED if
 * the envelope or the headers are gone.
 */
export async function readDeliveryRequest(
  db: Queryable,
  owner: Owner,
  path: { id: string; deliveryId: string },
): Promise<DeliveryRequest> {
  const { id, envelopeId } = await readDelivery(db, owner, path);
  const [row] = await db.query<{ sent: SentRequest; body: string }>(
    `select d.sent, e.body from delivery d join envelope e using (platform_id, envelope_id)
     where d.platform_id = $1 and d.delivery_id = $2 and e.envelope_id = $3 and d.sent is not null and e.body <> ''`,
    [owner.platformId, id, envelopeId],
  );
  if (!row) return fail('PAYLOAD_NOT_RETAINED');
  return { method: 'POST', ...row.sent, body: row.body };
}

/** @param webhookId an endpoint that is known to be the owner's. Throws NOT_FOUND. */
export async function deliveryOf(
  db: Queryable,
  owner: Owner,
  webhookId: string,
  id: string,
): Promise<Delivery> {
  const values = [owner.platformId, webhookId, id];
  const [row] = isUuid(id) ? await db.query<Delivery>(SELECT_ONE, values) : [];
  return row ?? fail('NOT_FOUND', { message: 'This endpoint has no delivery with this id.' });
}

const COLUMNS = `d.delivery_id as id, d.webhook_id, d.envelope_id, d.type, about.user_id, d.status, d.attempt,
  d.response_status, d.latency_ms, d.response_body, d.error, d.created_at, d.next_attempt_at`;

/** One look-up by key for each attempt: see `textOf`. A reminder can be about a subject without an outcome. */
const ABOUT = `left join lateral (
    select coalesce(s.external_id, nullif(e.body, '')::json #>> '{data,subject,externalId}') as user_id
    from envelope e left join subject s on s.subject_id = e.subject_id
    where e.platform_id = d.platform_id and e.envelope_id = d.envelope_id and e.subject_id is not null limit 1
  ) about on true`;

const SELECT_ONE = `select ${COLUMNS} from delivery d ${ABOUT}
  where d.platform_id = $1 and d.webhook_id = $2 and d.delivery_id = $3`;

/**
 * The statements for each status: only with a literal 'failed' does the planner use the partial
 * index of failures.
 */
const LOG_OF = {
  any: logOf(''),
  failed: logOf("and d.status = 'failed'"),
  succeeded: logOf("and d.status = 'succeeded'"),
} as const;

function logOf(more: string) {
  const attempts = `from delivery d cross join ledger_cluster
    where d.platform_id = $1 and d.webhook_id = $2 and ($3::uuid is null or d.delivery_id < $3)
      and ${isWithin('$4', 'd', 'created_at')}
      and ($5::text is null or d.type = $5) ${more}
    order by d.delivery_id desc`;
  return {
    page: `select ${COLUMNS}, ${newestColumns('d', 'created_at')}
      from (select d.*, cluster_since ${attempts} limit $6) d ${ABOUT}
      where strpos(lower(concat_ws(' ', about.user_id, d.envelope_id, d.delivery_id, d.type, d.response_status, d.error,
        d.response_body)), lower($7)) > 0
      order by d.delivery_id desc limit $8`,
    /** None: the page looked at the last attempt of all. */
    lastLookedAt: `select d.delivery_id as id,
        coalesce($4::xid8::text, pg_snapshot_xmin(pg_current_snapshot())::text) as horizon
      ${attempts} offset $6::integer - 1 limit 1`,
  };
}

/** GET /webhooks/attempts: the attempts of every endpoint by hour, newest endpoint first. */
export async function attemptHours(
  db: Queryable,
  owner: Owner,
  { hours, now }: { hours: number; now: Date },
): Promise<AttemptHours> {
  const thisHour = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS;
  const from = thisHour - (hours - 1) * HOUR_MS;
  const starts = Array.from({ length: hours + 1 }, (_, hour) => lowestIdAt(new Date(from + hour * HOUR_MS)));
  const endpoints = await countAttempts(db, owner, starts);
  return { from: new Date(from), to: now, endpoints };
}

/**
 * Counts in the two indexes by endpoint, of all attempts and of the failed ones, so that no row is
 * read.
 * @param starts of the hours, and the end of the last one, as ids.
 */
function countAttempts(
  db: Queryable,
  { platformId, livemode }: Owner,
  starts: readonly string[],
): Promise<AttemptHours['endpoints']> {
  return db.query<AttemptHours['endpoints'][number]>(
    `select webhook_id, array_agg(attempts - failed order by hour) as succeeded, array_agg(failed order by hour) as failed
     from (
       select w.webhook_id, hour, (
         select count(*)::integer from delivery d
         where d.webhook_id = w.webhook_id and d.delivery_id >= first and d.delivery_id < next
       ) as attempts, (
         select count(*)::integer from delivery d
         where d.webhook_id = w.webhook_id and d.delivery_id >= first and d.delivery_id < next and d.status = 'failed'
       ) as failed
       from webhook w cross join unnest($3::uuid[], $4::uuid[]) with ordinality as span (first, next, hour)
       where w.platform_id = $1 and w.livemode = $2
     ) as counted
     group by webhook_id order by webhook_id desc`,
    [platformId, livemode, starts.slice(0, -1), starts.slice(1)],
  );
}
