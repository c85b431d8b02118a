import { describe, expect, test } from 'vitest';
import { csvStream } from '#kit/csv.js';

interface Row {
  text: string | null;
  amount: number;
}

const columns = [
  { name: 'text', value: (row: Row) => row.text },
  { name: 'amount', value: (row: Row) => row.amount },
];

async function written(pages: Row[][], maxRows = 100): Promise<string> {
  async function* source(): AsyncGenerator<Row[]> {
    yield* pages;
  }
  let text = '';
  for await (const chunk of csvStream(columns, source(), { maxRows })) text += chunk;
  return text;
}

const row = (text: string | null, amount = 1): Row => ({ text, amount });

describe('CSV', () => {
  test.each([
    ['an empty cell for nothing', row(null, 2), ',2'],
    ['quotes around commas, quotes and line breaks', row('a,"b"\nc'), '"a,""b""\nc",1'],
    ['the sign of a number', row('-5.25', -3), '-5.25,-3'],
    ['quotes around what looks like a comment', row('# note'), '"# note",1'],
  ])('has a header, CRLF line ends, and %s', async (_, one, line) => {
    expect(await written([[one]])).toBe(`text,amount\r\n${line}\r\n`);
  });

  test.each(['=1+1', '+a', '-a', '@a', '\ta', '\ra', '＝1'])(
    'a text like %j cannot run in a spreadsheet',
    async (text) => {
      const line = (await written([[row(text)]])).slice('text,amount\r\n'.length);
      expect(line.replace('"', '').startsWith("'")).toBe(true);
    },
  );

  test('only a truncated file has a notice in its last line', async () => {
    const pages = [[row('a'), row('b')], [row('c')]];
    expect(await written(pages, 2)).toBe('text,amount\r\na,1\r\nb,1\r\n# TRUNCATED\r\n');
    expect(await written(pages, 3)).toBe('text,amount\r\na,1\r\nb,1\r\nc,1\r\n');
  });
});
