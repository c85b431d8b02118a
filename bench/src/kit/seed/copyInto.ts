import type pg from 'pg';
import type { Connection, Submittable } from 'pg';

/** A column of a seeded table: its name and its value in a row. */
export interface Column<Row> {
  readonly name: string;
  value(row: Row): Cell;
}

export type Cell = string | number | boolean | Date | object | null;

/** A table and its columns. Columns that are not listed take their defaults. */
export interface SeededTable<Row> {
  readonly name: string;
  readonly columns: readonly Column<Row>[];
}

/** Writes rows with COPY, ten times faster than multi-row inserts. Resolves when they are committed. */
export function copyInto<Row>(
  client: pg.Client,
  table: SeededTable<Row>,
  rows: readonly Row[],
): Promise<void> {
  const names = table.columns.map((column) => column.name).join(', ');
  return new Promise((resolve, reject) => {
    const lines = linesOf(table, rows);
    client.query(new Copy(`copy ${table.name} (${names}) from stdin`, lines, resolve, reject));
  });
}

function* linesOf<Row>({ columns }: SeededTable<Row>, rows: readonly Row[]): Generator<Buffer> {
  for (let first = 0; first < rows.length; first += ROWS_PER_CHUNK) {
    const chunk = rows.slice(first, first + ROWS_PER_CHUNK);
    const lines = chunk.map((row) => columns.map((column) => cell(column.value(row))).join('\t'));
    yield Buffer.from(`${lines.join('\n')}\n`);
  }
}

const ROWS_PER_CHUNK = 500;

function cell(value: Cell): string {
  if (value === null) return '\\N';
  if (typeof value === 'boolean') return value ? 't' : 'f';
  if (value instanceof Date) return value.toISOString();
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return NEEDS_ESCAPE.test(text) ? text.replace(ESCAPED, (found) => ESCAPES[found] ?? found) : text;
}

const NEEDS_ESCAPE = /[\\\t\n\r]/;
const ESCAPED = /[\\\t\n\r]/g;
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** The interface that pg expects of a COPY query. pg does not provide one. */
class Copy implements Submittable {
  #error: Error | undefined;

  constructor(
    private readonly text: string,
    private readonly chunks: Iterable<Buffer>,
    private readonly resolve: () => void,
    private readonly reject: (error: Error) => void,
  ) {}

  submit(connection: Connection): void {
    connection.query(this.text);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    for (const chunk of this.chunks) connection.sendCopyFromChunk(chunk);
    connection.endCopyFrom();
  }

  handleError(error: Error): void {
    this.#error = error;
    this.reject(error);
  }

  handleReadyForQuery(): void {
    if (!this.#error) this.resolve();
  }

  handleCommandComplete(): void {}
  handleRowDescription(): void {}
  handleDataRow(): void {}
}

interface CopyConnection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}
