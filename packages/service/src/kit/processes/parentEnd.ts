import type { Worker } from 'node:cluster';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Channel, createChannel, createUnsent } from './channel.js';
import type { SummedMetrics } from './metricsOfAll.js';
import type { SharedWindows } from './sharedWindows.js';
import {
  type Asked,
  METRICS,
  METRICS_OF_ALL,
  type MetricJson,
  PASS_ON,
  type Passed,
  type ProcessState,
  RECALL,
  type Recalled,
  STARTED,
  STATE,
  TAKE,
} from './topics.js';

/** What the parent keeps for all processes. */
export interface SharedState {
  readonly windows: SharedWindows;
  readonly metrics: SummedMetrics;
  /** By the number of the process. */
  readonly ends: Map<number, ProcessEnd>;
  /** The number of the first process that runs. */
  first(): number;
}

/** The parent's end of the channel to one process. */
export interface ProcessEnd {
  sayState(state: Omit<ProcessState, 'number'>): void;
  /** Brings `SharedState.metrics` up to date. Resolves when the process answered or took too long. */
  readMetrics(): Promise<void>;
  /** What the process has not used of its lease. 0 if it takes too long. */
  recall(recalled: Recalled): Promise<number>;
  /** Tells what another process has for it. Dropped if too much waits to be sent. */
  pass(passed: Passed): void;
}

const METRICS_WITHIN_MS = 1_000;
/** Requests wait for it, and count alone when they have waited longer than TAKE_WITHIN_MS. */
const RECALL_WITHIN_MS = 100;

/** Answers one process until it ends. */
export function serveProcess(
  shared: SharedState,
  number: number,
  worker: Worker,
  onStarted: () => void,
): void {
  const { windows, metrics, ends } = shared;
  const unsent = createUnsent();
  const channel = createChannel({
    send(message) {
      if (worker.isConnected()) worker.send(message as object, unsent.add());
    },
    onMessage: (take) => worker.on('message', take),
  });
  ends.set(number, {
    ...endOf(channel, number, (read) => metrics.note(number, read)),
    pass({ topic, message }) {
      if (!unsent.isFull()) channel.tell(topic, message);
    },
  });
  channel.on(STARTED, onStarted);
  channel.on<Asked[]>(TAKE, (all) => Promise.all(all.map((asked) => windows.take(number, asked))));
  channel.on<Passed>(PASS_ON, (passed) => {
    const first = shared.first();
    if (first !== number) ends.get(first)?.pass(passed);
  });
  channel.on<MetricJson[]>(METRICS_OF_ALL, async (own) => {
    metrics.note(number, own);
    const others = [...ends].filter(([other]) => other !== number);
    await Promise.all(others.map(([, end]) => end.readMetrics()));
    return metrics.text(number);
  });
}

// A process that does not answer counts with its last metrics.
function ignoreHere(): void {}

function endOf(
  channel: Channel,
  number: number,
  note: (metrics: MetricJson[]) => void,
): Omit<ProcessEnd, 'pass'> {
  return {
    sayState: (state) => channel.tell(STATE, { ...state, number } satisfies ProcessState),
    readMetrics: () => channel.ask<MetricJson[]>(METRICS, null, METRICS_WITHIN_MS).then(note, ignoreHere),
    async recall(recalled) {
      await nextTurn(); // grants of this turn are sent before
      return channel.ask<number>(RECALL, recalled, RECALL_WITHIN_MS).catch(() => 0);
    },
  };
}
