import cluster, { type Worker } from 'node:cluster';
import type { FastifyBaseLogger } from 'fastify';
import { rateLimitInMemory } from '#kit/rateLimit.js';
import { Channel, type MetricJson, type ProcessState, SummedMetrics } from './link.js';

/** Waits before restarts of one process, doubled each time. */
const FIRST_RESTART_MS = 250;
const LAST_RESTART_MS = 30_000;
/** A process that ran this long has recovered: its next restart waits the shortest time. */
const RECOVERED_MS = 60_000;
const METRICS_WITHIN_MS = 1_000;
const FAILED = 1;

/**
 * Runs `count` processes of the service, which share its port (PROCESSES). The first one starts
 * alone, so that migrations, the first keys and errors of the start come once. A process that ends
 * is started again; the others are not affected.
 * @param stopLimitMs they stop within this time by themselves.
 */
export function supervise(count: number, stopLimitMs: number, log: FastifyBaseLogger): void {
  // `advanced` keeps NaN and Infinity, which metrics contain.
  cluster.setupPrimary({ serialization: 'advanced' });
  cluster.schedulingPolicy = cluster.SCHED_RR;
  const limiter = rateLimitInMemory();
  const metrics = new SummedMetrics();
  const children = new Map<number, { readonly worker: Worker; readonly channel: Channel }>();
  const started = new Set<number>();
  const restarts = new Set<NodeJS.Timeout>();
  let ended = 0;
  let hasStarted = false;
  let isStopping = false;
  let exitCode = 0;
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  start(1, 0);

  function start(number: number, failures: number): void {
    const startedMs = performance.now();
    cluster.setupPrimary({ args: [String(number)] });
    const worker = cluster.fork();
    const closeLostConnection = trackHandover(worker);
    const channel = new Channel((message, done) => worker.send(message, done), {
      started: () => noteStarted(number),
      count: (buckets: string[]) => buckets.map((bucket) => limiter.take(bucket)),
      metrics: () => sum(number),
    });
    children.set(number, { worker, channel });
    worker.on('message', (message) => void channel.take(message));
    worker.once('exit', (code, signal) => {
      closeLostConnection();
      children.delete(number);
      started.delete(number);
      metrics.ended(number);
      if (isStopping) return endWithLast(code);
      // It has said why.
      if (!hasStarted) process.exit(code ?? FAILED);
      ended += 1;
      sendState();
      const previous = performance.now() - startedMs > RECOVERED_MS ? 0 : failures;
      const restartMs = Math.min(FIRST_RESTART_MS * 2 ** previous, LAST_RESTART_MS);
      log.error(
        { process: number, code, signal, restartMs },
        'a process of the service ended; it is started again',
      );
      const timer = setTimeout(() => {
        restarts.delete(timer);
        start(number, previous + 1);
      }, restartMs);
      restarts.add(timer);
    });
  }

  function noteStarted(number: number): void {
    started.add(number);
    sendState();
    if (hasStarted) return;
    hasStarted = true;
    for (let other = 2; other <= count; other += 1) start(other, 0);
  }

  /** A process that does not answer counts with its last metrics. */
  async function sum(asking: number): Promise<string> {
    const reads = [...children].map(async ([number, child]) => {
      const read = await child.channel.ask<MetricJson[]>('metrics', null, METRICS_WITHIN_MS);
      if (read && children.get(number) === child) metrics.note(number, read);
    });
    await Promise.all(reads);
    return metrics.text(asking);
  }

  function sendState(): void {
    const state: ProcessState = { configured: count, running: started.size, restarts: ended };
    for (const { channel } of children.values()) channel.send('state', state);
  }

  // A repeated signal is passed on, too: the processes then stop at once.
  function stop(signal: NodeJS.Signals): void {
    if (!isStopping) {
      log.info({ signal, processes: children.size }, 'stopping all processes');
      setTimeout(() => killAll('SIGKILL'), stopLimitMs + 250).unref();
    }
    isStopping = true;
    for (const timer of restarts) clearTimeout(timer);
    if (children.size === 0) process.exit(exitCode);
    killAll(signal);
  }

  function endWithLast(code: number | null): void {
    if (code !== 0) exitCode = FAILED;
    if (children.size === 0) process.exit(exitCode);
  }

  function killAll(signal: NodeJS.Signals): void {
    for (const { worker } of children.values()) worker.process.kill(signal);
  }
}

const onTheWay = new Map<object, { close(): void }>();

/**
 * A connection that is on its way to a process while that dies would stay open, and its client would
 * wait: Node then forgets its own handle. There is at most one for each process.
 * @returns what closes it.
 */
function trackHandover({ process: child }: Worker): () => void {
  const send = child.send.bind(child) as (...args: unknown[]) => boolean;
  child.send = (...args: unknown[]) => {
    const handle = args[1] as { close(): void } | undefined;
    if (handle && 'close' in handle) {
      for (const [other, sent] of onTheWay) if (sent === handle) onTheWay.delete(other);
      onTheWay.set(child, handle);
    }
    return send(...args);
  };
  return () => {
    onTheWay.get(child)?.close();
    onTheWay.delete(child);
  };
}
