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
  test('has a header, CRLF line ends and an empty cell for nothing', async () => {
    expect(await written([[row('a'), row(null, 2)]])).toBe('text,amount\r\na,1\r\n,2\r\n');
  });

  test('quotes cells with commas, quotes and line breaks', async () => {
    expect(await written([[row('a,"b"\nc')]])).toBe('text,amount\r\n"a,""b""\nc",1\r\n');
  });

  test.each(['=1+1', '+a', '-a', '@a', '\ta', '\ra', '＝1'])(
    'a text like %j cannot run in a spreadsheet',
    async (text) => {
      const line = (await written([[row(text)]])).slice('text,amount\r\n'.length);
      expect(line.replace('"', '').startsWith("'")).toBe(true);
    },
  );

  test('numbers keep their sign', async () => {
    expect(await written([[row('-5.25', -3)]])).toBe('text,amount\r\n-5.25,-3\r\n');
  });

  test('a first cell that looks like a comment is quoted', async () => {
    expect(await written([[row('# note')]])).toBe('text,amount\r\n"# note",1\r\n');
  });

  test('only a truncated file has a notice in its last line', async () => {
    const pages = [[row('a'), row('b')], [row('c')]];
    expect(await written(pages, 2)).toBe('text,amount\r\na,1\r\nb,1\r\n# TRUNCATED\r\n');
    expect(await written(pages, 3)).toBe('text,amount\r\na,1\r\nb,1\r\nc,1\r\n');
  });
});
