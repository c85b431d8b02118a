import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { pageOf, positionOf } from '../../kit/http/cursor.js';

/** Where a page of a listing newest first begins. */
export interface NewestPosition {
  /** Only rows with a smaller id; null: from the newest on. */
  readonly beforeId: string | null;
  /** Only rows of transactions before this one (xid8 as text), all of which have ended; null: whatever is visible. */
  readonly horizon: string | null;
}

export interface NewestRow {
  /** UUIDv7, the order of the listing. */
  id: string;
  /** The transaction that wrote it, as text. */
  xid: string;
  /** Every transaction before the row's own has ended. */
  isSettled: boolean;
  /** `pg_snapshot_xmin` of the moment the row was read. */
  horizon: string;
}

/**
 * The columns of a NewestRow beside its id, and the condition that keeps a walk within its horizon, for a statement that joins
 * `installation`: rows from before a restore are settled whatever their transaction id says.
 * @param row the table's alias. @param time its column of the moment a row was written. @param horizon the parameter.
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

/** The position that a cursor of `newestPage` names; the newest without one. Damaged: BAD_REQUEST. */
export function newestPositionOf(cursor: string | undefined): NewestPosition {
  const [beforeId, horizon] = positionOf(cursor, NewestCursor) ?? [null, null];
  return { beforeId, horizon };
}

/** Doubling from here, about a second in all, as in settledPage. */
const FIRST_PAUSE_MS = 4;
const MAX_PAUSES = 8;

/**
 * Reads a page newest first, so that rows written meanwhile neither repeat nor hide a row (RULES Q2): the first page
 * fixes which transactions the whole walk is about, namely those before the oldest one that was still open then. All of them
 * have ended, so what they wrote is a set that does not grow any more. What was visible at the first look is waited for,
 * so a caller finds in it all that was acknowledged before; what is newer shows in a walk that starts anew.
 * @param read the rows behind a position, newest first, at most one more than `limit`.
 */
export async function newestPage<Row extends NewestRow>(
  limit: number,
  position: NewestPosition,
  read: (position: NewestPosition) => Promise<readonly Row[]>,
): Promise<{ rows: readonly Row[]; nextCursor: string | null }> {
  const { rows, horizon } =
    position.horizon === null
      ? await firstRows(position, read)
      : { rows: await read(position), horizon: position.horizon };
  return pageOf(rows, limit, ({ id }) => [id, horizon]);
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
