import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createChunkedRows, rowsOfChunks } from '../../../src/features/intake/imports/chunks.js';

const character = fc.constantFrom(',', '"', '\n', '\r', '\t', '\x1d', 'a', 'é', '');
const cell = fc.array(character, { maxLength: 12 }).map((characters) => characters.join(''));

test('stored rows have the cells of the file', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 20 }), async (rows) => {
      const expected = rows.map((cells, index) => [index + 1, cells]);
      const stored = [...rowsOfChunks(await chunksOf(rows))];
      expect(stored.toSorted(([a], [b]) => a - b)).toEqual(expected);
    }),
  );
});

async function chunksOf(rows: readonly [string, string][]) {
  const taken = createChunkedRows('user', 1000);
  taken.header(['user', 'text']);
  for (const [index, cells] of rows.entries()) taken.row(index + 1, [...cells]);
  return taken.chunks(100, async () => {});
}
