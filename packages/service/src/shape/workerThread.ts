import { parentPort, Worker } from 'node:worker_threads';
import type { Registry } from 'prom-client';
import { createChannel } from '../kit/processes/channel.js';
import { sumOf } from '../kit/processes/metricsOfAll.js';
import { metricsOf } from '../kit/processes/parentLink.js';
import type { MetricJson } from '../kit/processes/topics.js';

/**
 * With ROLE=all on PostgreSQL this thread answers requests, and a second one runs the program of
 * ROLE=worker. A turn of its event loop then delays no request.
 */
export interface WorkerThread {
  start(): void;
  /** Empty: it does not run. Throws if it is too busy. */
  metrics(): Promise<readonly MetricJson[]>;
  /** Resolves when the thread has finished what it does. */
  stop(): Promise<void>;
}

interface WorkerThreadOptions {
  program: URL;
  data: WorkerThreadData;
  /** Called if the thread ends before it is stopped. */
  onDeath(error: Error): void;
}

/** The `workerData` of the thread. It reads all other settings itself. */
export interface WorkerThreadData {
  readonly poolSize: number;
}

const STOP = 'stop';
const METRICS = 'metrics';
const METRICS_WITHIN_MS = 5_000;

export function createWorkerThread({ program, data, onDeath }: WorkerThreadOptions): WorkerThread {
  let end = async (): Promise<void> => undefined;
  let ask = async (): Promise<readonly MetricJson[]> => [];
  return { start, metrics: () => ask(), stop: () => end() };

  function start(): void {
    const worker = new Worker(program, { workerData: data, argv: process.argv.slice(2) });
    const channel = createChannel({
      send: (message) => worker.postMessage(message),
      onMessage: (take) => worker.on('message', take),
    });
    let isStopping = false;
    const died = (error: Error) => {
      ask = async () => [];
      if (!isStopping) onDeath(error);
      isStopping = true;
    };
    worker.once('error', died);
    const exited = new Promise<void>((resolve) => {
      worker.once('exit', (code) => {
        died(
          new Error(`the worker thread ended with code ${code}: see the lines of the log before this one`),
        );
        resolve();
      });
    });
    ask = () => channel.ask(METRICS, null, METRICS_WITHIN_MS);
    end = () => {
      isStopping = true;
      channel.tell(STOP, null);
      return exited;
    };
  }
}

/** The other end, in the thread. */
export function serveMainThread(serve: { metrics(): Promise<readonly MetricJson[]>; stop(): void }): void {
  const port = parentPort;
  if (!port) throw new Error('serveMainThread must run in a worker thread');
  const channel = createChannel({
    send: (message) => port.postMessage(message),
    onMessage: (take) => port.on('message', take),
  });
  channel.on(METRICS, serve.metrics);
  channel.on(STOP, serve.stop);
}

/** Scores, log, deliveries and two jobs at once take one connection each, or two. */
const WORKER_SHARE = 0.4;

/** The connections of a process, divided between its two threads. */
export function sharePool(poolSize: number): { api: number; worker: number } {
  const worker = Math.max(1, Math.floor(poolSize * WORKER_SHARE));
  return { api: Math.max(1, poolSize - worker), worker };
}

/** The metrics of this thread, and of the worker thread if there is one. */
export async function metricsOfThreads(
  registry: Registry,
  thread: Pick<WorkerThread, 'metrics'> | null,
): Promise<readonly MetricJson[]> {
  const own = await metricsOf(registry);
  if (!thread) return own;
  // Both threads see the whole process.
  const others = (await thread.metrics()).filter(({ name }) => !name.startsWith('process_'));
  const kept = own.map((metric) =>
    metric.aggregator === 'omit' ? { ...metric, aggregator: 'first' } : metric,
  );
  return (await sumOf([kept, others]).getMetricsAsJSON()) as unknown as MetricJson[];
}
