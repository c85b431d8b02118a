import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createChunkedRows, rowsOfChunks } from '../../../src/features/intake/imports/chunks.js';

const character = fc.constantFrom('\x1d', '\x1e', '\x1f', ']', '^', '_', '[', 'a', 'é', '');
const cell = fc.array(character, { maxLength: 12 }).map((characters) => characters.join(''));

test('stored rows have the cells of the file, also with the separators and escapes of the storage', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 20 }), async (rows) => {
      const expected = rows.map((cells, index) => [index + 1, cells]);
      const stored = [...rowsOfChunks(await chunksOf(rows))];
      expect(stored.toSorted(([a], [b]) => a - b)).toEqual(expected);
    }),
  );
});

test('a file of separators takes at most twice its bytes when it is stored', async () => {
  const rows = Array.from({ length: 100 }, (): [string, string] => ['w', '\x1f'.repeat(1000)]);
  const chunks = await chunksOf(rows);
  expect(chunks.reduce((bytes, chunk) => bytes + chunk.length, 0)).toBeLessThan(2.1 * 100 * 1000);
});

async function chunksOf(rows: readonly [string, string][]) {
  const taken = createChunkedRows('user', 1000);
  taken.header(['user', 'text']);
  for (const [index, cells] of rows.entries()) taken.row(index + 1, [...cells]);
  return taken.chunks(100, async () => {});
}
