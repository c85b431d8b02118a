import { setPriority } from 'node:os';
import { type MessagePort, parentPort } from 'node:worker_threads';
import type { DatabaseLog } from '../db/database.js';
import type { FromThread, ToThread } from './helperThread.js';

/** What a helper thread's program uses to report to the main thread. */
export interface HelperPort<Notice> {
  readonly log: DatabaseLog;
  notify(notice: Notice): void;
}

/** The result of a task, and the memory that moves to the main thread with it. */
interface Done {
  readonly result: unknown;
  readonly transfer?: readonly ArrayBuffer[];
}

interface ServeOptions<Task> {
  run(task: Task, until: AbortSignal): Promise<Done>;
  /** The structured-cloneable form of an error that is sent to the main thread. */
  serializeError(error: unknown): unknown;
  close(): Promise<void>;
}

/**
 * Gives the thread a tenth of the main thread's weight in the Linux scheduler. The 95th percentile
 * of reads beside an import was 8 to 29 ms without it and 6 ms with it (`npm run bench -- imports`,
 * two cores).
 */
const NICENESS = 10;

/** Runs the tasks of a HelperThread until the close message. */
export function serveHelper<Task, Notice>(build: (port: HelperPort<Notice>) => ServeOptions<Task>): void {
  const port = parentPort;
  if (!port) throw new Error('serveHelper must run in a worker thread');
  // Linux has a priority for each thread; elsewhere this would change that of the whole process.
  if (process.platform === 'linux') setPriority(NICENESS);
  const send = (message: FromThread<Notice>, transfer: readonly ArrayBuffer[] = []) =>
    port.postMessage(message, transfer);
  const { run, serializeError, close } = build({ log: logTo(port), notify: (notice) => send({ notice }) });
  const underWay = new Map<number, { abort: AbortController; done: Promise<void> }>();
  port.on('message', (message: ToThread<Task>) => {
    if ('abort' in message) underWay.get(message.abort)?.abort.abort();
    else if ('close' in message) void end();
    else begin(message.id, message.task);
  });

  function begin(id: number, task: Task): void {
    const abort = new AbortController();
    const done = run(task, abort.signal)
      .then(
        ({ result, transfer = [] }) => send({ id, result }, transfer),
        (error: unknown) => send({ id, error: serializeError(error) }),
      )
      .finally(() => underWay.delete(id));
    underWay.set(id, { abort, done });
  }

  async function end(): Promise<void> {
    await Promise.all([...underWay.values()].map(({ done }) => done));
    await close();
    port?.close();
  }
}

function logTo(port: MessagePort): DatabaseLog {
  const to = (log: keyof DatabaseLog) => (details: object, message: string) =>
    port.postMessage({ log, details, message } satisfies FromThread<never>);
  return { info: to('info'), warn: to('warn'), error: to('error') };
}
