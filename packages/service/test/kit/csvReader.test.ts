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

function errorOf(text: string, pieceLength?: number): string {
  try {
    read(text, pieceLength);
  } catch (error) {
    if (error instanceof CsvError) return error.message;
    throw error;
  }
  throw new Error('it was read');
}

describe('a CSV is read', () => {
  test.each<[what: string, text: string, rows: string[][]]>([
    [
      'with LF',
      'a,b\nc,d\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'with CRLF',
      'a,b\r\nc,d\r\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'with CR',
      'a,b\rc,d\r',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['with all of them', 'a\nb\r\nc\rd', [['a'], ['b'], ['c'], ['d']]],
    [
      'without a last line break',
      'a,b\nc,d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'with empty cells',
      ',a,\n,,',
      [
        ['', 'a', ''],
        ['', '', ''],
      ],
    ],
    [
      'with quoted cells',
      '"a","b, c"\n"d ""e""",f',
      [
        ['a', 'b, c'],
        ['d "e"', 'f'],
      ],
    ],
    ['with line breaks in quotes', '"a\r\nb\rc\nd",e', [['a\r\nb\rc\nd', 'e']]],
    ['with a quoted cell at the end', 'a,"b"', [['a', 'b']]],
    ['with empty quoted cells', '"",""\n""', [['', ''], ['']]],
    ['with spaces in cells', ' a , b\n', [[' a ', ' b']]],
    ['with empty lines, which are skipped', '\n\na\n\r\n\nb\n\n', [['a'], ['b']]],
    ['with rows of any length', 'a\nb,c,d\n', [['a'], ['b', 'c', 'd']]],
    ['without content', '', []],
    ['with letters of every kind', 'ä,ß,漢,🙂\u2028', [['ä', 'ß', '漢', '🙂\u2028']]],
    ['with cells of quotes only', '""""\n""""""', [['"'], ['""']]],
  ])('%s', (_, text, rows) => {
    for (const pieceLength of [undefined, 1, 2, 3]) expect(read(text, pieceLength)).toEqual(rows);
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
    for (const pieceLength of [undefined, 1, 2]) expect(errorOf(text, pieceLength)).toMatch(message);
  });
});

const COLUMNS: readonly CsvColumn<readonly string[]>[] = [0, 1, 2].map((index) => ({
  name: `column ${index}`,
  value: (row) => row[index] ?? '',
}));

/** Texts that the writer does not change: it escapes formulas of spreadsheets. */
const cell = fc
  .string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', '#', 'ü', '🙂', '0'), maxLength: 8 })
  .filter((text) => !/^[\r\n]/.test(text));

test('the output of the writer is read back in chunks of any size', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(cell, cell, cell)),
      fc.integer({ min: 1, max: 9 }),
      async (rows, piece) => {
        let text = '';
        for await (const chunk of csvStream(COLUMNS, onePage(rows), { maxRows: 1000 })) text += String(chunk);
        expect(read(text, piece)).toEqual([COLUMNS.map(({ name }) => name), ...rows]);
      },
    ),
  );
});

test('any text has the same result in one chunk and in many', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' '), maxLength: 30 });
  const outcome = (csv: string, piece?: number) => {
    try {
      return read(csv, piece);
    } catch (error) {
      return error instanceof CsvError ? error.message : Promise.reject(error);
    }
  };
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 5 }), (csv, piece) => {
      expect(outcome(csv, piece)).toEqual(outcome(csv));
    }),
  );
});
