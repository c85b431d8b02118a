import type { YieldTurn } from '#kit/backpressure/yielder.js';
import type { Database } from '#kit/db/database.js';
import { freeBlocks, memoryInBlocks } from '#kit/largeMemory.js';
import { CELL_SEPARATOR, type NumberedRow, ROW_SEPARATOR, type RowTaker } from './readFile.js';

/**
 * Rows per transaction. On a server: enough to share the cost of a commit, few enough for some tens
 * of milliseconds. On the embedded database: few, because all requests wait for its only
 * connection, and a commit costs almost nothing.
 */
export function chunkRowsOf({ hasOneConnection }: Pick<Database, 'hasOneConnection'>): number {
  return hasOneConnection ? 100 : 2000;
}

/** A chunk is read at once. A longer row is a chunk of its own. */
const CHUNK_BYTES = 512 * 1024;

/** The rows of a file while it is read. */
interface ChunkedRows extends RowTaker {
  readonly columns: readonly string[];
  /**
   * As chunks to store, in UTF-8. Rows about one subject stay together and keep their order. Each
   * chunk then touches few subjects, which halves the work of the database, and each score is
   * computed once.
   */
  chunks(chunkRows: number, yieldTurn: YieldTurn): Promise<Uint8Array<ArrayBuffer>[]>;
}

/**
 * Keeps each row as its bytes: as cells, a file of 32 MiB would take half a gigabyte.
 * @param fileBytes the length of the file.
 */
export function createChunkedRows(userColumn: string | null, fileBytes: number): ChunkedRows {
  const bySubject = new Map<string, Buffer<ArrayBuffer>[]>();
  const takeRow = memoryInBlocks(fileBytes);
  let columns: readonly string[] = [];
  let column = -1;
  return {
    get columns() {
      return columns;
    },
    header(names) {
      columns = names.map(detached);
      column = userColumn === null ? -1 : names.indexOf(userColumn);
    },
    row(number, cells, fault) {
      // A row with a fault has a negative number, with the fault behind it.
      const head = fault === null ? [number] : [-number, fault];
      const text = [...head, ...cells].join(CELL_SEPARATOR);
      const row = takeRow(Buffer.byteLength(text));
      row.write(text);
      const subject = cells[column] ?? '';
      const group = bySubject.get(subject);
      if (group) group.push(row);
      else bySubject.set(detached(subject), [row]);
    },
    async chunks(chunkRows, yieldTurn) {
      const chunks: Uint8Array<ArrayBuffer>[] = [];
      const takeChunk = memoryInBlocks(fileBytes);
      let pending: Buffer[] = [];
      let bytes = 0;
      const end = () => {
        if (pending.length > 0) chunks.push(join(pending, takeChunk(bytes - 1)));
        pending = [];
        bytes = 0;
      };
      for (const group of bySubject.values()) {
        for (const row of group) {
          if (pending.length === chunkRows || bytes + row.length > CHUNK_BYTES) end();
          pending.push(row);
          bytes += row.length + 1;
          await yieldTurn();
        }
      }
      end();
      for (const group of bySubject.values()) freeBlocks(group);
      return chunks;
    },
  };
}

/** A copy: V8 keeps the whole text that a part of it was cut from. */
function detached(text: string): string {
  return Buffer.from(text).toString();
}

function rowOf(text: string): NumberedRow {
  const [number, ...cells] = text.split(CELL_SEPARATOR);
  const row = Number(number);
  return row > 0 ? [row, cells] : [-row, cells.slice(1), cells[0]];
}

function join(rows: readonly Buffer[], chunk: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  let at = 0;
  for (const row of rows) {
    if (at > 0) chunk[at++] = ROW_SEPARATOR.charCodeAt(0);
    chunk.set(row, at);
    at += row.length;
  }
  return chunk;
}

export function* rowsOfChunks(chunks: readonly Uint8Array[]): Generator<NumberedRow> {
  const decoder = new TextDecoder();
  for (const chunk of chunks) yield* rowsOfChunk(decoder.decode(chunk));
}

/** One at a time, so that the reader can yield between two. */
export function* rowsOfChunk(chunk: string): Generator<NumberedRow> {
  for (const text of chunk.split(ROW_SEPARATOR)) yield rowOf(text);
}
