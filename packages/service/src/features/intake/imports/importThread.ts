import type { ErrorCode } from '../../../domain/errorCatalog.js';
import { ServiceError, serviceError } from '../../../domain/errors.js';
import { createHelperThread, type HelperProgram } from '../../../kit/backpressure/helperThread.js';
import type { TrafficCount } from '../../../kit/backpressure/traffic.js';
import {
  type DatabaseLog,
  DatabaseUnavailableError,
  isDatabaseUnavailable,
  type Queryable,
} from '../../../kit/db/database.js';
import { type JsonReader, type ReadJson, readJson } from '../../../kit/http/readJson.js';
import type { LeasedJob } from '../../../kit/jobs/jobStore.js';
import { HopelessJob, type JobHandler, LeaseLost } from '../../../kit/jobs/jobs.js';
import type { OnRecomputed } from '../../../ledger/recompute/queue.js';
import type { RecomputeSignal } from '../../../ledger/recompute/signal.js';
import type { OutboxSignal } from '../../../outbox/outboxSignal.js';
import { type FileReader, type SentFile, type TakenFile, takeFile } from './takeFile.js';
import { isLongImport } from './workStore.js';

/**
 * Tasks of the import thread: parse a JSON body that contains a file, split a file into rows, or
 * record its rows.
 */
export type ImportTask =
  | { readonly json: Uint8Array }
  | { readonly file: SentFile }
  | { readonly leased: LeasedJob };

/**
 * Sent after a commit: recomputes were queued, envelopes were written, or scores were recomputed.
 */
export type ImportNotice = 'queued' | 'written' | { readonly recomputed: Parameters<OnRecomputed> };

/** The `workerData` of the thread. */
export interface ImportThreadData {
  readonly databaseUrl: string | undefined;
  /** The ledger group whose rows it records. */
  readonly group: number;
  readonly importMaxStoredErrors: number;
  readonly disputeWindowMs: number;
  readonly velocityMaxPerHour: number;
  /** Requests of this process, and signs of those of other processes. */
  readonly requests: TrafficCount;
}

/** Handles files that are large enough to delay requests. */
export interface ImportThread {
  /** Parses a body of POST /imports. The text under `csv` is returned as bytes. */
  readonly readJson: JsonReader;
  readonly readFile: FileReader;
  /** Records the rows of a job. True: the job has finished. False: it was stopped. */
  record(leased: LeasedJob, until: AbortSignal): Promise<boolean>;
  /** Whether the thread is recording rows. Under traffic it then recomputes the scores, too. */
  isRecording(): boolean;
  close(): Promise<void>;
}

interface ThreadOptions {
  program: HelperProgram;
  data: ImportThreadData;
  log: DatabaseLog;
  signal: RecomputeSignal;
  outbox: Pick<OutboxSignal, 'written'>;
  onRecomputed: OnRecomputed;
}

/** In bytes. Smaller files are read in the main thread: starting a thread takes longer. */
const SMALL_FILE = 128 * 1024;

export function createImportThread(options: ThreadOptions): ImportThread {
  const { program, data, log } = options;
  let recording = 0;
  const thread = createHelperThread<ImportTask, ImportNotice>({
    program,
    workerData: data,
    log,
    onNotice: (notice) => forward(notice, options),
    revive: (error) => reviveError(error as SerializedError),
  });
  return {
    readJson: (json) => thread.run<ReadJson>({ json }, { transfer: memoryOf(json) }),
    readFile: (file) =>
      file.bytes.length < SMALL_FILE
        ? takeFile(file)
        : thread.run<TakenFile>({ file }, { transfer: memoryOf(file.bytes) }),
    async record(leased, until) {
      recording += 1;
      try {
        return await thread.run<boolean>({ leased }, { until });
      } finally {
        recording -= 1;
      }
    },
    isRecording: () => recording > 0,
    close: thread.close,
  };
}

/**
 * Copying 32 MB to the thread would block requests for 10 ms. A part of a larger buffer is copied,
 * not moved.
 */
function memoryOf({ buffer, byteLength }: Uint8Array): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
}

/**
 * Parses a body in the thread. The file's text is returned as bytes, because a text would be
 * copied.
 */
export function readJsonWithFile(json: Uint8Array): { result: ReadJson; transfer: ArrayBuffer[] } {
  const result = readJson(Buffer.from(json.buffer, json.byteOffset, json.byteLength));
  const { body, storageError } = result;
  if (storageError || !hasText(body)) return { result, transfer: [] };
  const csv = new TextEncoder().encode(body.csv);
  return { result: { body: { ...body, csv }, storageError }, transfer: [csv.buffer] };
}

function hasText(body: unknown): body is { csv: string } {
  return typeof body === 'object' && body !== null && 'csv' in body && typeof body.csv === 'string';
}

function forward(notice: ImportNotice, { signal, outbox, onRecomputed }: ThreadOptions): void {
  if (notice === 'queued') signal.queued();
  else if (notice === 'written') outbox.written();
  else onRecomputed(...notice.recomputed);
}

/** The same handler, but the thread runs long imports. */
export function inImportThread(
  handler: JobHandler,
  thread: Pick<ImportThread, 'record'>,
  db: Queryable,
): JobHandler {
  return {
    ...handler,
    async run(job, until) {
      if (await isLongImport(db, job.jobId)) await job.inOtherHands((leased) => thread.record(leased, until));
      else await handler.run(job, until);
    },
  };
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
  | { readonly kind: 'lease lost'; readonly jobId: string }
  | { readonly kind: 'hopeless' | 'database away' | 'other'; readonly message: string };

export function serializeError(error: unknown): SerializedError {
  if (error instanceof ServiceError) {
    const { code, message, details } = error;
    return { kind: 'service', code, message, details };
  }
  if (error instanceof LeaseLost) return { kind: 'lease lost', jobId: error.jobId };
  if (!(error instanceof Error)) return { kind: 'other', message: String(error) };
  if (error instanceof HopelessJob) return { kind: 'hopeless', message: error.message };
  if (isDatabaseUnavailable(error)) return { kind: 'database away', message: error.message };
  return { kind: 'other', message: error.stack ?? error.message };
}

export function reviveError(error: SerializedError): Error {
  switch (error.kind) {
    case 'service':
      return serviceError(error.code, { message: error.message, details: error.details });
    case 'lease lost':
      return new LeaseLost(error.jobId);
    case 'hopeless':
      return new HopelessJob(error.message);
    case 'database away':
      return new DatabaseUnavailableError(error.message);
    case 'other':
      return new Error(error.message);
  }
}
