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

test('a row with a fault keeps it, with its cells if they can be stored', async () => {
  const taken = createChunkedRows('user', 1000);
  taken.header(['user', 'text']);
  taken.row(1, ['ada', 'x"y'], 'Line 2 has a quotation mark.');
  taken.row(2, [], 'The row contains the character U+0000.');
  const stored = [...rowsOfChunks(await taken.chunks(100, async () => {}))];
  expect(stored).toEqual([
    [1, ['ada', 'x"y'], 'Line 2 has a quotation mark.'],
    [2, [], 'The row contains the character U+0000.'],
  ]);
});

async function chunksOf(rows: readonly [string, string][]) {
  const taken = createChunkedRows('user', 1000);
  taken.header(['user', 'text']);
  for (const [index, cells] of rows.entries()) taken.row(index + 1, [...cells], null);
  return taken.chunks(100, async () => {});
}
