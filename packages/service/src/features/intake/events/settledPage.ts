import { setTimeout as pause } from 'node:timers/promises';

export interface SettledRow {
  /** Every transaction before the row's own has ended: no new row can sort before it. */
  isSettled: boolean;
}

export interface SettledPage<Row> {
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
