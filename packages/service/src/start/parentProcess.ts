import cluster, { type Worker } from 'node:cluster';
import type { FastifyBaseLogger } from 'fastify';
import { createSummedMetrics } from '../kit/processes/metricsOfAll.js';
import { type SharedState, serveProcess } from '../kit/processes/parentEnd.js';
import { createSharedWindows } from '../kit/processes/sharedWindows.js';
import type { Config } from './config.js';
import { FAILED, STOP_LIMIT_MS } from './exit.js';
import { assertAddressFree } from './listening.js';

interface ParentOptions {
  config: Config;
  log: FastifyBaseLogger;
  count: number;
}

/** Waits before restarts of one process, doubled each time. */
const FIRST_RESTART_MS = 250;
const LAST_RESTART_MS = 30_000;
/** A process that ran this long has recovered: its next restart waits the shortest time. */
const RECOVERED_MS = 60_000;
/** The processes stop within STOP_LIMIT_MS by themselves. */
const KILL_AFTER_MS = STOP_LIMIT_MS + 250;

/**
 * Runs `count` processes of the service, which share its port (PROCESSES). The first one starts
 * alone, so that migrations, the first keys and errors of the start come once. A process that ends
 * is started again; the others are not affected.
 * Throws ConfigError if the port cannot be used.
 */
export async function runParent({ config, log, count }: ParentOptions): Promise<void> {
  // The processes do not check the port: they would answer on it.
  await assertAddressFree(config);
  // `advanced` keeps NaN and Infinity, which metrics contain.
  cluster.setupPrimary({ serialization: 'advanced' });
  cluster.schedulingPolicy = cluster.SCHED_RR;
  const running = new Map<number, Worker>();
  const restarts = new Set<NodeJS.Timeout>();
  const started = new Set<number>();
  const shared: SharedState = {
    windows: createSharedWindows(
      async (number, bucket, window) => (await shared.ends.get(number)?.recall({ bucket, window })) ?? 0,
    ),
    metrics: createSummedMetrics(),
    ends: new Map(),
    first,
  };
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
    running.set(number, worker);
    serveProcess(shared, number, worker, () => {
      started.add(number);
      sayState();
      if (hasStarted) return;
      hasStarted = true;
      for (let other = 2; other <= count; other += 1) start(other, 0);
    });
    worker.once('exit', (code, signal) => {
      closeLostConnection();
      running.delete(number);
      started.delete(number);
      shared.ends.delete(number);
      shared.metrics.ended(number);
      if (isStopping) return endWithLast(code);
      // It has said why.
      if (!hasStarted) process.exit(code ?? FAILED);
      ended += 1;
      sayState();
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

  function first(): number {
    return Math.min(count, ...started);
  }

  function sayState(): void {
    const state = { configured: count, running: started.size, first: first(), restarts: ended };
    for (const end of shared.ends.values()) end.sayState(state);
  }

  // A repeated signal is passed on, too: the processes then stop at once.
  function stop(signal: NodeJS.Signals): void {
    if (!isStopping) {
      log.info({ signal, processes: running.size }, 'stopping all processes');
      setTimeout(killAll, KILL_AFTER_MS).unref();
    }
    isStopping = true;
    for (const timer of restarts) clearTimeout(timer);
    if (running.size === 0) process.exit(exitCode);
    for (const worker of running.values()) worker.process.kill(signal);
  }

  function endWithLast(code: number | null): void {
    if (code !== 0) exitCode = FAILED;
    if (running.size === 0) process.exit(exitCode);
  }

  function killAll(): void {
    for (const worker of running.values()) worker.process.kill('SIGKILL');
  }
}

/**
 * A connection that is on its way to a process while that dies would stay open, and its client would
 * wait: Node then forgets its own handle. There is at most one for each process.
 * @returns what closes it.
 */
function trackHandover({ process: child }: Worker): () => void {
  const send = child.send.bind(child) as (...args: unknown[]) => boolean;
  child.send = (...args: unknown[]) => {
    if (isCloseable(args[1])) {
      for (const [other, handle] of onTheWay) if (handle === args[1]) onTheWay.delete(other);
      onTheWay.set(child, args[1]);
    }
    return send(...args);
  };
  return () => {
    onTheWay.get(child)?.close();
    onTheWay.delete(child);
  };
}

interface Closeable {
  close(): void;
}

const onTheWay = new Map<object, Closeable>();

function isCloseable(handle: unknown): handle is Closeable {
  return typeof handle === 'object' && handle !== null && 'close' in handle;
}
