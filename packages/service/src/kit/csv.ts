import { Readable } from 'node:stream';

export interface CsvColumn<Row> {
  name: string;
  value(row: Row): string | number | boolean | Date | null;
}

/** A CSV that is being sent. Usage is metered by `rowsWritten`. */
export interface CsvStream extends Readable {
  readonly rowsWritten: number;
}

export function isCsvStream(body: unknown): body is CsvStream {
  return body instanceof Readable && 'rowsWritten' in body;
}

/**
 * Rows as CSV (RFC 4180), one page at a time, so memory does not grow with the file. Rows beyond
 * `maxRows` are cut, and the last line says so.
 */
export function csvStream<Row>(
  columns: readonly CsvColumn<Row>[],
  pages: AsyncIterable<readonly Row[]>,
  { maxRows }: { maxRows: number },
): CsvStream {
  const counter = { rowsWritten: 0 };
  const stream = Readable.from(lines(columns, pages, maxRows, counter), { objectMode: false });
  return Object.defineProperty(stream, 'rowsWritten', { get: () => counter.rowsWritten }) as CsvStream;
}

async function* lines<Row>(
  columns: readonly CsvColumn<Row>[],
  pages: AsyncIterable<readonly Row[]>,
  maxRows: number,
  counter: { rowsWritten: number },
): AsyncGenerator<string> {
  yield `${columns.map((column) => column.name).join(',')}\r\n`;
  for await (const page of pages) {
    const rows = page.slice(0, maxRows - counter.rowsWritten);
    counter.rowsWritten += rows.length;
    if (rows.length > 0) yield rows.map((row) => lineOf(columns, row)).join('');
    if (rows.length < page.length) {
      yield '# TRUNCATED\r\n';
      break;
    }
  }
}

function lineOf<Row>(columns: readonly CsvColumn<Row>[], row: Row): string {
  const cells = columns.map((column) => cell(column.value(row)));
  // A reader that skips comment lines must not skip this row.
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

/** Texts that a spreadsheet would take for a formula (RULES P5), in ASCII and in full width. */
const RUN_BY_SPREADSHEETS = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;
const NUMBER = /^[+-]?\d+(\.\d+)?$/;
const NEEDS_QUOTES = /[",\r\n]/;

/** Makes rows in memory the only page for `csvStream`. */
export async function* onePage<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  yield rows;
}

/**
 * Headers of a CSV answer that a browser saves as `filename`.
 * @param maxRows the limit of the export, if it has one.
 */
export function csvHeaders(filename: string, maxRows?: number): Record<string, string> {
  return {
    'Content-Type': CSV_TYPE,
    'Content-Disposition': `attachment; filename="${filename}"`,
    ...(maxRows !== undefined && { 'X-Export-Max-Rows': String(maxRows) }),
  };
}

export const CSV_TYPE = 'text/csv; charset=utf-8; header=present';
