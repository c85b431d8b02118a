import type { Registry } from 'prom-client';
import { type RateLimiter, rateLimitInMemory, type Taken } from '../rateLimit.js';
import { type Channel, createChannel } from './channel.js';
import {
  METRICS,
  METRICS_OF_ALL,
  type MetricJson,
  ONE_PROCESS,
  type ProcessState,
  STARTED,
  STATE,
  TAKE,
  type TakenPair,
} from './topics.js';

/** What one of several processes shares with the others through their parent (PROCESSES). */
export interface ParentLink {
  /** Counts requests for all processes together. */
  readonly limiter: RateLimiter;
  /** Tells the parent that this process has started. */
  started(): void;
  state(): ProcessState;
  /** The metrics of all processes, added up, as Prometheus text. Throws if the parent is too busy. */
  metricsOfAll(): Promise<string>;
}

/** The parent only waits for other processes. Longer than this means that the machine is stuck. */
const TAKE_WITHIN_MS = 250;
const METRICS_WITHIN_MS = 5_000;

/** @param registry the metrics of this process. */
export function linkToParent(registry: Registry): ParentLink {
  const channel = createChannel({
    send: (message) => process.send?.(message, undefined, undefined, ignoreHere),
    onMessage: (take) => process.on('message', take),
  });
  let state = ONE_PROCESS;
  channel.on<ProcessState>(STATE, (current) => {
    state = current;
  });
  channel.on(METRICS, () => metricsOf(registry));
  return {
    limiter: rateLimitByParent(channel),
    started: () => channel.tell(STARTED, null),
    state: () => state,
    metricsOfAll: async () =>
      channel.ask<string>(METRICS_OF_ALL, await metricsOf(registry), METRICS_WITHIN_MS),
  };
}

// The parent is gone: this process ends with it.
function ignoreHere(): void {}

/** Values that cannot be added, such as the delay of the event loop, become those of the worst process. */
async function metricsOf(registry: Registry): Promise<MetricJson[]> {
  const metrics = (await registry.getMetricsAsJSON()) as unknown as MetricJson[];
  return metrics.map((metric) =>
    metric.aggregator === 'average' ? { ...metric, aggregator: 'max' } : metric,
  );
}

interface Waiting {
  readonly bucket: string;
  resolve(taken: Taken | Promise<Taken>): void;
}

/**
 * Requests that arrive in one turn of the event loop share a message. If the parent does not answer
 * in time, this process counts them alone.
 */
export function rateLimitByParent(channel: Pick<Channel, 'ask'>): RateLimiter {
  const own = rateLimitInMemory();
  let waiting: Waiting[] = [];
  return {
    take(bucket) {
      if (waiting.length === 0) setImmediate(() => void ask());
      return new Promise((resolve) => waiting.push({ bucket, resolve }));
    },
    close: () => undefined,
  };

  async function ask(): Promise<void> {
    const asked = waiting;
    waiting = [];
    const buckets = asked.map(({ bucket }) => bucket);
    const taken = await channel.ask<TakenPair[]>(TAKE, buckets, TAKE_WITHIN_MS).catch(() => []);
    for (const [index, { bucket, resolve }] of asked.entries()) {
      const [count, msBeforeReset] = taken[index] ?? [];
      resolve(
        count === undefined || msBeforeReset === undefined ? own.take(bucket) : { count, msBeforeReset },
      );
    }
  }
}
