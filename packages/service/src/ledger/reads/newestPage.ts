import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { pageOf, positionOf } from '#kit/http/cursor.js';

export interface NewestPosition {
  /** Only rows with a smaller id; null: start with the newest. */
  readonly beforeId: string | null;
  /**
   * Only rows of transactions before this one (xid8 as text), which have all ended; null: all visible rows.
   */
  readonly horizon: string | null;
}

export interface NewestRow {
  /** UUIDv7: the sort key of the list. */
  id: string;
  /** The transaction that wrote it, as text. */
  xid: string;
  /** Every transaction before the row's own has ended. */
  isSettled: boolean;
  /** `pg_snapshot_xmin` when the row was read. */
  horizon: string;
}

/**
 * The columns of a NewestRow other than its id, for a statement that joins `ledger_cluster`: rows
 * written before a restore are settled regardless of their transaction id.
 * @param row the table's alias.
 * @param time the column with the time of writing.
 */
export function newestColumns(row: string, time: string): string {
  return `${row}.xid::text as xid,
    (${row}.xid < pg_snapshot_xmin(pg_current_snapshot()) or ${row}.${time} < cluster_since) as is_settled,
    pg_snapshot_xmin(pg_current_snapshot())::text as horizon`;
}

export function isWithin(horizon: string, row: string, time: string): string {
  return `(${horizon}::xid8 is null or ${row}.xid < ${horizon}::xid8 or ${row}.${time} < cluster_since)`;
}

const NewestCursor = z.tuple([z.guid(), z.string().regex(/^\d{1,19}$/)]);

/** The position in a cursor of `newestPage`; without a cursor, the newest. Throws BAD_REQUEST. */
export function newestPositionOf(cursor: string | undefined): NewestPosition {
  const [beforeId, horizon] = positionOf(cursor, NewestCursor) ?? [null, null];
  return { beforeId, horizon };
}

/** Doubles with each pause, about one second in total, as in settledPage. */
const FIRST_PAUSE_MS = 4;
const MAX_PAUSES = 8;

/**
 * Reads a page newest first, such that concurrent writes neither repeat nor hide a row (RULES Q2). The first
 * page fixes a horizon: the oldest transaction still open then. All pages read only rows of earlier
 * transactions, a set that no longer grows. The first page waits until the horizon covers all rows it saw, so
 * a caller finds everything acknowledged before. Newer rows appear in a new list.
 * @param read returns the rows after a position, newest first, at most `limit` + 1.
 */
export async function newestPage<Row extends { readonly id: string }>(
  limit: number,
  position: NewestPosition,
  read: (position: NewestPosition) => Promise<readonly (Row & NewestRow)[]>,
): Promise<{ rows: Row[]; nextCursor: string | null }> {
  const { rows, horizon } =
    position.horizon === null
      ? await firstRows(position, read)
      : { rows: await read(position), horizon: position.horizon };
  const page = pageOf(rows, limit, ({ id }) => [id, horizon]);
  return { ...page, rows: page.rows.map(withoutPosition) };
}

function withoutPosition<Row>({ xid: _, isSettled: __, horizon: ___, ...row }: Row & NewestRow): Row {
  return row as Row;
}

async function firstRows<Row extends NewestRow>(
  position: NewestPosition,
  read: (position: NewestPosition) => Promise<readonly Row[]>,
): Promise<{ rows: readonly Row[]; horizon: string | null }> {
  let awaited: readonly bigint[] | undefined;
  for (let pauses = 0; ; pauses += 1) {
    const rows = await read(position);
    const horizon = rows[0]?.horizon ?? null;
    const open = rows.filter((row) => !row.isSettled).map((row) => BigInt(row.xid));
    if (horizon === null || open.length === 0) return { rows, horizon };
    awaited ??= open;
    const isOver = awaited.every((xid) => xid < BigInt(horizon));
    if (isOver || pauses === MAX_PAUSES) {
      return { rows: await read({ ...position, horizon }), horizon };
    }
    await pause(FIRST_PAUSE_MS * 2 ** pauses);
  }
}
