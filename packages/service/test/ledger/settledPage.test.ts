import { describe, expect, test } from 'vitest';
import { settledPage } from '../../src/features/intake/events/settledPage.js';

interface Row {
  id: string;
  isSettled: boolean;
}

/** Looks at the table one after the other; the last one stays. Text: 'a b! c', where `!` marks an open row. */
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
  test('is read once when nothing is open', async () => {
    const table = looks('a b c');
    expect(await pageOf(3, table)).toEqual({ ids: 'a b c', hasMore: false });
    expect(await pageOf(2, looks('a b c'))).toEqual({ ids: 'a b', hasMore: true });
    expect(await pageOf(2, looks(''))).toEqual({ ids: '', hasMore: false });
    expect(table.count).toBe(1);
  });

  test('is not held up by an open row past its end', async () => {
    const table = looks('a b c!');
    expect(await pageOf(2, table)).toEqual({ ids: 'a b', hasMore: true });
    expect(table.count).toBe(1);
  });

  test('waits for what was visible at the first look', async () => {
    expect(await pageOf(5, looks('a b! c!', 'a b c!', 'a b c'))).toEqual({ ids: 'a b c', hasMore: false });
  });

  test('takes in what sorts before a row that it waited for', async () => {
    expect(await pageOf(5, looks('a c!', 'a b c'))).toEqual({ ids: 'a b c', hasMore: false });
    expect(await pageOf(2, looks('a c!', 'a b c'))).toEqual({ ids: 'a b', hasMore: true });
  });

  test('does not wait for what came after it was asked for', async () => {
    expect(await pageOf(5, looks('a b!', 'a b c!'))).toEqual({ ids: 'a b', hasMore: false });
  });

  test('never passes an open row, however long it stays, and says that there is more', async () => {
    expect(await pageOf(5, looks('a b! c'))).toEqual({ ids: 'a', hasMore: true });
    expect(await pageOf(5, looks('a!'))).toEqual({ ids: '', hasMore: true });
  });
});
