import { isUtf8 } from 'node:buffer';
import { StringDecoder } from 'node:string_decoder';
import { fail } from '#domain/errors.js';
import { quoted } from '#domain/mapping/unusable.js';
import { createYielder, type YieldTurn } from '#kit/backpressure/yielder.js';
import { CsvError, type CsvSeparator, createCsvReader } from '#kit/csv.js';

/** A parsed CSV. */
export interface ImportFile {
  /** Names of the columns. */
  readonly header: readonly string[];
  /** The cells of each row below the header. */
  readonly rows: readonly (readonly string[])[];
}

interface ReadOptions {
  maxRows: number;
  separator?: CsvSeparator;
  yieldTurn?: YieldTurn;
}

/** What becomes of the rows of a file. */
export interface RowTaker {
  header(names: readonly string[]): void;
  /** @param row its number, from 1. The cells may be parts of a larger text. */
  row(row: number, cells: string[]): void;
}

const MAX_COLUMNS = 1000;
const MAX_CELL_LENGTH = 64 * 1024;
/** A row is mapped in one turn of the event loop. */
const MAX_ROW_LENGTH = 1024 * 1024;
const PIECE_BYTES = 32 * 1024;

/** The unit and record separators of ASCII: what stored rows are made of. No file contains them. */
export const CELL_SEPARATOR = '\x1f';
export const ROW_SEPARATOR = '\x1e';

/** All rows of a CSV at once. Throws as `scanImportFile` does. */
export async function readImportFile(bytes: Uint8Array, options: ReadOptions): Promise<ImportFile> {
  const rows: string[][] = [];
  let header: readonly string[] = [];
  const taker: RowTaker = {
    header(names) {
      header = names;
    },
    row: (_, cells) => rows.push(cells),
  };
  await scanImportFile(bytes, taker, options);
  return { header, rows };
}

/**
 * Parses a CSV strictly, in pieces, so that requests are answered in between. A row whose length
 * differs from the header's is accepted here and fails alone when it is recorded. Returns the number
 * of rows. Throws IMPORT_CSV_INVALID or IMPORT_TOO_MANY_ROWS.
 */
export async function scanImportFile(
  bytes: Uint8Array,
  taker: RowTaker,
  { maxRows, separator = 'comma', yieldTurn = createYielder() }: ReadOptions,
): Promise<number> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  refuseCharacters(file);
  const rows = countRows(taker, maxRows);
  const reader = createCsvReader({
    onRow: rows.take,
    maxCells: MAX_COLUMNS,
    maxCellLength: MAX_CELL_LENGTH,
    maxRowLength: MAX_ROW_LENGTH,
    separator,
  });
  const decoder = new StringDecoder('utf8');
  try {
    for (let at = startOf(file); at < file.length; at += PIECE_BYTES) {
      reader.push(decoder.write(file.subarray(at, at + PIECE_BYTES)));
      await yieldTurn();
    }
    reader.end();
  } catch (error) {
    if (error instanceof CsvError) return fail('IMPORT_CSV_INVALID', { message: error.message });
    throw error;
  }
  return rows.total();
}

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/** Skips the byte order mark that some programs write. */
function startOf(file: Buffer): number {
  return file.subarray(0, BOM.length).equals(BOM) ? BOM.length : 0;
}

/** PostgreSQL stores no NUL, and the other two separate the rows and cells of a queued file (chunks.ts). */
const REFUSED_CHARACTERS = [0, ROW_SEPARATOR.charCodeAt(0), CELL_SEPARATOR.charCodeAt(0)];

function refuseCharacters(file: Buffer): void {
  if (!isUtf8(file)) {
    const line = firstLineWith(file, (bytes) => !isUtf8(bytes));
    const message = `Line ${line} is not valid UTF-8. Save the file as "CSV UTF-8".`;
    fail('IMPORT_CSV_INVALID', { message });
  }
  for (const code of REFUSED_CHARACTERS) {
    if (!file.includes(code)) continue;
    const line = firstLineWith(file, (bytes) => bytes.includes(code));
    const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
    const message = `Line ${line} contains the control character ${name}. Remove it, or save the file as "CSV UTF-8".`;
    fail('IMPORT_CSV_INVALID', { message });
  }
}

function firstLineWith(file: Buffer, isFaulty: (line: Buffer) => boolean): number {
  for (let line = 1, start = 0; ; line += 1) {
    const found = file.indexOf(0x0a, start);
    const end = found === -1 ? file.length : found;
    if (end === file.length || isFaulty(file.subarray(start, end))) return line;
    start = end + 1;
  }
}

function countRows(taker: RowTaker, maxRows: number) {
  let hasHeader = false;
  let rows = 0;
  return {
    take(cells: string[]): void {
      if (!hasHeader) {
        hasHeader = true;
        taker.header(checkedHeader(cells));
        return;
      }
      if (rows === maxRows) {
        const message = `The file has more than ${maxRows} rows. Split it and repeat the header line in each part.`;
        fail('IMPORT_TOO_MANY_ROWS', { message, details: { limit: maxRows } });
      }
      rows += 1;
      taker.row(rows, cells);
    },
    total(): number {
      if (!hasHeader) return fail('IMPORT_CSV_INVALID', { message: 'The file is empty.' });
      if (rows === 0) {
        return fail('IMPORT_CSV_INVALID', { message: 'The file has no rows below its header line.' });
      }
      return rows;
    },
  };
}

function checkedHeader(names: readonly string[]): readonly string[] {
  const firstOf = new Map<string, number>();
  for (const [index, name] of names.entries()) {
    if (name.trim() === '') {
      const message = `Column ${index + 1} has no name. Name every column in the first line of the file.`;
      fail('IMPORT_CSV_INVALID', { message });
    }
    const first = firstOf.get(name);
    if (first !== undefined) {
      const message = `Columns ${first} and ${index + 1} have the same name, ${quoted(name)}. Rename one.`;
      fail('IMPORT_CSV_INVALID', { message });
    }
    firstOf.set(name, index + 1);
  }
  return names;
}
