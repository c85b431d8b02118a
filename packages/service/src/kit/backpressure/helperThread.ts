import { Worker } from 'node:worker_threads';

export type ToThread<Task> = { readonly id: number; readonly task: Task } | { readonly close: true };

export type FromThread =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: unknown };

export interface HelperProgram {
  readonly file: URL;
  /** Default: the flags of the process, even those that a thread must not be given. */
  readonly execArgv?: readonly string[];
}

interface HelperOptions {
  program: HelperProgram;
  /** Turns a received error back into its class: errors lose their class between threads. */
  revive(error: unknown): Error;
}

/** A thread uses about 30 MB, so it ends after this time without a task. */
const IDLE_MS = 60_000;

export type HelperThread<Task> = ReturnType<typeof createHelperThread<Task>>;

/** The thread starts with its first task. */
export function createHelperThread<Task>(options: HelperOptions) {
  let current: RunningThread<Task> | null = null;
  let idleTimer: NodeJS.Timeout | undefined;
  return {
    /** @param transfer memory that moves to the thread: the caller can no longer use it. */
    async run<Result>(task: Task, transfer: readonly ArrayBuffer[] = []): Promise<Result> {
      clearTimeout(idleTimer);
      if (!current || current.isOver) current = new RunningThread(options);
      const thread = current;
      try {
        return (await thread.run(task, transfer)) as Result;
      } finally {
        if (thread.isIdle) {
          clearTimeout(idleTimer);
          idleTimer = setTimeout(() => void thread.close(), IDLE_MS).unref();
        }
      }
    },
    async close(): Promise<void> {
      clearTimeout(idleTimer);
      await current?.close();
    },
  };
}

class RunningThread<Task> {
  readonly #worker: Worker;
  readonly #exited: Promise<void>;
  readonly #waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  #lastId = 0;
  isOver = false;

  constructor({ program: { file, execArgv }, revive }: HelperOptions) {
    this.#worker = new Worker(file, execArgv && { execArgv: [...execArgv] });
    this.#exited = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#die(new Error('a helper thread ended'));
        resolve();
      });
    });
    this.#worker.on('error', (error) => this.#die(error));
    this.#worker.on('message', (message: FromThread) => {
      const task = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if ('error' in message) task?.reject(revive(message.error));
      else task?.resolve(message.result);
    });
  }

  get isIdle(): boolean {
    return this.#waiting.size === 0;
  }

  run(task: Task, transfer: readonly ArrayBuffer[]): Promise<unknown> {
    this.#lastId += 1;
    const id = this.#lastId;
    const ended = new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    this.#worker.postMessage({ id, task } satisfies ToThread<Task>, transfer);
    return ended;
  }

  async close(): Promise<void> {
    this.isOver = true;
    this.#worker.postMessage({ close: true } satisfies ToThread<Task>);
    await this.#exited;
  }

  #die(error: Error): void {
    this.isOver = true;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
