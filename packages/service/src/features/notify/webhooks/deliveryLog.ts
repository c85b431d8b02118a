import type { deliveryStatuses } from '../../../domain/catalogues/enums.js';
import type { EnvelopeType } from '../../../domain/envelopes/catalogue.js';
import type { Queryable } from '../../../kit/db/database.js';
import type { Owner } from '../../../kit/http/route.js';
import {
  isWithin,
  type NewestPosition,
  type NewestRow,
  newestColumns,
  newestPage,
} from '../../../ledger/reads/newestPage.js';
import type { DeliveryRow } from './deliveryStore.js';

export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** One attempt as its owner reads it (RULES H7). */
export type DeliveryResponse = Omit<DeliveryRow, 'platformId'>;

/** Which part of an endpoint's log; null: every status, every type. */
export interface LogFilter {
  readonly status: DeliveryStatus | null;
  readonly type: EnvelopeType | null;
}

type LoggedRow = DeliveryResponse & NewestRow;

/** The log of one endpoint, newest first. Rows written meanwhile neither repeat nor hide a row. */
export async function readLog(
  db: Queryable,
  { platformId }: Pick<Owner, 'platformId'>,
  webhookId: string,
  { status, type }: LogFilter,
  position: NewestPosition,
  limit: number,
): Promise<{ deliveries: DeliveryResponse[]; nextCursor: string | null }> {
  const statement = PAGE_OF[status ?? 'any'];
  const { rows, nextCursor } = await newestPage(limit, position, ({ beforeId, horizon }) =>
    db.query<LoggedRow>(statement, [platformId, webhookId, beforeId, horizon, type, limit + 1]),
  );
  return { deliveries: rows.map(shown), nextCursor };
}

export async function findDelivery(
  db: Queryable,
  { platformId }: Pick<Owner, 'platformId'>,
  webhookId: string,
  id: string,
): Promise<DeliveryResponse | null> {
  const [row] = await db.query<DeliveryResponse>(
    `select ${SHOWN} from delivery d where platform_id = $1 and webhook_id = $2 and delivery_id = $3`,
    [platformId, webhookId, id],
  );
  return row ?? null;
}

function shown({ xid: _, isSettled: __, horizon: ___, ...delivery }: LoggedRow): DeliveryResponse {
  return delivery;
}

const SHOWN = `delivery_id as id, webhook_id, envelope_id, type, status, attempt,
  response_status, latency_ms, response_body, error,
  created_at, next_attempt_at`;

/** A text of its own for each status: written out, 'failed' is found by the small index of failures. */
const PAGE_OF: Readonly<Record<DeliveryStatus | 'any', string>> = {
  any: pageStatement(''),
  failed: pageStatement("and d.status = 'failed'"),
  succeeded: pageStatement("and d.status = 'succeeded'"),
};

function pageStatement(more: string): string {
  return `select ${SHOWN}, ${newestColumns('d', 'created_at')}
    from delivery d cross join installation
    where d.platform_id = $1 and d.webhook_id = $2 and ($3::uuid is null or d.delivery_id < $3)
      and ${isWithin('$4', 'd', 'created_at')}
      and ($5::text is null or d.type = $5) ${more}
    order by d.delivery_id desc limit $6`;
}
