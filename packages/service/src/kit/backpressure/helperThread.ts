import { Worker } from 'node:worker_threads';

export type ToThread<Task> = { readonly id: number; readonly task: Task } | { readonly close: true };

/** The end of a task. */
export type FromThread =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: unknown };

/** Runs work in a separate thread that would block the requests of this process. */
export interface HelperThread<Task> {
  /**
   * Resolves to the task's result. Rejects with the error that `revive` returns, or when the thread
   * dies.
   * @param transfer memory of the task that moves to the thread instead of being copied. The caller
   *   can no longer use it.
   */
  run<Result>(task: Task, transfer?: readonly ArrayBuffer[]): Promise<Result>;
  /** Ends the thread after the running tasks. */
  close(): Promise<void>;
}

/** The program of a thread. */
export interface HelperProgram {
  readonly file: URL;
  /**
   * Node flags for the thread. By default it inherits the flags of the process, even those that a
   * thread must not be given.
   */
  readonly execArgv?: readonly string[];
}

interface HelperOptions {
  program: HelperProgram;
  /** Turns a received error back into its class: errors lose their class between threads. */
  revive(error: unknown): Error;
}

/** A thread uses about 30 MB, so it ends after this time without a task. */
const IDLE_MS = 60_000;

/** The thread starts with its first task. */
export function createHelperThread<Task>(options: HelperOptions): HelperThread<Task> {
  let current: RunningThread<Task> | null = null;
  let idleTimer: NodeJS.Timeout | undefined;
  return {
    async run<Result>(task: Task, transfer: readonly ArrayBuffer[] = []) {
      clearTimeout(idleTimer);
      if (!current || current.isOver()) current = startThread(options);
      const thread = current;
      try {
        return (await thread.run(task, transfer)) as Result;
      } finally {
        if (thread.isIdle()) {
          clearTimeout(idleTimer);
          idleTimer = setTimeout(() => void thread.close(), IDLE_MS);
          idleTimer.unref();
        }
      }
    },
    async close() {
      clearTimeout(idleTimer);
      await current?.close();
    },
  };
}

interface RunningThread<Task> {
  run(task: Task, transfer: readonly ArrayBuffer[]): Promise<unknown>;
  isIdle(): boolean;
  isOver(): boolean;
  close(): Promise<void>;
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

function startThread<Task>({ program, revive }: HelperOptions): RunningThread<Task> {
  const { file, execArgv } = program;
  const worker = new Worker(file, execArgv && { execArgv: [...execArgv] });
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let isOver = false;
  const exited = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      die(new Error('a helper thread ended'));
      resolve();
    });
  });
  worker.on('error', die);
  worker.on('message', (message: FromThread) => {
    const task = waiting.get(message.id);
    waiting.delete(message.id);
    if ('error' in message) task?.reject(revive(message.error));
    else task?.resolve(message.result);
  });
  return {
    run(task, transfer) {
      lastId += 1;
      const id = lastId;
      const ended = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
      worker.postMessage({ id, task } satisfies ToThread<Task>, transfer);
      return ended;
    },
    isIdle: () => waiting.size === 0,
    isOver: () => isOver,
    async close() {
      isOver = true;
      worker.postMessage({ close: true } satisfies ToThread<Task>);
      await exited;
    },
  };

  function die(error: Error): void {
    isOver = true;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }
}
