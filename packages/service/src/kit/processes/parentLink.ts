import type { Registry } from 'prom-client';
import type { RateLimiter } from '../rateLimit.js';
import { createChannel, createUnsent } from './channel.js';
import { rateLimitByParent } from './leasedLimiter.js';
import {
  METRICS,
  METRICS_OF_ALL,
  type MetricJson,
  ONE_PROCESS,
  PASS_ON,
  type Passed,
  type ProcessState,
  STARTED,
  STATE,
} from './topics.js';

/** What one of several processes shares with the others through their parent (PROCESSES). */
export interface ParentLink {
  /** Counts requests for all processes together. */
  readonly limiter: RateLimiter;
  /** Tells the parent that this process has started. */
  started(): void;
  state(): ProcessState;
  /** Sends the first process a message, which may be lost. */
  sendToFirst(topic: string, message: unknown): void;
  /** Handles messages that other processes send to this one as the first. */
  onReceived<Message>(topic: string, take: (message: Message) => void): void;
  /** The metrics of all processes, added up, as Prometheus text. Throws if the parent is too busy. */
  metricsOfAll(): Promise<string>;
}

const METRICS_WITHIN_MS = 5_000;

/** @param metrics those of this process. */
export function linkToParent(metrics: () => Promise<readonly MetricJson[]>): ParentLink {
  const unsent = createUnsent();
  const channel = createChannel({
    send: (message) => process.send?.(message, undefined, undefined, unsent.add()),
    onMessage: (take) => process.on('message', take),
  });
  let state = ONE_PROCESS;
  channel.on<ProcessState>(STATE, (current) => {
    state = current;
  });
  channel.on(METRICS, metrics);
  return {
    limiter: rateLimitByParent(channel),
    started: () => channel.tell(STARTED, null),
    state: () => state,
    sendToFirst(topic, message) {
      if (!unsent.isFull()) channel.tell(PASS_ON, { topic, message } satisfies Passed);
    },
    onReceived: channel.on,
    metricsOfAll: async () => channel.ask<string>(METRICS_OF_ALL, await metrics(), METRICS_WITHIN_MS),
  };
}

/** Values that cannot be added, such as the delay of the event loop, become those of the worst process. */
export async function metricsOf(registry: Registry): Promise<MetricJson[]> {
  const metrics = (await registry.getMetricsAsJSON()) as unknown as MetricJson[];
  return metrics.map((metric) =>
    metric.aggregator === 'average' ? { ...metric, aggregator: 'max' } : metric,
  );
}
