import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CsvColumn, CsvError, createCsvReader, csvStream, onePage } from '#kit/csv.js';

/** @param pieceLength the length of each chunk of the text. */
function read(text: string, pieceLength = text.length || 1, faults: (string | null)[] = []): string[][] {
  const rows: string[][] = [];
  const onRow = (cells: string[], fault: string | null) => {
    rows.push(cells);
    faults.push(fault);
  };
  const reader = createCsvReader({ onRow, maxCells: 20 });
  for (let at = 0; at < text.length; at += pieceLength) reader.push(text.slice(at, at + pieceLength));
  reader.end();
  return rows;
}

/** The rows and what is wrong with each, or with the file. */
function outcomeOf(text: string, pieceLength?: number) {
  const faults: (string | null)[] = [];
  try {
    return { rows: read(text, pieceLength, faults), faults };
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
    [
      'a quote that a later row closes',
      'a\n"b\n"c"\n',
      /quotation mark on line 2 is never closed\. Line 3 has text/,
    ],
  ])('for %s', (_, text, message) => {
    for (const pieceLength of [undefined, 1, 2]) expect(outcomeOf(text, pieceLength)).toMatch(message);
  });
});

describe('a row alone is faulty', () => {
  test.each([
    ['a quote in the middle of a cell', 'b"c",d', /Line 3 .* in the middle of a cell/],
    ['a quote behind a space', 'a, "b"', /Line 3 .* in the middle of a cell/],
    ['text behind a closing quote', '"b"c,"d"', /Line 3 has text after the closing quotation mark/],
    ['a space behind a closing quote', '"a" ,b', /Line 3 has text after/],
    ['a backslash in place of a second quote', '"a\\"b"', /Line 3 has text after/],
    ['an error after a cell of several lines', '"a\nb\r\nc",d"', /Line 5 /],
    ['more cells than any table has', ','.repeat(20), /Line 3 has more than 20 cells/],
  ])('by %s, and the rows around it are read', (_, text, message) => {
    for (const pieceLength of [undefined, 1, 2]) {
      const { rows, faults } = outcomeOf(`x,y\n\n${text}\r\nz,"w"\n`, pieceLength) as Exclude<
        ReturnType<typeof outcomeOf>,
        string
      >;
      expect([rows[0], rows[2]]).toEqual([
        ['x', 'y'],
        ['z', 'w'],
      ]);
      expect(faults).toEqual([null, expect.stringMatching(message), null]);
    }
  });

  test('by a cell or a row that is too long, of which nothing is kept', () => {
    const found: unknown[] = [];
    const onRow = (cells: string[], fault: string | null) => found.push([cells.join().length, fault]);
    const reader = createCsvReader({ onRow, maxCells: 20, maxCellLength: 100, maxRowLength: 250 });
    const long = 'x'.repeat(1000);
    const rows = [`${long},b`, `"${long}""${long}",b`, Array(5).fill('y'.repeat(90)).join(), 'c,d'];
    for (const character of `${rows.join('\n')}\n`) reader.push(character);
    reader.end();
    expect(found).toEqual([
      [2, expect.stringMatching(/line 1, column 1 has more than 100/)],
      [2, expect.stringMatching(/line 2, column 1 has more than 100/)],
      [181, expect.stringMatching(/on line 3 has more than 250/)],
      [3, null],
    ]);
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
