import type { ErrorCode } from '#domain/errorCatalog.js';
import { ServiceError, serviceError } from '#domain/errors.js';
import { createHelperThread, type HelperProgram } from '#kit/backpressure/helperThread.js';
import { createYielder, type YieldTurn } from '#kit/backpressure/yielder.js';
import type { TextSeparator } from '#kit/http/bodies.js';
import { type SeparatedText, separateText } from '#kit/http/text.js';
import { freeBlocks } from '#kit/largeMemory.js';
import { createChunkedRows } from './chunks.js';
import { detectFormats, type UnknownFile } from './detect.js';
import type { Formats } from './formats.js';
import { type ReadOptions, scanImportFile } from './readFile.js';

/** Tasks of the import thread: take a file out of a JSON body, split a file into rows, or find out its formats. */
export type ImportTask =
  | { readonly json: Uint8Array<ArrayBuffer>; readonly name: string }
  | { readonly file: SentFile }
  | { readonly unknown: UnknownFile };

/** Handles files that are large enough to delay requests. */
interface ImportThread {
  /** Takes the file out of a body of POST /imports. */
  readonly separateText: TextSeparator;
  readonly readFile: FileReader;
  readonly detect: FormatDetector;
  close(): Promise<void>;
}

/** In bytes. Smaller files are read in the main thread: starting a thread takes longer. */
const SMALL_FILE = 128 * 1024;

export function createImportThread(program: HelperProgram): ImportThread {
  let last: Promise<unknown> = Promise.resolve();
  /** Two files at once would take twice the memory, and no less time. */
  const oneByOne = <T>(task: () => Promise<T>): Promise<T> => {
    const done = last.then(task, task);
    last = done;
    return done;
  };
  const thread = createHelperThread<ImportTask>({
    program,
    revive: (error) => reviveError(error as SerializedError),
  });
  return {
    separateText: (json, name) => oneByOne(() => thread.run<SeparatedText>({ json, name }, memoryOf(json))),
    readFile: (file) =>
      file.bytes.length < SMALL_FILE
        ? takeFile(file)
        : oneByOne(() => thread.run<TakenFile>({ file }, memoryOf(file.bytes))),
    detect: (unknown) =>
      unknown.bytes.length < SMALL_FILE
        ? detectFormats(unknown)
        : oneByOne(() => thread.run<Formats>({ unknown }, memoryOf(unknown.bytes))),
    close: thread.close,
  };
}

/**
 * Copying 32 MB to the thread would block requests for 10 ms. A part of memory that is shared with
 * others is copied, not moved: it is short.
 */
function memoryOf({ buffer, byteLength }: Uint8Array): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && byteLength >= SMALL_FILE ? [buffer] : [];
}

/** Takes the file out of a JSON body in the thread. */
export function separateInThread({
  json,
  name,
}: {
  readonly json: Uint8Array<ArrayBuffer>;
  readonly name: string;
}): { result: SeparatedText; transfer: ArrayBuffer[] } {
  const result = separateText(Buffer.from(json.buffer, json.byteOffset, json.byteLength), name);
  return { result, transfer: [result.rest.buffer, ...(result.text ? memoryOf(result.text) : [])] };
}

/**
 * An error as sent between threads. Structured clone keeps neither its class nor its own
 * properties.
 */
type SerializedError =
  | {
      readonly kind: 'service';
      readonly code: ErrorCode;
      readonly message: string;
      readonly details: unknown;
    }
  | { readonly kind: 'other'; readonly message: string };

export function serializeError(error: unknown): SerializedError {
  if (error instanceof ServiceError) {
    const { code, message, details } = error;
    return { kind: 'service', code, message, details };
  }
  if (!(error instanceof Error)) return { kind: 'other', message: String(error) };
  return { kind: 'other', message: error.stack ?? error.message };
}

function reviveError(error: SerializedError): Error {
  if (error.kind === 'other') return new Error(error.message);
  return serviceError(error.code, { message: error.message, details: error.details });
}

/** The file of a request, and how to read it. */
interface SentFile extends Omit<ReadOptions, 'yieldTurn'> {
  /** Freed when they have been read. */
  readonly bytes: Uint8Array<ArrayBuffer>;
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
export type FormatDetector = (file: UnknownFile) => Promise<Formats>;

/**
 * Files with up to this many rows are recorded before the answer, larger ones are queued (RULES
 * J5).
 */
export const INLINE_ROWS = 100;

export async function takeFile(file: SentFile, yieldTurn: YieldTurn = createYielder()): Promise<TakenFile> {
  const { bytes, userColumn, chunkRows, ...options } = file;
  const rows = createChunkedRows(userColumn, bytes.length);
  const totalRows = await scanImportFile(bytes, rows, { ...options, yieldTurn }).finally(() =>
    freeBlocks([bytes]),
  );
  return { header: rows.columns, totalRows, chunks: await rows.chunks(chunkRows, yieldTurn) };
}
