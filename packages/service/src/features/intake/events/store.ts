import { setTimeout as pause } from 'node:timers/promises';
import { fail } from '#domain/errors.js';
import type { EventRecord } from '#domain/outcomeEvent.js';
import type { Queryable } from '#kit/db/database.js';
import type { Owner } from '#kit/http/route.js';
import { isUuid } from '#kit/ids.js';
import { failErased } from '#ledger/erasure/erasedSubjects.js';
import { EVENT_COLUMNS, EVENT_ROWS, type EventRow, eventRecordOfRow } from '#ledger/reads/eventRow.js';

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

interface SettledRow {
  /** Every transaction before the row's own has ended: no new row can sort before it. */
  isSettled: boolean;
}

interface SettledPage<Row> {
  rows: Row[];
  /** There are further rows, or a transaction stays open longer than this function waits. */
  hasMore: boolean;
}

/**
 * Doubles with each pause, about one second in total: writers keep a transaction open for
 * milliseconds.
 */
const FIRST_PAUSE_MS = 4;
const MAX_PAUSES = 8;

/**
 * Reads a page of rows that are written in order but become visible out of order (RULES Q2). The
 * page ends before the first row that is not settled, so that the next page skips none. It waits
 * until all rows of the first read are settled, so a caller finds everything acknowledged before.
 * @param read the rows after the position, in order, at most `limit` + 1.
 */
export async function settledPage<Row extends SettledRow>(
  limit: number,
  idOf: (row: Row) => string,
  read: () => Promise<readonly Row[]>,
): Promise<SettledPage<Row>> {
  let awaited: string | undefined;
  for (let pauses = 0; ; pauses += 1) {
    const visible = await read();
    const firstOpen = visible.findIndex((row) => !row.isSettled);
    const settled = firstOpen < 0 ? visible : visible.slice(0, firstOpen);
    const rows = settled.slice(0, limit);
    if (firstOpen < 0 || rows.length === limit) return { rows, hasMore: visible.length > limit };
    const lastVisible = visible.at(-1);
    const lastSettled = settled.at(-1);
    awaited ??= lastVisible && idOf(lastVisible);
    if (awaited !== undefined && lastSettled && idOf(lastSettled) >= awaited) return { rows, hasMore: false };
    if (pauses === MAX_PAUSES) return { rows, hasMore: true };
    await pause(FIRST_PAUSE_MS * 2 ** pauses);
  }
}
