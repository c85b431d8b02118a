import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CsvColumn, CsvError, createCsvReader, csvStream, onePage } from '#kit/csv.js';

/** @param pieceLength the length of each chunk of the text. */
function read(text: string, pieceLength = text.length || 1): string[][] {
  const rows: string[][] = [];
  const reader = createCsvReader({ onRow: (cells) => rows.push(cells), maxCells: 20 });
  for (let at = 0; at < text.length; at += pieceLength) reader.push(text.slice(at, at + pieceLength));
  reader.end();
  return rows;
}

/** The rows, or what is wrong. */
function outcomeOf(text: string, pieceLength?: number): string[][] | string {
  try {
    return read(text, pieceLength);
  } catch (error) {
    if (error instanceof CsvError) return error.message;
    throw error;
  }
}

/** Texts that the writer does not change: it escapes formulas of spreadsheets. */
const cell = fc
  .string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', '#', 'ü', '🙂', '\u2028'), maxLength: 8 })
  .filter((text) => !/^[\r\n]/.test(text));
const piece = fc.integer({ min: 1, max: 9 });

describe('a CSV is read', () => {
  test('with rows of any length, quotes where they are needed or not, and any line ends', () => {
    const written = cell.chain((text) => {
      const quoted = `"${text.replaceAll('"', '""')}"`;
      const isPlain = !/[",\r\n]/.test(text);
      return fc.tuple(fc.constant(text), fc.constantFrom(quoted, isPlain ? text : quoted));
    });
    const row = fc
      .tuple(fc.array(written, { minLength: 1, maxLength: 5 }), fc.constantFrom('\n', '\r', '\r\n', '\n\r\n'))
      .map(([cells, end]) => ({
        cells: cells.map(([text]) => text),
        line: cells.map(([, it]) => it).join(),
        end,
      }))
      // An empty line is skipped.
      .filter(({ line }) => line !== '');
    fc.assert(
      fc.property(fc.array(row), fc.boolean(), piece, (rows, isEnded, pieceLength) => {
        const lines = rows.map(({ line, end }, at) => line + (isEnded || rows[at + 1] ? end : ''));
        expect(read(`\n${lines.join('')}`, pieceLength)).toEqual(rows.map(({ cells }) => cells));
      }),
      { numRuns: 500 },
    );
  });
});

describe('a CSV is refused', () => {
  test.each([
    ['a quote that is never closed', 'a,b\nc,"d\ne,f\n', /quotation mark on line 2 is never closed/],
    ['a quote that opens at the very end', 'a\n"', /quotation mark on line 2 is never closed/],
    ['a quote in the middle of a cell', 'a\nb"c"\n', /Line 2 .* in the middle of a cell/],
    ['a quote behind a space', 'a, "b"\n', /Line 1 .* in the middle of a cell/],
    ['text behind a closing quote', 'a\n\n"b"c\n', /Line 3 has text after the closing quotation mark/],
    ['a space behind a closing quote', '"a" ,b\n', /Line 1 has text after/],
    ['a backslash in place of a second quote', '"a\\"b"\n', /Line 1 has text after/],
    ['an error after a cell of several lines', '"a\nb\r\nc",d\ne"\n', /Line 4 /],
    ['more cells than any table has', `a\n${','.repeat(20)}\n`, /Line 2 has more than 20 cells/],
  ])('for %s', (_, text, message) => {
    for (const pieceLength of [undefined, 1, 2]) expect(outcomeOf(text, pieceLength)).toMatch(message);
  });
});

const COLUMNS: readonly CsvColumn<readonly string[]>[] = [0, 1, 2].map((index) => ({
  name: `column ${index}`,
  value: (row) => row[index] ?? '',
}));

test('the output of the writer is read back in chunks of any size', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(cell, cell, cell)), piece, async (rows, pieceLength) => {
      let text = '';
      for await (const chunk of csvStream(COLUMNS, onePage(rows), { maxRows: 1000 })) text += String(chunk);
      expect(read(text, pieceLength)).toEqual([COLUMNS.map(({ name }) => name), ...rows]);
    }),
  );
});

test('any text has the same result in one chunk and in many', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' '), maxLength: 30 });
  fc.assert(
    fc.property(text, piece, (csv, pieceLength) => {
      expect(outcomeOf(csv, pieceLength)).toEqual(outcomeOf(csv));
    }),
  );
});
