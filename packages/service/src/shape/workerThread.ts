import { parentPort, Worker } from 'node:worker_threads';
import type { Registry } from 'prom-client';
import type { Topic } from '#kit/db/wakes.js';
import { Channel, type MetricJson, metricsOf, sumOf } from './processes/link.js';

interface WorkerThreadOptions {
  program: URL;
  data: WorkerThreadData;
  /** Called if the thread ends before it is stopped. */
  onDeath(error: Error): void;
}

/** The `workerData` of the thread. It reads all other settings itself. */
export interface WorkerThreadData {
  readonly poolSize: number;
  /** Its number of several processes; null: there is one. */
  readonly process: number | null;
}

/** A topic that is raised for a ledger group. */
type Raised = readonly [group: number, topic: Topic];

const STOP = 'stop';
const WAKE = 'wake';
const METRICS = 'metrics';
const METRICS_WITHIN_MS = 5_000;
/** Of 48 MB, V8 keeps what a load once took. */
const MAX_YOUNG_MB = 16;

export type WorkerThread = ReturnType<typeof createWorkerThread>;

/**
 * With ROLE=all on PostgreSQL this thread answers requests, and a second one runs the program of
 * ROLE=worker. A turn of its event loop then delays no request.
 */
export function createWorkerThread({ program, data, onDeath }: WorkerThreadOptions) {
  let end = async (): Promise<void> => undefined;
  let ask = async (): Promise<readonly MetricJson[]> => [];
  let send: ((raised: readonly Raised[]) => void) | null = null;
  let due: Raised[] = [];
  return {
    start,
    /** A notification of the database would arrive some ten milliseconds later. False: it does not run. */
    wake(group: number, topic: Topic): boolean {
      if (!send) return false;
      if (due.length === 0) setImmediate(flush);
      if (!due.some(([ofGroup, raised]) => ofGroup === group && raised === topic)) due.push([group, topic]);
      return true;
    },
    /** Empty: it does not run. Throws if it is too busy. */
    metrics: () => ask(),
    stop: () => end(),
  };

  function flush(): void {
    send?.(due);
    due = [];
  }

  function start(): void {
    const resourceLimits = { maxYoungGenerationSizeMb: MAX_YOUNG_MB };
    const worker = new Worker(program, { workerData: data, resourceLimits });
    const channel = new Channel(postTo(worker), {});
    worker.on('message', (message) => void channel.take(message));
    let isStopping = false;
    const died = (error: Error) => {
      ask = async () => [];
      send = null;
      if (!isStopping) onDeath(error);
      isStopping = true;
    };
    worker.once('error', died);
    const exited = new Promise<void>((resolve) => {
      worker.once('exit', (code) => {
        died(new Error(`the worker thread ended with code ${code}: see the log before this line`));
        resolve();
      });
    });
    ask = async () => {
      const metrics = await channel.ask<readonly MetricJson[]>(METRICS, null, METRICS_WITHIN_MS);
      if (!metrics) throw new Error(`the worker thread gave no metrics within ${METRICS_WITHIN_MS} ms`);
      return metrics;
    };
    send = (raised) => channel.send(WAKE, raised);
    end = () => {
      isStopping = true;
      channel.send(STOP);
      return exited;
    };
  }
}

/** The other end, in the thread. */
export function serveMainThread(serve: {
  metrics(): Promise<readonly MetricJson[]>;
  wake(group: number, topic: Topic): void;
  stop(): void;
}): void {
  const port = parentPort;
  if (!port) throw new Error('serveMainThread must run in a worker thread');
  const channel = new Channel(postTo(port), {
    [METRICS]: serve.metrics,
    [WAKE]: (raised: readonly Raised[]) => {
      for (const [group, topic] of raised) serve.wake(group, topic);
    },
    [STOP]: serve.stop,
  });
  port.on('message', (message) => void channel.take(message));
}

/** Between threads nothing waits to be sent. */
function postTo(port: { postMessage(message: unknown): void }): Channel['post'] {
  return (message, done) => {
    port.postMessage(message);
    done();
  };
}

/** The metrics of this thread, and of the worker thread if there is one. */
export async function metricsOfThreads(registry: Registry, thread: Pick<WorkerThread, 'metrics'> | null) {
  // What is not added up, such as the version of Node, is that of this thread.
  const own = (await metricsOf(registry)).map((metric) =>
    metric.aggregator === 'omit' ? { ...metric, aggregator: 'first' } : metric,
  );
  if (!thread) return own;
  // Both threads see the whole process.
  const others = (await thread.metrics()).filter(({ name }) => !name.startsWith('process_'));
  return (await sumOf([own, others]).getMetricsAsJSON()) as unknown as MetricJson[];
}
