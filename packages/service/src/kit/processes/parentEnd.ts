import type { Worker } from 'node:cluster';
import type { RateLimiter, Taken } from '../rateLimit.js';
import { type Channel, createChannel } from './channel.js';
import type { SummedMetrics } from './metricsOfAll.js';
import {
  METRICS,
  METRICS_OF_ALL,
  type MetricJson,
  type ProcessState,
  STARTED,
  STATE,
  TAKE,
  type TakenPair,
} from './topics.js';

/** What the parent keeps for all processes. */
export interface SharedState {
  /** Counts at once. */
  readonly limiter: RateLimiter;
  readonly metrics: SummedMetrics;
  /** By the number of the process. */
  readonly ends: Map<number, ProcessEnd>;
}

/** The parent's end of the channel to one process. */
export interface ProcessEnd {
  sayState(state: ProcessState): void;
  /** Brings `SharedState.metrics` up to date. Resolves when the process answered or took too long. */
  readMetrics(): Promise<void>;
}

const METRICS_WITHIN_MS = 1_000;

/** Answers one process until it ends. */
export function serveProcess(
  shared: SharedState,
  number: number,
  worker: Worker,
  onStarted: () => void,
): void {
  const { limiter, metrics, ends } = shared;
  const channel = createChannel({
    send(message) {
      if (worker.isConnected()) worker.send(message as object, ignoreHere);
    },
    onMessage: (take) => worker.on('message', take),
  });
  ends.set(
    number,
    endOf(channel, (read) => metrics.note(number, read)),
  );
  channel.on(STARTED, onStarted);
  channel.on<string[]>(TAKE, (buckets) => Promise.all(buckets.map((bucket) => take(limiter, bucket))));
  channel.on<MetricJson[]>(METRICS_OF_ALL, async (own) => {
    metrics.note(number, own);
    const others = [...ends].filter(([other]) => other !== number);
    await Promise.all(others.map(([, end]) => end.readMetrics()));
    return metrics.text(number);
  });
}

// Its exit is handled where it is seen.
function ignoreHere(): void {}

async function take(limiter: RateLimiter, bucket: string): Promise<TakenPair> {
  const { count, msBeforeReset }: Taken = await limiter.take(bucket);
  return [count, msBeforeReset];
}

function endOf(channel: Channel, note: (metrics: MetricJson[]) => void): ProcessEnd {
  return {
    sayState: (state) => channel.tell(STATE, state),
    // A process that does not answer counts with its last metrics.
    readMetrics: () => channel.ask<MetricJson[]>(METRICS, null, METRICS_WITHIN_MS).then(note, ignoreHere),
  };
}
