import type { ErrorCode } from '../../../domain/errorCatalog.js';
import { ServiceError, serviceError } from '../../../domain/errors.js';
import { createHelperThread, type HelperProgram } from '../../../kit/backpressure/helperThread.js';
import type { TrafficCount } from '../../../kit/backpressure/traffic.js';
import {
  type DatabaseLog,
  type DatabaseOptions,
  DatabaseUnavailableError,
  isDatabaseUnavailable,
  type Queryable,
} from '../../../kit/db/database.js';
import type { Topic, Wakes } from '../../../kit/db/wakes.js';
import type { TextSeparator } from '../../../kit/http/jsonBody.js';
import { type SeparatedText, separateText } from '../../../kit/http/longText.js';
import type { LeasedJob } from '../../../kit/jobs/jobStore.js';
import { HopelessJob, type JobHandler, LeaseLost } from '../../../kit/jobs/jobs.js';
import type { OnRecomputed } from '../../../ledger/recompute/queue.js';
import { type FileReader, type SentFile, type TakenFile, takeFile } from './takeFile.js';
import { isLongImport } from './workStore.js';

/**
 * Tasks of the import thread: take a file out of a JSON body, split a file into rows, or
 * record its rows.
 */
export type ImportTask =
  | { readonly json: Uint8Array<ArrayBuffer>; readonly name: string }
  | { readonly file: SentFile }
  | { readonly leased: LeasedJob };

/** Sent after a commit. */
export type ImportNotice = { readonly raise: Topic } | { readonly recomputed: Parameters<OnRecomputed> };

/** The `workerData` of the thread. */
export interface ImportThreadData {
  readonly databaseUrl: string | undefined;
  readonly stateFolder: DatabaseOptions['stateFolder'];
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
  /** Takes the file out of a body of POST /imports. */
  readonly separateText: TextSeparator;
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
  wakes: Pick<Wakes, 'raise'>;
  onRecomputed: OnRecomputed;
}

/** In bytes. Smaller files are read in the main thread: starting a thread takes longer. */
const SMALL_FILE = 128 * 1024;

export function createImportThread(options: ThreadOptions): ImportThread {
  const { program, data, log } = options;
  let recording = 0;
  let last: Promise<unknown> = Promise.resolve();
  /** Two files at once would take twice the memory, and no less time. */
  const oneByOne = <T>(task: () => Promise<T>): Promise<T> => {
    const done = last.then(task, task);
    last = done;
    return done;
  };
  const thread = createHelperThread<ImportTask, ImportNotice>({
    program,
    workerData: data,
    log,
    onNotice: (notice) => forward(notice, options),
    revive: (error) => reviveError(error as SerializedError),
  });
  return {
    separateText: (json, name) =>
      oneByOne(() => thread.run<SeparatedText>({ json, name }, { transfer: memoryOf(json) })),
    readFile: (file) =>
      file.bytes.length < SMALL_FILE
        ? takeFile(file)
        : oneByOne(() => thread.run<TakenFile>({ file }, { transfer: memoryOf(file.bytes) })),
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

function forward(notice: ImportNotice, { wakes, onRecomputed }: ThreadOptions): void {
  if ('raise' in notice) wakes.raise(notice.raise);
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
