import type { YieldTurn } from '../../../kit/backpressure/yielder.js';
import type { Engine } from '../../../kit/db/database.js';
import type { NumberedRow } from './mapRows.js';
import type { ImportFile } from './readFile.js';

/**
 * Rows per transaction. On a server enough to share its costs, few enough that it lasts some tens of milliseconds. The embedded database
 * has one connection, and every request waits for what is on it; there a commit costs next to nothing.
 */
const CHUNK_ROWS: Readonly<Record<Engine, number>> = { postgresql: 2000, pglite: 100 };

/**
 * The rows of a file as they are stored and worked off, in UTF-8, those about one subject together: few subjects are then touched by each chunk,
 * which halves the work of the database, and a score is computed once, when all of its rows are there. Rows about one subject keep
 * their order.
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

/** What ASCII has for it: files that hold these themselves are rare, and a chunk that does is kept as JSON, which takes three times as long. */
const CELLS = '\x1f';
const ROWS = '\x1e';

function textOf(rows: readonly NumberedRow[]): string {
  const hasSeparators = rows.some(([, cells]) =>
    cells.some((cell) => cell.includes(CELLS) || cell.includes(ROWS)),
  );
  if (hasSeparators) return JSON.stringify(rows);
  return rows.map(([row, cells]) => `${row}${CELLS}${cells.join(CELLS)}`).join(ROWS);
}

/** One at a time: whoever reads them may breathe between two. */
export function* rowsOfChunk(chunk: string): Generator<NumberedRow> {
  if (chunk.startsWith('[')) return yield* JSON.parse(chunk) as NumberedRow[];
  for (const text of chunk.split(ROWS)) {
    const [row, ...cells] = text.split(CELLS);
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
    if (number % ROWS_PER_BREATH === 0) await yieldTurn();
  }
  return [...groups.values()].flat();
}

const ROWS_PER_BREATH = 256;
