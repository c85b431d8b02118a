import type { YieldTurn } from '../../../kit/backpressure/yielder.js';
import type { Engine } from '../../../kit/db/database.js';
import type { NumberedRow } from './mapRows.js';
import type { ImportFile } from './readFile.js';

/**
 * Rows per transaction. On a server: enough to share the cost of a commit, few enough for some tens
 * of milliseconds. On the embedded database: few, because all requests wait for its only
 * connection, and a commit costs almost nothing.
 */
const CHUNK_ROWS: Readonly<Record<Engine, number>> = { postgresql: 2000, pglite: 100 };

/**
 * The rows of a file as chunks to store, in UTF-8. Rows about one subject stay together and keep
 * their order. Each chunk then touches few subjects, which halves the work of the database, and
 * each score is computed once.
 */
export async function chunksOf(
  file: ImportFile,
  userColumn: string | null,
  engine: Engine,
  yieldTurn: YieldTurn,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const ordered = await bySubject(file, userColumn, yieldTurn);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const length = CHUNK_ROWS[engine];
  const encoder = new TextEncoder();
  for (let start = 0; start < ordered.length; start += length) {
    chunks.push(encoder.encode(textOf(ordered.slice(start, start + length))));
    await yieldTurn();
  }
  return chunks;
}

/**
 * The unit and record separators of ASCII. A chunk that contains them is stored as JSON, which
 * takes three times as long; such files are rare.
 */
const CELL_SEPARATOR = '\x1f';
const ROW_SEPARATOR = '\x1e';

function textOf(rows: readonly NumberedRow[]): string {
  const hasSeparators = rows.some(([, cells]) =>
    cells.some((cell) => cell.includes(CELL_SEPARATOR) || cell.includes(ROW_SEPARATOR)),
  );
  if (hasSeparators) return JSON.stringify(rows);
  return rows
    .map(([row, cells]) => `${row}${CELL_SEPARATOR}${cells.join(CELL_SEPARATOR)}`)
    .join(ROW_SEPARATOR);
}

/** One at a time, so that the reader can yield between two. */
export function* rowsOfChunk(chunk: string): Generator<NumberedRow> {
  if (chunk.startsWith('[')) return yield* JSON.parse(chunk) as NumberedRow[];
  for (const text of chunk.split(ROW_SEPARATOR)) {
    const [row, ...cells] = text.split(CELL_SEPARATOR);
    yield [Number(row), cells];
  }
}

/** In the order of the file. */
export function* numbered(rows: ImportFile['rows']): Generator<NumberedRow> {
  for (const [index, cells] of rows.entries()) yield [index + 1, cells];
}

async function bySubject(
  { header, rows }: ImportFile,
  userColumn: string | null,
  yieldTurn: YieldTurn,
): Promise<NumberedRow[]> {
  const column = userColumn === null ? -1 : header.indexOf(userColumn);
  const groups = new Map<string, NumberedRow[]>();
  for (const row of numbered(rows)) {
    const [number, cells] = row;
    const name = cells[column] ?? '';
    const group = groups.get(name);
    if (group) group.push(row);
    else groups.set(name, [row]);
    if (number % ROWS_PER_TURN === 0) await yieldTurn();
  }
  return [...groups.values()].flat();
}

const ROWS_PER_TURN = 256;
