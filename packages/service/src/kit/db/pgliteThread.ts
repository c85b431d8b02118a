import { Worker } from 'node:worker_threads';
import type { PgliteAnswer, PgliteReply, PgliteStart } from './pgliteWorker.js';

/** The connection that the thread's answers are for. */
export interface PgliteSession {
  receive(bytes: Uint8Array, isLast: boolean): void;
  lose(reason: Error): void;
}

/**
 * The embedded engine in a thread of its own, because it blocks the thread it computes on. It serves one session at a
 * time; answers to an earlier one are dropped.
 */
export class PgliteThread {
  readonly #worker: Worker;
  readonly #exited: Promise<void>;
  #session: PgliteSession | undefined;
  #sessionNumber = 0;
  #death: Error | undefined;

  /** Resolves when the engine takes statements; throws with the engine's reason when it cannot open the folder. */
  static async start(start: PgliteStart): Promise<PgliteThread> {
    const thread = new PgliteThread(start);
    await thread.#opened();
    return thread;
  }

  private constructor(start: PgliteStart) {
    // No inherited flags: the file needs no loader, and a test runner's would slow each start.
    this.#worker = new Worker(new URL('./pgliteWorker.js', import.meta.url), {
      workerData: start,
      execArgv: [],
    });
    this.#worker.on('error', (error) => this.#die(error));
    this.#exited = new Promise((resolve) => {
      this.#worker.on('exit', () => {
        this.#die(new Error('its thread ended'));
        resolve();
      });
    });
  }

  get isDead(): boolean {
    return this.#death !== undefined;
  }

  /** Makes this the session served from now on and returns how to send its bytes, which are given away with the call. */
  attach(session: PgliteSession): (bytes: Uint8Array<ArrayBuffer>) => void {
    this.#session = session;
    this.#sessionNumber += 1;
    const number = this.#sessionNumber;
    return (bytes) => this.#worker.postMessage({ session: number, bytes }, [bytes.buffer]);
  }

  /** Ends the thread whatever it is doing: for the engine the same as a crash, which loses nothing that was committed. */
  async kill(): Promise<void> {
    await this.#worker.terminate();
  }

  /** Closes the engine properly, or kills it when that takes too long. */
  async close(): Promise<void> {
    this.#session = undefined;
    if (!this.isDead) this.#worker.postMessage('close');
    const timer = setTimeout(() => void this.kill(), CLOSE_LIMIT_MS);
    await this.#exited;
    clearTimeout(timer);
  }

  async #opened(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#worker.once('message', (reply: PgliteReply) => {
        if (reply === 'ready') return resolve();
        reject(
          new Error(typeof reply === 'object' && 'failure' in reply ? reply.failure : 'it did not start'),
        );
      });
      this.#worker.once('error', reject);
      this.#worker.once('exit', () => reject(new Error('its thread ended while it started')));
    }).catch(async (error: unknown) => {
      await this.kill();
      throw error;
    });
    this.#worker.on('message', (reply: PgliteReply) => this.#take(reply));
  }

  #take(reply: PgliteReply): void {
    if (reply === 'closed') void this.kill();
    else if (typeof reply === 'object' && 'bytes' in reply) this.#hand(reply);
  }

  #hand(answer: PgliteAnswer): void {
    if (answer.session === this.#sessionNumber) this.#session?.receive(answer.bytes, answer.isLast);
  }

  #die(reason: Error): void {
    if (this.#death) return;
    this.#death = reason;
    this.#session?.lose(reason);
  }
}

const CLOSE_LIMIT_MS = 10_000;
