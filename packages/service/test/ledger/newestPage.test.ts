import { describe, expect, test } from 'vitest';
import { encodeCursor } from '../../src/kit/http/cursor.js';
import { type NewestPosition, newestPage, newestPositionOf } from '../../src/ledger/reads/newestPage.js';

const NEWEST: NewestPosition = { beforeId: null, horizon: null };

/**
 * Looks at the table one after the other; the last one stays. Text: 'horizon: row row', newest first, a row being its id,
 * which is also its transaction.
 */
function looks(...tables: string[]) {
  const asked: NewestPosition[] = [];
  return {
    asked,
    read: async (position: NewestPosition) => {
      const [horizon = '', rows = ''] = (tables[Math.min(asked.length, tables.length - 1)] ?? '').split(':');
      asked.push(position);
      return rows
        .split(' ')
        .filter((id) => id !== '')
        .filter((id) => position.horizon === null || Number(id) < Number(position.horizon))
        .filter((id) => position.beforeId === null || Number(id) < Number(position.beforeId))
        .map((id) => ({ id, xid: id, isSettled: Number(id) < Number(horizon), horizon }));
    },
  };
}

async function firstPage(limit: number, table: ReturnType<typeof looks>) {
  const { rows, nextCursor } = await newestPage(limit, NEWEST, table.read);
  return { ids: rows.map(({ id }) => id).join(' '), nextCursor };
}

describe('a page newest first', () => {
  test('is read once when nothing is open', async () => {
    const table = looks('10: 9 8 7');
    expect(await firstPage(3, table)).toEqual({ ids: '9 8 7', nextCursor: null });
    expect(table.asked).toEqual([NEWEST]);
    expect(await firstPage(3, looks('10:'))).toEqual({ ids: '', nextCursor: null });
  });

  test('waits for what was visible at the first look, and for nothing newer', async () => {
    const table = looks('7: 8 7 6', '7: 8 7 6', '9: 12 8 7 6');
    expect(await firstPage(5, table)).toEqual({ ids: '8 7 6', nextCursor: null });
  });

  test('leaves out what may still be joined by a neighbour, when that takes too long', async () => {
    expect(await firstPage(5, looks('7: 9 8 6 5'))).toEqual({ ids: '6 5', nextCursor: null });
  });

  test('names in its cursor the transactions that the whole walk is about', async () => {
    expect(await firstPage(2, looks('10: 9 8 7'))).toEqual({
      ids: '9 8',
      nextCursor: encodeCursor(['8', '10']),
    });
  });

  test('shows on later pages nothing that was written meanwhile, wherever it sorts', async () => {
    const table = looks('14: 13 12 7 6');
    const page = await newestPage(5, { beforeId: '13', horizon: '10' }, table.read);
    expect(page.rows.map(({ id }) => id)).toEqual(['7', '6']);
  });

  test('refuses a cursor that is none of its own', () => {
    for (const cursor of ['nonsense', encodeCursor([1]), encodeCursor(['not an id', '7'])]) {
      expect(() => newestPositionOf(cursor)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }));
    }
    expect(newestPositionOf(undefined)).toEqual(NEWEST);
  });
});
