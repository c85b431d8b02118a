import { Worker } from 'node:worker_threads';
import type { DatabaseLog } from '../db/database.js';

/** A message to a helper thread; `abort` names an earlier task. */
export type ToThread<Task> =
  | { readonly id: number; readonly task: Task }
  | { readonly abort: number }
  | { readonly close: true };

/** A message from the thread: the end of a task, a notice, or a log entry. */
export type FromThread<Notice> =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: unknown }
  | { readonly notice: Notice }
  | { readonly log: keyof DatabaseLog; readonly details: object; readonly message: string };

/**
 * Runs work in a separate thread that would block the requests of this process. piscina could
 * replace the bookkeeping of tasks, but it aborts a task by killing the thread, and an import must
 * finish its chunk.
 */
export interface HelperThread<Task> {
  /**
   * Resolves to the task's result. Rejects with the error that `revive` returns, or when the thread
   * dies.
   */
  run<Result>(task: Task, options?: RunOptions): Promise<Result>;
  /** Ends the thread after the running tasks. */
  close(): Promise<void>;
}

interface RunOptions {
  until?: AbortSignal;
  /**
   * Memory of the task that moves to the thread instead of being copied. The caller can no longer
   * use it.
   */
  transfer?: readonly ArrayBuffer[];
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

interface HelperOptions<Notice> {
  program: HelperProgram;
  workerData: unknown;
  log: DatabaseLog;
  onNotice(notice: Notice): void;
  /** Turns a received error back into its class: errors lose their class between threads. */
  revive(error: unknown): Error;
}

/** A thread uses about 30 MB, so it ends after this time without a task. */
const IDLE_MS = 60_000;

/** The thread starts with its first task. */
export function createHelperThread<Task, Notice>(options: HelperOptions<Notice>): HelperThread<Task> {
  let current: RunningThread<Task> | null = null;
  let idleTimer: NodeJS.Timeout | undefined;
  return {
    async run<Result>(task: Task, runOptions?: RunOptions) {
      clearTimeout(idleTimer);
      if (!current || current.isOver()) current = startThread(options);
      const thread = current;
      try {
        return (await thread.run(task, runOptions)) as Result;
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
  run(task: Task, options?: RunOptions): Promise<unknown>;
  isIdle(): boolean;
  isOver(): boolean;
  close(): Promise<void>;
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

function startThread<Task, Notice>({
  program,
  workerData,
  log,
  onNotice,
  revive,
}: HelperOptions<Notice>): RunningThread<Task> {
  const worker = new Worker(program.file, {
    workerData,
    ...(program.execArgv && { execArgv: [...program.execArgv] }),
  });
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
  worker.on('message', (message: FromThread<Notice>) => {
    if ('notice' in message) return onNotice(message.notice);
    if ('log' in message) return log[message.log](message.details, message.message);
    const task = waiting.get(message.id);
    waiting.delete(message.id);
    if ('error' in message) task?.reject(revive(message.error));
    else task?.resolve(message.result);
  });
  return {
    run(task, { until, transfer = [] } = {}) {
      lastId += 1;
      const id = lastId;
      const abort = () => worker.postMessage({ abort: id } satisfies ToThread<Task>);
      until?.addEventListener('abort', abort, { once: true });
      const ended = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
      worker.postMessage({ id, task } satisfies ToThread<Task>, transfer);
      return ended.finally(() => until?.removeEventListener('abort', abort));
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
