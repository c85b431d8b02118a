import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DatabaseLog } from '../../kit/db/types.js';
import { PgliteThread } from './pgliteThread.js';

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
    this.#thread =
      dataDir === undefined
        ? startThread(undefined)
        : ensureDatabase(dataDir, log).then(() => startThread(this.#folder));
    this.opened = this.#thread.then(
      () => undefined,
      (cause: unknown) => {
        const location = dataDir === undefined ? 'memory' : dataDir;
        const reason = cause instanceof Error ? cause.message : cause;
        throw new Error(`cannot open the embedded database in ${location}: ${reason}`, { cause });
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
  await removeDrafts(dataDir);
  const draft = await mkdtemp(join(dataDir, DRAFT_PREFIX)); // unique: the child may outlive its killed parent
  await make(draft);
  await rename(draft, join(dataDir, ENGINE_FOLDER));
}

/** Whether the folder has an embedded database. */
export function isCreated(dataDir: string): boolean {
  return existsSync(join(dataDir, ENGINE_FOLDER, 'PG_VERSION'));
}

async function removeDrafts(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (name.startsWith(DRAFT_PREFIX))
      await rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 3 });
  }
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
      if (code === 0) resolve();
      else reject(new Error(`the embedded database could not be created in ${folder}: ${output.trim()}`));
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
