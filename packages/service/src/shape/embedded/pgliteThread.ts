import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { PgliteAnswer, PgliteReply, PgliteStart } from './pgliteWorker.js';

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
    await thread.#opened();
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

  async #opened(): Promise<void> {
    const ended = this.#exited.then(() => {
      throw new Error('the thread of the embedded database ended during its start');
    });
    ended.catch(() => {}); // after the start its end is reported to the session
    try {
      const [reply] = (await Promise.race([once(this.#worker, 'message'), ended])) as [PgliteReply];
      if (typeof reply === 'object' && 'failure' in reply) throw new Error(reply.failure);
      if (reply !== 'ready') throw new Error('the embedded database did not start');
    } catch (error) {
      await this.kill();
      throw error;
    }
    this.#worker.on('message', (reply: PgliteReply) => this.#dispatch(reply));
  }

  #dispatch(reply: PgliteReply): void {
    if (reply === 'closed') void this.kill();
    else if (typeof reply === 'object' && 'bytes' in reply) this.#deliver(reply);
  }

  #deliver(answer: PgliteAnswer): void {
    if (answer.session === this.#sessionNumber) this.#session?.receive(answer.bytes, answer.isLast);
  }

  #die(reason: Error): void {
    if (this.#death) return;
    this.#death = reason;
    this.#session?.lose(reason);
  }
}

const CLOSE_LIMIT_MS = 10_000;
