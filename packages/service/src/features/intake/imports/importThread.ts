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
import { type JsonOptions, type JsonReader, type ReadJson, readJson } from '../../../kit/http/readJson.js';
import type { HeldJob } from '../../../kit/jobs/jobStore.js';
import { HopelessJob, type JobHandler, LeaseLost } from '../../../kit/jobs/jobs.js';
import type { OnRecomputed } from '../../../ledger/recompute/queue.js';
import type { RecomputeSignal } from '../../../ledger/recompute/signal.js';
import type { OutboxSignal } from '../../../outbox/outboxSignal.js';
import { type FileReader, type SentFile, type TakenFile, takeFile } from './takeFile.js';
import { isLongImport } from './workStore.js';

/** What the thread of imports does: reads a JSON body that holds a file, takes a file apart, or records the rows of one. */
export type ImportTask =
  | { readonly json: Uint8Array; readonly options: JsonOptions }
  | { readonly file: SentFile }
  | { readonly held: HeldJob };

/** Said after a commit: scores have to follow, somebody has to be told, or scores have followed. */
export type ImportNotice = 'queued' | 'written' | { readonly recomputed: Parameters<OnRecomputed> };

/** What the thread has to know. */
export interface ImportThreadData {
  readonly databaseUrl: string | undefined;
  readonly importMaxStoredErrors: number;
  readonly disputeWindowMs: number;
  readonly velocityMaxPerHour: number;
  /** Those that are answered here, and signs of others. */
  readonly requests: TrafficCount;
}

/** Imports of files so large that requests would feel them. */
export interface ImportThread {
  /** Reads a body of POST /imports; the text under `csv` comes back as its bytes. */
  readonly readJson: JsonReader;
  readonly readFile: FileReader;
  /** Records the rows of a job; true: the job is finished, false: it was told to stop. */
  record(held: HeldJob, until: AbortSignal): Promise<boolean>;
  /** While it is, and requests are being answered, it computes the scores that follow itself. */
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

/** Bytes below which a file is read where it came in: to start a thread takes longer. */
const SMALL_FILE = 128 * 1024;

export function createImportThread(options: ThreadOptions): ImportThread {
  const { program, data, log } = options;
  let recording = 0;
  const thread = createHelperThread<ImportTask, ImportNotice>({
    program,
    workerData: data,
    log,
    onNotice: (notice) => hear(notice, options),
    revive: (fault) => errorOf(fault as Fault),
  });
  return {
    readJson: (json, options) => thread.run<ReadJson>({ json, options }, { transfer: memoryOf(json) }),
    readFile: (file) =>
      file.bytes.length < SMALL_FILE
        ? takeFile(file)
        : thread.run<TakenFile>({ file }, { transfer: memoryOf(file.bytes) }),
    async record(held, until) {
      recording += 1;
      try {
        return await thread.run<boolean>({ held }, { until });
      } finally {
        recording -= 1;
      }
    },
    isRecording: () => recording > 0,
    close: thread.close,
  };
}

/** To copy 32 MB to the thread would hold up the requests for 10 ms. Memory that others have a part of stays. */
function memoryOf({ buffer, byteLength }: Uint8Array): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
}

/** What the thread does with a body. The text of a file goes back as bytes: a text would be copied. */
export function readJsonWithFile(
  json: Uint8Array,
  options: JsonOptions,
): { result: ReadJson; transfer: ArrayBuffer[] } {
  const result = readJson(Buffer.from(json.buffer, json.byteOffset, json.byteLength), options);
  const { body, textFault } = result;
  if (textFault || !hasText(body)) return { result, transfer: [] };
  const csv = new TextEncoder().encode(body.csv);
  return { result: { body: { ...body, csv }, textFault }, transfer: [csv.buffer] };
}

function hasText(body: unknown): body is { csv: string } {
  return typeof body === 'object' && body !== null && 'csv' in body && typeof body.csv === 'string';
}

function hear(notice: ImportNotice, { signal, outbox, onRecomputed }: ThreadOptions): void {
  if (notice === 'queued') signal.queued();
  else if (notice === 'written') outbox.written();
  else onRecomputed(...notice.recomputed);
}

/** The handler, with the work of long imports left to the thread. */
export function inImportThread(
  handler: JobHandler,
  thread: Pick<ImportThread, 'record'>,
  db: Queryable,
): JobHandler {
  return {
    ...handler,
    async run(job, until) {
      if (await isLongImport(db, job.jobId)) await job.inOtherHands((held) => thread.record(held, until));
      else await handler.run(job, until);
    },
  };
}

/** An error as it crosses from thread to thread, which keeps neither its class nor what it has besides a message. */
type Fault =
  | {
      readonly kind: 'service';
      readonly code: ErrorCode;
      readonly message: string;
      readonly details: unknown;
    }
  | { readonly kind: 'lease lost'; readonly jobId: string }
  | { readonly kind: 'hopeless' | 'database away' | 'other'; readonly message: string };

export function faultOf(error: unknown): Fault {
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

export function errorOf(fault: Fault): Error {
  switch (fault.kind) {
    case 'service':
      return serviceError(fault.code, { message: fault.message, details: fault.details });
    case 'lease lost':
      return new LeaseLost(fault.jobId);
    case 'hopeless':
      return new HopelessJob(fault.message);
    case 'database away':
      return new DatabaseUnavailableError(fault.message);
    case 'other':
      return new Error(fault.message);
  }
}
