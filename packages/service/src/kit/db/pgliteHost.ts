import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PgliteThread } from './pgliteThread.js';
import type { DatabaseLog } from './types.js';

/** Keeps the engine's thread alive on one folder: makes the folder's content at first, starts a new thread after a death. */
export class PgliteHost {
  readonly #folder: string | undefined;
  readonly #log: DatabaseLog;
  #thread: Promise<PgliteThread>;
  #isClosed = false;

  /** Resolves when the engine is up. `dataDir` undefined: in memory. */
  static async open(options: { dataDir: string | undefined; log: DatabaseLog }): Promise<PgliteHost> {
    const { dataDir, log } = options;
    const folder = dataDir === undefined ? undefined : await ensureDatabase(dataDir, log);
    const host = new PgliteHost(folder, log);
    await host.#thread.catch((cause: unknown) => {
      const location = dataDir === undefined ? 'memory' : dataDir;
      throw new Error(
        `the embedded database in ${location} does not open: ${cause instanceof Error ? cause.message : cause}`,
        { cause },
      );
    });
    return host;
  }

  private constructor(folder: string | undefined, log: DatabaseLog) {
    this.#folder = folder;
    this.#log = log;
    this.#thread = startThread(folder);
  }

  /** The living thread. What is in memory only died with its thread, so that one is not started again. */
  async thread(): Promise<PgliteThread> {
    const thread = await this.#thread.catch(() => undefined);
    if (thread && !thread.isDead) return thread;
    if (this.#isClosed) throw new Error('it is closed');
    if (this.#folder === undefined) throw new Error('it was held in memory only');
    this.#log.warn({}, 'opening the embedded database again');
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
 * The engine's folder inside the data folder. It is made under another name and renamed when whole: a crash on the way
 * leaves nothing that the next start could take for a database.
 */
async function ensureDatabase(dataDir: string, log: DatabaseLog): Promise<string> {
  const folder = join(dataDir, 'pgdata');
  if (existsSync(join(folder, 'PG_VERSION'))) return folder;
  log.info({ dataDir }, 'making the embedded database, which takes some seconds this one time');
  await removeDrafts(dataDir);
  const draft = await mkdtemp(join(dataDir, DRAFT_PREFIX)); // never the same twice: a maker may outlive its killed parent
  await make(draft);
  await rename(draft, folder);
  return folder;
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
    let complaint = '';
    maker.stderr?.on('data', (chunk: Buffer) => {
      complaint = (complaint + chunk.toString()).slice(-COMPLAINT_LENGTH);
    });
    maker.once('error', reject);
    maker.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`the embedded database could not be made in ${folder}: ${complaint.trim()}`));
    });
  });
}

const DRAFT_PREFIX = 'pgdata.unfinished-';
const COMPLAINT_LENGTH = 2_000;

// Small, because all of it stays resident; the operating system caches the files besides.
const SETTINGS = { shared_buffers: '16MB', max_connections: '5' };
