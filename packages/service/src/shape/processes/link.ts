import cluster from 'node:cluster';
import type { Registry } from 'prom-client';
import { type RateLimiter, rateLimitInMemory, type Taken } from '../../kit/rateLimit.js';
import { Channel, type ProcessState } from './channel.js';
import { type MetricJson, sumOf } from './summedMetrics.js';

/** What the processes of one start share (PROCESSES). */
export interface Processes {
  /** False: this is the only process of its start. */
  readonly areSeveral: boolean;
  /** Counts requests for all of them together. */
  readonly limiter: RateLimiter;
  /** This process has started. */
  started(): void;
  state(): ProcessState;
  /** The metrics of all of them as Prometheus text. Rejects if their supervisor is too busy. */
  metricsText(): Promise<string>;
}

const ONE_PROCESS: ProcessState = { configured: 1, running: 1, restarts: 0 };
const METRICS_WITHIN_MS = 5_000;

/** @param ownMetrics those of this process. */
export function joinProcesses(ownMetrics: () => Promise<readonly MetricJson[]>): Processes {
  let state = ONE_PROCESS;
  const channel = new Channel((message, done) => process.send?.(message, undefined, undefined, done), {
    state(current: ProcessState) {
      state = current;
    },
    metrics: ownMetrics,
  });
  const areSeveral = cluster.isWorker;
  if (areSeveral) process.on('message', (message) => void channel.take(message as never));
  return {
    areSeveral,
    limiter: areSeveral ? rateLimitBySupervisor(channel) : rateLimitInMemory(),
    started: () => areSeveral && channel.send('started'),
    state: () => state,
    async metricsText() {
      if (!areSeveral) return sumOf([await ownMetrics()]).metrics();
      const text = await channel.ask<string>('metrics', null, METRICS_WITHIN_MS);
      if (text === undefined) throw new Error(`no metrics within ${METRICS_WITHIN_MS} ms`);
      return text;
    },
  };
}

/** The supervisor only counts. Longer than this means that the machine is stuck. */
const COUNT_WITHIN_MS = 250;

/**
 * The supervisor counts every request, so a limit is exact. Requests that arrive in one turn of the
 * event loop share a message. Without an answer in time, this process counts alone.
 */
export function rateLimitBySupervisor(channel: Pick<Channel, 'ask'>): RateLimiter {
  const own = rateLimitInMemory();
  let waiting: { readonly bucket: string; resolve(taken: Taken | Promise<Taken>): void }[] = [];
  return {
    take(bucket) {
      if (waiting.length === 0) setImmediate(() => void count());
      return new Promise((resolve) => waiting.push({ bucket, resolve }));
    },
    close: () => undefined,
  };

  async function count(): Promise<void> {
    const asking = waiting;
    waiting = [];
    const buckets = asking.map(({ bucket }) => bucket);
    const taken = await channel.ask<Taken[]>('count', buckets, COUNT_WITHIN_MS);
    for (const [index, { bucket, resolve }] of asking.entries()) resolve(taken?.[index] ?? own.take(bucket));
  }
}

/** Values that cannot be added, such as the delay of the event loop, become those of the worst process. */
export async function metricsOf(registry: Registry): Promise<MetricJson[]> {
  const metrics = (await registry.getMetricsAsJSON()) as unknown as MetricJson[];
  return metrics.map((metric) =>
    metric.aggregator === 'average' ? { ...metric, aggregator: 'max' } : metric,
  );
}
