import { setTimeout as pause } from 'node:timers/promises';

export interface SettledRow {
  /** Every transaction that began before the row's own has ended: nothing can come to sort before it any more. */
  isSettled: boolean;
}

export interface SettledPage<Row> {
  rows: Row[];
  /** There was more when the page was asked for; also true when something has to be waited for longer than this does. */
  hasMore: boolean;
}

/** Doubling from here, about a second in all: writers hold a transaction open for milliseconds. */
const FIRST_PAUSE_MS = 4;
const MAX_PAUSES = 8;

/**
 * Reads a page of rows that are written in order but become visible out of order (RULES Q2): it ends before the first row
 * that a neighbour may still sort before, since the next page must not have passed that one. What was visible at the
 * first look is waited for, so a caller finds in it all that was acknowledged before.
 * @param read the rows after the position, in order, at most one more than `limit`.
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
