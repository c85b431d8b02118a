import { describe, expect, test } from 'vitest';
import { encodeCursor } from '#kit/http/cursor.js';
import { type NewestPosition, newestPage, newestPositionOf } from '#ledger/reads/newestPage.js';

const NEWEST: NewestPosition = { beforeId: null, horizon: null };

/**
 * The states of the table at each look; the last one repeats. Text: 'horizon: row row', newest
 * first. A row is its id, which is also its transaction.
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
  test('is read once if no transaction is open', async () => {
    const table = looks('10: 9 8 7');
    expect(await firstPage(3, table)).toEqual({ ids: '9 8 7', nextCursor: null });
    expect(table.asked).toEqual([NEWEST]);
    expect(await firstPage(3, looks('10:'))).toEqual({ ids: '', nextCursor: null });
  });

  test('waits for the transactions open at the first look, not for newer ones', async () => {
    const table = looks('7: 8 7 6', '7: 8 7 6', '9: 12 8 7 6');
    expect(await firstPage(5, table)).toEqual({ ids: '8 7 6', nextCursor: null });
  });

  test('omits rows that an open transaction may still precede when the wait takes too long', async () => {
    expect(await firstPage(5, looks('7: 9 8 6 5'))).toEqual({ ids: '6 5', nextCursor: null });
  });

  test('puts the transactions of the whole walk into its cursor', async () => {
    expect(await firstPage(2, looks('10: 9 8 7'))).toEqual({
      ids: '9 8',
      nextCursor: encodeCursor(['8', '10']),
    });
  });

  test('shows on later pages no row written after the first page', async () => {
    const table = looks('14: 13 12 7 6');
    const page = await newestPage(5, { beforeId: '13', horizon: '10' }, table.read);
    expect(page.rows.map(({ id }) => id)).toEqual(['7', '6']);
  });

  test('refuses a foreign cursor', () => {
    for (const cursor of ['nonsense', encodeCursor([1]), encodeCursor(['not an id', '7'])]) {
      expect(() => newestPositionOf(cursor)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }));
    }
    expect(newestPositionOf(undefined)).toEqual(NEWEST);
  });
});
