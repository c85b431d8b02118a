import type { ConfirmableEventType } from '../../../domain/catalogues/enums.js';
import type { Queryable } from '../../../kit/db/database.js';
import {
  isWithin,
  type NewestPosition,
  type NewestRow,
  newestColumns,
} from '../../../ledger/reads/newestPage.js';
import { type Confirmation, type Owner, SHOWN } from '../confirmations/store.js';
import type { RequestStatus } from './attestation.js';

interface Filter {
  readonly owner: Owner;
  /** As it reads at `now`; null: any. */
  readonly status: RequestStatus | null;
  /** null: whomever they are about. */
  readonly subjectId: string | null;
  readonly campaignId: string | null;
  readonly eventType: ConfirmableEventType | null;
  readonly now: Date;
}

/** Requests behind a position, newest first (newestPage). */
export function findPage(
  db: Queryable,
  { owner, status, now, ...wanted }: Filter,
  { beforeId, horizon }: NewestPosition,
  limit: number,
): Promise<(Confirmation & NewestRow)[]> {
  const { platformId, livemode } = owner;
  const values = [platformId, livemode, beforeId, horizon, limit, now];
  const conditions = ['$6::timestamptz is not null'];
  for (const [name, value] of Object.entries(wanted)) {
    if (value !== null) conditions.push(`${COLUMNS[name as keyof typeof wanted]} = $${values.push(value)}`);
  }
  return db.query(pageStatement(conditions.join(' and '), status ?? 'any'), values);
}

const COLUMNS = { subjectId: 'c.subject_id', campaignId: 'c.campaign_id', eventType: 'c.event_type' };

/** By the stored status, so that an index finds them; who is past the window without the sweep having been there are few. */
const STATUSES: Readonly<Record<RequestStatus | 'any', readonly string[]>> = {
  any: ['true'],
  PENDING: ["c.status = 'PENDING' and c.expires_at > $6"],
  EXPIRED: ["c.status = 'EXPIRED'", "c.status = 'PENDING' and c.expires_at <= $6"],
  CONFIRMED: ["c.status = 'CONFIRMED'"],
  DECLINED: ["c.status = 'DECLINED'"],
  CANCELLED: ["c.status = 'CANCELLED'"],
};

/** A text of its own for each filter: one that allows for all of them would be planned for none. */
function pageStatement(conditions: string, status: RequestStatus | 'any'): string {
  const parts = STATUSES[status].map((ofStatus) => `(${partStatement(`${conditions} and ${ofStatus}`)})`);
  return `select * from (${parts.join(' union all ')}) as c order by c.id desc limit $5`;
}

/**
 * Instead of no position: a condition that may be left out would keep the index from being entered
 * at its place.
 */
const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

function partStatement(condition: string): string {
  return `select ${SHOWN}, ${newestColumns('c', 'created_at')}
    from confirmation c cross join installation
    where c.platform_id = $1 and c.livemode = $2 and c.confirmation_id < coalesce($3::uuid, '${HIGHEST_ID}')
      and ${isWithin('$4', 'c', 'created_at')}
      and ${condition}
    order by c.confirmation_id desc limit $5`;
}
