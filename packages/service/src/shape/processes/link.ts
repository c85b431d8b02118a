import cluster from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';
import { type RateLimiter, rateLimitInMemory, type Taken } from '#kit/rateLimit.js';

const ONE_PROCESS: ProcessState = { configured: 1, running: 1, restarts: 0 };
const METRICS_WITHIN_MS = 5_000;

/**
 * What the processes of one start share (PROCESSES).
 * @param ownMetrics those of this process.
 */
export function joinProcesses(ownMetrics: () => Promise<readonly MetricJson[]>) {
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
    /** Counts requests for all of them together. */
    limiter: areSeveral ? rateLimitBySupervisor(channel) : rateLimitInMemory(),
    /** This process has started. */
    started: () => areSeveral && channel.send('started'),
    state: () => state,
    /** The metrics of all of them as Prometheus text. Rejects if their supervisor is too busy. */
    async metricsText(): Promise<string> {
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

export interface ProcessState {
  /** PROCESSES. */
  readonly configured: number;
  readonly running: number;
  /** Processes that ended unexpectedly since the start. */
  readonly restarts: number;
}

interface Message {
  readonly topic: string;
  /** 0: needs no answer. */
  readonly id: number;
  readonly body: unknown;
}

const ANSWER = 'answer';
/** Messages that the other end has not taken. It may be stuck: further ones are dropped. */
const MAX_UNSENT = 200;

/** One end of the IPC channel between the supervisor and a process. */
export class Channel {
  readonly #waiting = new Map<number, (answer: unknown) => void>();
  #lastId = 0;
  #unsent = 0;

  /** @param takers what to do with messages, by topic. The result is the answer. */
  constructor(
    readonly post: (message: Message, done: () => void) => void,
    readonly takers: Readonly<Record<string, (body: never) => unknown>>,
  ) {}

  send(topic: string, body: unknown = null, id = 0): void {
    if (this.#unsent >= MAX_UNSENT) return;
    this.#unsent += 1;
    this.post({ topic, id, body }, () => {
      this.#unsent -= 1;
    });
  }

  /** Undefined: no answer within `limitMs`. */
  ask<Answer>(topic: string, body: unknown, limitMs: number): Promise<Answer | undefined> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      // After a long turn of its own, this process first takes the answers that have come meanwhile.
      const limit = setTimeout(() => setImmediate(() => done(undefined)), limitMs);
      const done = (answer: unknown) => {
        clearTimeout(limit);
        this.#waiting.delete(id);
        resolve(answer as Answer | undefined);
      };
      this.#waiting.set(id, done);
      this.send(topic, body, id);
    });
  }

  async take({ topic, id, body }: Message): Promise<void> {
    if (topic === ANSWER) return this.#waiting.get(id)?.(body);
    const answer = await this.takers[topic]?.(body as never);
    if (id > 0) this.send(ANSWER, answer, id);
  }
}

export interface MetricJson {
  readonly name: string;
  readonly type: string;
  readonly aggregator: string;
}

/** Adds up the metrics of several processes, by their numbers. */
export class SummedMetrics {
  readonly #latest = new Map<number, readonly MetricJson[]>();
  #past = Promise.resolve<readonly MetricJson[]>([]);

  note(process: number, metrics: readonly MetricJson[]): void {
    this.#latest.set(process, metrics);
  }

  /** Keeps its counts: Prometheus would take a sum that falls for a restart of everything. */
  ended(process: number): void {
    const last = this.#latest.get(process) ?? [];
    this.#latest.delete(process);
    const counts = last.filter(({ type }) => type === 'counter' || type === 'histogram');
    this.#past = this.#past.then(async (before) => {
      const sum = await sumOf([before, counts]).getMetricsAsJSON();
      return sum as unknown as MetricJson[];
    });
  }

  /** @param first the process whose values count where all processes see the same (queue depths). */
  async text(first: number): Promise<string> {
    const past = await this.#past;
    const others = [...this.#latest].filter(([process]) => process !== first);
    const all = [this.#latest.get(first) ?? [], ...others.map(([, metrics]) => metrics), past];
    return sumOf(all).metrics();
  }
}

/** Adds up the metrics of threads or processes. Of a value that all see the same, the first counts. */
export function sumOf(metrics: readonly (readonly MetricJson[])[]) {
  return AggregatorRegistry.aggregate([...metrics]);
}
