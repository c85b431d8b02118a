import { Readable } from 'node:stream';

export interface CsvColumn<Row> {
  name: string;
  value(row: Row): string | number | boolean | Date | null;
}

/**
 * Rows as CSV (RFC 4180), a page at a time, so that memory does not grow with the file. What goes past `maxRows` is
 * cut, and the last line says so.
 * @param onEnd told the number of rows once the stream is through.
 */
export function csvStream<Row>(
  columns: readonly CsvColumn<Row>[],
  pages: AsyncIterable<readonly Row[]>,
  { maxRows, onEnd }: { maxRows: number; onEnd?: (rows: number) => void },
): Readable {
  return Readable.from(lines(columns, pages, maxRows, onEnd), { objectMode: false });
}

async function* lines<Row>(
  columns: readonly CsvColumn<Row>[],
  pages: AsyncIterable<readonly Row[]>,
  maxRows: number,
  onEnd: ((rows: number) => void) | undefined,
): AsyncGenerator<string> {
  yield `${columns.map((column) => column.name).join(',')}\r\n`;
  let written = 0;
  for await (const page of pages) {
    const rows = page.slice(0, maxRows - written);
    written += rows.length;
    if (rows.length > 0) yield rows.map((row) => lineOf(columns, row)).join('');
    if (rows.length < page.length) {
      yield '# TRUNCATED\r\n';
      break;
    }
  }
  onEnd?.(written);
}

function lineOf<Row>(columns: readonly CsvColumn<Row>[], row: Row): string {
  const cells = columns.map((column) => cell(column.value(row)));
  // A reader that skips comments must not take a first cell for one.
  if (cells[0]?.startsWith('#')) cells[0] = `"${cells[0]}"`;
  return `${cells.join(',')}\r\n`;
}

function cell(value: string | number | boolean | Date | null): string {
  if (value === null) return '';
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'string') return String(value);
  const guarded = RUN_BY_SPREADSHEETS.test(value) && !NUMBER.test(value) ? `'${value}` : value;
  return NEEDS_QUOTES.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

/** Texts that a spreadsheet would take for a formula (DECISIONS 3, OWASP), in ASCII and in full width. */
const RUN_BY_SPREADSHEETS = /^[=+\-@\t\r\n＝＋－＠]/;
const NUMBER = /^[+-]?\d+(\.\d+)?$/;
const NEEDS_QUOTES = /[",\r\n]/;

/** Headers of a CSV answer that a browser saves under `filename`. */
export function csvHeaders(filename: string, maxRows: number): Record<string, string> {
  return {
    'Content-Type': CSV_TYPE,
    'Content-Disposition': `attachment; filename="${filename}"`,
    'X-Export-Max-Rows': String(maxRows),
  };
}

export const CSV_TYPE = 'text/csv; charset=utf-8; header=present';
