import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { FromThread, ToThread } from './helperThread.js';

interface Done {
  readonly result: unknown;
  readonly transfer?: readonly ArrayBuffer[];
}

interface HelperOptions<Task> {
  run(task: Task): Promise<Done>;
  serializeError(error: unknown): unknown;
}

/**
 * Gives the thread a tenth of the main thread's weight in the Linux scheduler. The 95th percentile of reads
 * beside an import was 8 to 29 ms without it and 6 ms with it (`npm run bench -- imports`, two cores).
 */
const NICENESS = 10;

/** Runs the tasks of a HelperThread until the close message. */
export function serveHelper<Task>({ run, serializeError }: HelperOptions<Task>): void {
  const port = parentPort;
  if (!port) throw new Error('serveHelper must run in a worker thread');
  // Linux has a priority for each thread; elsewhere this would change that of the whole process.
  if (process.platform === 'linux') setPriority(NICENESS);
  const send = (message: FromThread, transfer: readonly ArrayBuffer[] = []) =>
    port.postMessage(message, transfer);
  const underWay = new Set<Promise<void>>();
  port.on('message', (message: ToThread<Task>) => {
    if ('close' in message) return void Promise.all(underWay).then(() => port.close());
    const { id, task } = message;
    const done = run(task)
      .then(
        ({ result, transfer = [] }) => send({ id, result }, transfer),
        (error: unknown) => send({ id, error: serializeError(error) }),
      )
      .finally(() => underWay.delete(done));
    underWay.add(done);
  });
}
