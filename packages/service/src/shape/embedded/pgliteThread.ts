import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { DatabaseLog } from '#kit/db/types.js';
import type { PgliteReply, PgliteStart } from './pgliteWorker.js';

/** The connection that receives the answers of the thread. */
export interface PgliteSession {
  receive(bytes: Uint8Array, isLast: boolean): void;
  lose(reason: Error): void;
}

/**
 * The embedded engine in its own thread, because it blocks the thread that it runs on. It serves
 * one session at a time; answers for earlier sessions are dropped.
 */
export class PgliteThread {
  readonly #worker: Worker;
  readonly #exited: Promise<void>;
  #session: PgliteSession | undefined;
  #sessionNumber = 0;
  #death: Error | undefined;

  /**
   * Resolves when the engine accepts statements. Throws the reason of the engine if it cannot open
   * the folder.
   */
  static async start(start: PgliteStart): Promise<PgliteThread> {
    const thread = new PgliteThread(start);
    const ended = thread.#exited.then(() => {
      throw new Error('the thread of the embedded database ended during its start');
    });
    ended.catch(() => {}); // after the start its end is reported to the session
    try {
      const [reply] = (await Promise.race([once(thread.#worker, 'message'), ended])) as [PgliteReply];
      if (typeof reply === 'object' && 'failure' in reply) throw new Error(reply.failure);
      if (reply !== 'ready') throw new Error('the embedded database did not start');
    } catch (error) {
      await thread.kill();
      throw error;
    }
    thread.#worker.on('message', (reply: PgliteReply) => thread.#dispatch(reply));
    return thread;
  }

  private constructor(start: PgliteStart) {
    // No inherited flags: the file needs no loader, and the flags of a test runner would slow each
    // start.
    this.#worker = new Worker(new URL('./pgliteWorker.js', import.meta.url), {
      workerData: start,
      execArgv: [],
    });
    this.#worker.on('error', (error) => this.#die(error));
    this.#exited = new Promise((resolve) => {
      this.#worker.on('exit', () => {
        this.#die(new Error('the thread of the embedded database ended'));
        resolve();
      });
    });
  }

  get isDead(): boolean {
    return this.#death !== undefined;
  }

  /**
   * Makes this the current session and returns a function that sends its bytes. The sent buffer
   * moves to the thread.
   */
  attach(session: PgliteSession): (bytes: Uint8Array<ArrayBuffer>) => void {
    this.#session = session;
    this.#sessionNumber += 1;
    const number = this.#sessionNumber;
    return (bytes) => this.#worker.postMessage({ session: number, bytes }, [bytes.buffer]);
  }

  /**
   * Terminates the thread at once. To the engine this is a crash, which loses nothing that was
   * committed.
   */
  async kill(): Promise<void> {
    await this.#worker.terminate();
  }

  /** Closes the engine properly, or kills it if that takes too long. */
  async close(): Promise<void> {
    this.#session = undefined;
    if (!this.isDead) this.#worker.postMessage('close');
    const timer = setTimeout(() => void this.kill(), CLOSE_LIMIT_MS);
    await this.#exited;
    clearTimeout(timer);
  }

  #dispatch(reply: PgliteReply): void {
    if (reply === 'closed') void this.kill();
    else if (typeof reply === 'object' && 'bytes' in reply && reply.session === this.#sessionNumber)
      this.#session?.receive(reply.bytes, reply.isLast);
  }

  #die(reason: Error): void {
    if (this.#death) return;
    this.#death = reason;
    this.#session?.lose(reason);
  }
}

const CLOSE_LIMIT_MS = 10_000;

/**
 * Keeps the thread of the engine running on one folder: creates the database at first, and starts a
 * new thread if one dies.
 */
export class PgliteHost {
  readonly #folder: string | undefined;
  readonly #log: DatabaseLog;
  /** Resolves when the engine is ready. Rejects if it cannot open the folder. */
  readonly opened: Promise<void>;
  #thread: Promise<PgliteThread>;
  #isClosed = false;

  /** Starts the engine, and does not wait for it. Without `dataDir` the database is in memory. */
  constructor({ dataDir, log }: { dataDir: string | undefined; log: DatabaseLog }) {
    this.#folder = dataDir === undefined ? undefined : join(dataDir, ENGINE_FOLDER);
    this.#log = log;
    const created = dataDir === undefined ? Promise.resolve() : ensureDatabase(dataDir, log);
    this.#thread = created.then(() => startThread(this.#folder));
    this.opened = this.#thread.then(
      () => undefined,
      (cause: unknown) => {
        const reason = cause instanceof Error ? cause.message : cause;
        throw new Error(`cannot open the embedded database in ${dataDir ?? 'memory'}: ${reason}`, { cause });
      },
    );
    this.opened.catch(() => undefined); // whoever opens the database may wait for it later
  }

  /** The running thread. A database in memory dies with its thread and is not restarted. */
  async thread(): Promise<PgliteThread> {
    const thread = await this.#thread.catch(() => undefined);
    if (thread && !thread.isDead) return thread;
    if (this.#isClosed) throw new Error('the database is closed');
    if (this.#folder === undefined) throw new Error('it was only in memory');
    this.#log.warn({}, 'reopening the embedded database');
    this.#thread = startThread(this.#folder);
    return this.#thread;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const thread = await this.#thread.catch(() => undefined);
    await thread?.close();
  }
}

function startThread(folder: string | undefined): Promise<PgliteThread> {
  return PgliteThread.start({ dataDir: folder, settings: SETTINGS });
}

/**
 * The folder of the engine inside the data folder. It is created under another name and renamed
 * when complete: the next start must not take an unfinished one for a database.
 */
async function ensureDatabase(dataDir: string, log: DatabaseLog): Promise<void> {
  if (isCreated(dataDir)) return;
  log.info({ dataDir }, 'creating the embedded database; this takes some seconds, once');
  for (const name of await readdir(dataDir))
    if (name.startsWith(DRAFT_PREFIX))
      await rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 3 });
  const draft = await mkdtemp(join(dataDir, DRAFT_PREFIX)); // unique: the child may outlive its killed parent
  await make(draft);
  await rename(draft, join(dataDir, ENGINE_FOLDER));
}

export function isCreated(dataDir: string): boolean {
  return existsSync(join(dataDir, ENGINE_FOLDER, 'PG_VERSION'));
}

function make(folder: string): Promise<void> {
  const script = fileURLToPath(new URL('./pgliteMaker.js', import.meta.url));
  return new Promise((resolve, reject) => {
    const maker = fork(script, [folder], { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    let output = '';
    maker.stderr?.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-MAX_OUTPUT);
    });
    maker.once('error', reject);
    maker.once('close', (code) => {
      if (code === 0) return resolve();
      reject(new Error(`the embedded database could not be created in ${folder}: ${output.trim()}`));
    });
  });
}

const ENGINE_FOLDER = 'pgdata';
const DRAFT_PREFIX = 'pgdata.unfinished-';
const MAX_OUTPUT = 2_000;

const SETTINGS = {
  // Small, because all of it stays resident; the operating system also caches the files.
  shared_buffers: '16MB',
  max_connections: '5',
  // `analyze` reads 300 rows for each unit: 30 000 with the default took 100 ms of a table with JSON.
  default_statistics_target: '20',
};
