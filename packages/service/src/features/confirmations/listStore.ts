import type { RequestStatus } from '../../domain/witnessRequest.js';
import type { Queryable } from '../../kit/db/database.js';
import { isWithin, type NewestPosition, type NewestRow, newestColumns } from '../../ledger/newestPage.js';
import { type Confirmation, type Owner, SHOWN } from './store.js';

interface Filter {
  readonly owner: Owner;
  /** null: whomever they are about. */
  readonly subjectId: string | null;
  /** As it reads at `now`; null: any. */
  readonly status: RequestStatus | null;
  readonly now: Date;
}

/** Requests behind a position, newest first (newestPage). */
export function findPage(
  db: Queryable,
  { owner, subjectId, status, now }: Filter,
  { beforeId, horizon }: NewestPosition,
  limit: number,
): Promise<(Confirmation & NewestRow)[]> {
  const { platformId, livemode } = owner;
  const statement = (subjectId === null ? PAGE_OF_ALL : PAGE_OF_SUBJECT)[status ?? 'any'];
  return db.query(statement, [platformId, livemode, beforeId, horizon, limit, now, subjectId]);
}

/** Instead of no position: a condition that may be left out would keep the index from being entered at its place. */
const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** By the stored status, so that an index finds them; who is past the window without the sweep having been there are few. */
const CONDITIONS: Readonly<Record<RequestStatus | 'any', readonly string[]>> = {
  any: ['true'],
  PENDING: ["c.status = 'PENDING' and c.expires_at > $6"],
  EXPIRED: ["c.status = 'EXPIRED'", "c.status = 'PENDING' and c.expires_at <= $6"],
  CONFIRMED: ["c.status = 'CONFIRMED'"],
  DECLINED: ["c.status = 'DECLINED'"],
  CANCELLED: ["c.status = 'CANCELLED'"],
};

// A text of its own for each filter: one that allows for all of them would be planned for none.
const PAGE_OF_ALL = statementsWith('($7::uuid is null)');
const PAGE_OF_SUBJECT = statementsWith('c.subject_id = $7');

function statementsWith(whose: string): Readonly<Record<RequestStatus | 'any', string>> {
  const page = (status: RequestStatus | 'any') => {
    const parts = CONDITIONS[status].map((condition) => `(${pageStatement(`${whose} and ${condition}`)})`);
    return `select * from (${parts.join(' union all ')}) as c where $6::timestamptz is not null order by c.id desc limit $5`;
  };
  return {
    any: page('any'),
    PENDING: page('PENDING'),
    EXPIRED: page('EXPIRED'),
    CONFIRMED: page('CONFIRMED'),
    DECLINED: page('DECLINED'),
    CANCELLED: page('CANCELLED'),
  };
}

function pageStatement(condition: string): string {
  return `select ${SHOWN}, ${newestColumns('c', 'created_at')}
    from confirmation c cross join installation
    where c.platform_id = $1 and c.livemode = $2 and c.confirmation_id < coalesce($3::uuid, '${HIGHEST_ID}')
      and ${isWithin('$4', 'c', 'created_at')}
      and ${condition}
    order by c.confirmation_id desc limit $5`;
}
