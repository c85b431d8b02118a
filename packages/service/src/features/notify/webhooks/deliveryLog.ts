import { fail } from '../../../domain/errors.js';
import type { Queryable } from '../../../kit/db/database.js';
import type { Owner } from '../../../kit/http/route.js';
import { isUuid } from '../../../kit/ids.js';
import {
  isWithin,
  type NewestRow,
  newestColumns,
  newestPage,
  newestPositionOf,
} from '../../../ledger/reads/newestPage.js';
import type { SentRequest } from './attemptDelivery.js';
import type { Delivery, DeliveryPage, DeliveryQuery, DeliveryRequest } from './deliverySchemas.js';
import { readWebhook } from './webhookStore.js';

type LoggedRow = Delivery & NewestRow;

/**
 * GET /webhooks/{id}/deliveries: newest first. Rows written meanwhile neither repeat nor hide a
 * row.
 */
export async function listDeliveries(
  db: Queryable,
  owner: Owner,
  webhookId: string,
  { status, type, limit, cursor }: DeliveryQuery,
): Promise<DeliveryPage> {
  const position = newestPositionOf(cursor);
  const webhook = await readWebhook(db, owner, webhookId);
  const { rows, nextCursor } = await newestPage(limit, position, ({ beforeId, horizon }) =>
    db.query<LoggedRow>(PAGE_OF[status ?? 'any'], [
      owner.platformId,
      webhook.id,
      beforeId,
      horizon,
      type ?? null,
      limit + 1,
    ]),
  );
  return { deliveries: rows.map(toDelivery), nextCursor };
}

function toDelivery({ xid: _, isSettled: __, horizon: ___, ...delivery }: LoggedRow): Delivery {
  return delivery;
}

/** GET /webhooks/{id}/deliveries/{deliveryId}. Throws NOT_FOUND. */
export async function readDelivery(
  db: Queryable,
  owner: Owner,
  path: { id: string; deliveryId: string },
): Promise<Delivery> {
  const webhook = await readWebhook(db, owner, path.id);
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

const COLUMNS = `delivery_id as id, webhook_id, envelope_id, type, status, attempt, response_status, latency_ms,
  response_body, error, created_at, next_attempt_at`;

const SELECT_ONE = `select ${COLUMNS} from delivery where platform_id = $1 and webhook_id = $2 and delivery_id = $3`;

/**
 * A statement for each status: only with a literal 'failed' does the planner use the partial index
 * of failures.
 */
const PAGE_OF: Readonly<Record<Delivery['status'] | 'any', string>> = {
  any: pageStatement(''),
  failed: pageStatement("and d.status = 'failed'"),
  succeeded: pageStatement("and d.status = 'succeeded'"),
};

function pageStatement(more: string): string {
  return `select ${COLUMNS}, ${newestColumns('d', 'created_at')}
    from delivery d cross join ledger_cluster
    where d.platform_id = $1 and d.webhook_id = $2 and ($3::uuid is null or d.delivery_id < $3)
      and ${isWithin('$4', 'd', 'created_at')}
      and ($5::text is null or d.type = $5) ${more}
    order by d.delivery_id desc limit $6`;
}
