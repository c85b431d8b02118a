import { describe, expect, test } from 'vitest';
import { settledPage } from '../../src/features/intake/events/store.js';

interface Row {
  id: string;
  isSettled: boolean;
}

/**
 * The states of the table at each look; the last one repeats. Text: 'a b! c', where `!` marks an
 * open row.
 */
function looks(...tables: string[]) {
  let count = 0;
  return {
    read: async (): Promise<Row[]> => {
      const table = tables[Math.min(count, tables.length - 1)] ?? '';
      count += 1;
      return table
        .split(' ')
        .filter((cell) => cell !== '')
        .map((cell) => ({ id: cell.replace('!', ''), isSettled: !cell.endsWith('!') }));
    },
    get count() {
      return count;
    },
  };
}

async function pageOf(limit: number, table: { read(): Promise<Row[]> }) {
  const { rows, hasMore } = await settledPage(limit, (row) => row.id, table.read);
  return { ids: rows.map(({ id }) => id).join(' '), hasMore };
}

describe('a page of settled rows', () => {
  test('is read once if no row is open', async () => {
    const table = looks('a b c');
    expect(await pageOf(3, table)).toEqual({ ids: 'a b c', hasMore: false });
    expect(await pageOf(2, looks('a b c'))).toEqual({ ids: 'a b', hasMore: true });
    expect(await pageOf(2, looks(''))).toEqual({ ids: '', hasMore: false });
    expect(table.count).toBe(1);
  });

  test('does not wait for an open row past its end', async () => {
    const table = looks('a b c!');
    expect(await pageOf(2, table)).toEqual({ ids: 'a b', hasMore: true });
    expect(table.count).toBe(1);
  });

  test('waits for the rows open at the first look', async () => {
    expect(await pageOf(5, looks('a b! c!', 'a b c!', 'a b c'))).toEqual({ ids: 'a b c', hasMore: false });
  });

  test('includes rows that sort before a row it waited for', async () => {
    expect(await pageOf(5, looks('a c!', 'a b c'))).toEqual({ ids: 'a b c', hasMore: false });
    expect(await pageOf(2, looks('a c!', 'a b c'))).toEqual({ ids: 'a b', hasMore: true });
  });

  test('does not wait for rows newer than the request', async () => {
    expect(await pageOf(5, looks('a b!', 'a b c!'))).toEqual({ ids: 'a b', hasMore: false });
  });

  test('never passes an open row and says that there is more', async () => {
    expect(await pageOf(5, looks('a b! c'))).toEqual({ ids: 'a', hasMore: true });
    expect(await pageOf(5, looks('a!'))).toEqual({ ids: '', hasMore: true });
  });
});
