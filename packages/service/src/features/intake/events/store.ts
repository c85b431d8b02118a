import { fail } from '../../../domain/errors.js';
import type { EventRecord } from '../../../domain/outcomeEvent.js';
import type { Queryable } from '../../../kit/db/database.js';
import type { Owner } from '../../../kit/http/route.js';
import { isUuid } from '../../../kit/ids.js';
import { failErased } from '../../../ledger/erasure/erasedSubjects.js';
import {
  EVENT_COLUMNS,
  EVENT_ROWS,
  type EventRow,
  eventRecordOfRow,
} from '../../../ledger/reads/eventRow.js';
import { type SettledPage, type SettledRow, settledPage } from './settledPage.js';

/** One of the owner's events. Throws NOT_FOUND and SUBJECT_ERASED. */
export async function readEvent(db: Queryable, owner: Owner, id: string): Promise<EventRecord> {
  const event = isUuid(id) ? await findEvent(db, owner, id) : null;
  return event ?? fail('NOT_FOUND', { message: 'You have no event with this id.' });
}

/** Throws SUBJECT_ERASED. */
export async function findEvent(db: Queryable, owner: Owner, eventId: string): Promise<EventRecord | null> {
  const [row] = await db.query<EventRow & { externalId: string | null }>(
    `select ${EVENT_COLUMNS} from ${EVENT_ROWS}
     where e.platform_id = $1 and e.livemode = $2 and e.event_id = $3`,
    [owner.platformId, owner.livemode, eventId],
  );
  if (row?.externalId === null) failErased();
  return row ? eventRecordOfRow(row) : null;
}

export interface ExportRange {
  platformId: string;
  livemode: boolean;
  /** Exclusive. */
  afterId: string;
  /** Exclusive. */
  beforeId: string;
}

/**
 * A page of the owner's events, oldest first, up to the first that is not settled (settledPage).
 */
export async function readExportPage(
  db: Queryable,
  range: ExportRange,
  limit: number,
): Promise<SettledPage<EventRecord>> {
  const read = () => readRows(db, range, limit + 1);
  const { rows, hasMore } = await settledPage(limit, (row) => row.eventId, read);
  return { rows: rows.map(eventRecordOfRow), hasMore };
}

function readRows(db: Queryable, range: ExportRange, limit: number): Promise<(EventRow & SettledRow)[]> {
  return db.query<EventRow & SettledRow>(
    `select ${EVENT_COLUMNS},
       (e.xid < pg_snapshot_xmin(pg_current_snapshot()) or e.created_at < i.cluster_since) as is_settled
     from ${EVENT_ROWS} cross join ledger_cluster i
     where e.platform_id = $1 and e.livemode = $2 and e.event_id > $3 and e.event_id < $4
       and s.external_id is not null
     order by e.event_id
     limit $5`,
    [range.platformId, range.livemode, range.afterId, range.beforeId, limit],
  );
}
