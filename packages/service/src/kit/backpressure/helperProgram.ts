import { setPriority } from 'node:os';
import { type MessagePort, parentPort } from 'node:worker_threads';
import type { DatabaseLog } from '../db/database.js';
import type { FromThread, ToThread } from './helperThread.js';

/** Where a helper thread's program hears of its tasks. */
export interface HelperPort<Notice> {
  readonly log: DatabaseLog;
  notify(notice: Notice): void;
}

/** How a task ended, and the memory that goes over to the other side with it. */
interface Done {
  readonly result: unknown;
  readonly transfer?: readonly ArrayBuffer[];
}

interface ServeOptions<Task> {
  run(task: Task, until: AbortSignal): Promise<Done>;
  /** What of an error is sent: a value that can be cloned. */
  faultOf(error: unknown): unknown;
  close(): Promise<void>;
}

/**
 * A tenth of the main thread's weight with Linux's scheduler. Without it the 95th percentile of reads beside an import was
 * 8 to 29 ms, with it 6 (`npm run bench -- imports`, two cores).
 */
const NICENESS = 10;

/** The program of a HelperThread: runs its tasks until the close message. */
export function serveHelper<Task, Notice>(build: (port: HelperPort<Notice>) => ServeOptions<Task>): void {
  const port = parentPort;
  if (!port) throw new Error('this is the program of a thread');
  // Linux has a priority for each thread; elsewhere this would change that of the whole process.
  if (process.platform === 'linux') setPriority(NICENESS);
  const say = (message: FromThread<Notice>, transfer: readonly ArrayBuffer[] = []) =>
    port.postMessage(message, transfer);
  const { run, faultOf, close } = build({ log: logTo(port), notify: (notice) => say({ notice }) });
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
        ({ result, transfer = [] }) => say({ id, result }, transfer),
        (error: unknown) => say({ id, fault: faultOf(error) }),
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
