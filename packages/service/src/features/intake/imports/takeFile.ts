import { createYielder, type YieldTurn } from '../../../kit/backpressure/yielder.js';
import type { CsvSeparator } from '../../../kit/csv.js';
import { freeBlocks } from '../../../kit/largeMemory.js';
import { createChunkedRows } from './chunks.js';
import { scanImportFile } from './readFile.js';

/** The file of a request, and how to read it. */
export interface SentFile {
  /** Freed when they have been read. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly maxRows: number;
  readonly separator: CsvSeparator;
  /** The column with the subject of a row; null if there is none. */
  readonly userColumn: string | null;
  readonly chunkRows: number;
}

export interface TakenFile {
  readonly header: readonly string[];
  readonly totalRows: number;
  readonly chunks: readonly Uint8Array<ArrayBuffer>[];
}

/** Throws as `readImportFile` does. */
export type FileReader = (file: SentFile) => Promise<TakenFile>;

/**
 * Files with up to this many rows are recorded before the answer, larger ones are queued (RULES
 * J5).
 */
export const INLINE_ROWS = 100;

export async function takeFile(file: SentFile, yieldTurn: YieldTurn = createYielder()): Promise<TakenFile> {
  const { bytes, maxRows, separator, userColumn, chunkRows } = file;
  const rows = createChunkedRows(userColumn, bytes.length);
  const totalRows = await scanImportFile(bytes, rows, { maxRows, separator, yieldTurn }).finally(() =>
    freeBlocks([bytes]),
  );
  return { header: rows.columns, totalRows, chunks: await rows.chunks(chunkRows, yieldTurn) };
}
