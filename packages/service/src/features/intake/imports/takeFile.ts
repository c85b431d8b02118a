import { createYielder, type YieldTurn } from '../../../kit/backpressure/yielder.js';
import type { Engine } from '../../../kit/db/database.js';
import { chunksOf, numbered } from './chunks.js';
import type { NumberedRow } from './mapRows.js';
import { readImportFile } from './readFile.js';

/** A file that was sent, and what has to be known to take it apart. */
export interface SentFile {
  readonly bytes: Uint8Array;
  readonly maxRows: number;
  /** The column that names the subject of a row; null: none does. */
  readonly userColumn: string | null;
  readonly engine: Engine;
}

/** A file as an import goes on with it: its few rows, or its many as chunks to be stored. */
export type TakenFile = { readonly header: readonly string[]; readonly totalRows: number } & (
  | { readonly rows: readonly NumberedRow[] }
  | { readonly chunks: readonly Uint8Array<ArrayBuffer>[] }
);

/** Throws as `readImportFile` does. */
export type FileReader = (file: SentFile) => Promise<TakenFile>;

/** Rows that are recorded before the answer is given (RULES J5); more of them are queued. */
const INLINE_ROWS = 100;

export async function takeFile(file: SentFile, yieldTurn: YieldTurn = createYielder()): Promise<TakenFile> {
  const { bytes, maxRows, userColumn, engine } = file;
  const { header, rows } = await readImportFile(bytes, { maxRows, yieldTurn });
  const common = { header, totalRows: rows.length };
  if (rows.length <= INLINE_ROWS) return { ...common, rows: [...numbered(rows)] };
  return { ...common, chunks: await chunksOf({ header, rows }, userColumn, engine, yieldTurn) };
}
