import { Counter, Gauge, Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { PATIENCE_MS } from '#harness/eventually.js';
import { createMetrics } from '#kit/http/metrics.js';
import { type RateLimiter, rateLimitInMemory, type Taken } from '#kit/rateLimit.js';
import {
  Channel,
  type MetricJson,
  rateLimitBySupervisor,
  SummedMetrics,
} from '../../src/shape/processes/link.js';

type Takers = ConstructorParameters<typeof Channel>[1];

/** Two ends that are joined. */
function joined(takers: Takers): [Channel, Channel] {
  const post = (other: () => Channel) => (message: unknown, done: () => void) => {
    setImmediate(() => void other().take(structuredClone(message) as never));
    done();
  };
  const here: Channel = new Channel(
    post(() => there),
    {},
  );
  const there: Channel = new Channel(
    post(() => here),
    takers,
  );
  return [here, there];
}

describe('the channel between a process and its supervisor', () => {
  test('gives each question its own answer', async () => {
    const [here] = joined({ double: (number: number) => 2 * number });
    const answers = [1, 2, 3].map((number) => here.ask<number>('double', number, PATIENCE_MS));
    expect(await Promise.all(answers)).toEqual([2, 4, 6]);
  });

  test('a question without an answer ends', async () => {
    const silent = new Channel((_, done) => done(), {});
    expect(await silent.ask('double', 1, 10)).toBeUndefined();
  });

  test('holds at most 200 messages for an end that takes none', () => {
    let posted = 0;
    const stuck = new Channel(() => {
      posted += 1;
    }, {});
    for (let times = 0; times < 1000; times += 1) stuck.send('news');
    expect(posted).toBe(200);
  });
});

describe('a rate limit that the supervisor counts', () => {
  test('asks once for the requests of one turn', async () => {
    const asked: unknown[] = [];
    const ask = async <Answer>(_: string, buckets: unknown) => {
      asked.push(buckets);
      return [1, 2].map((count) => ({ count, msBeforeReset: 500 })) as Answer;
    };
    const limiter = rateLimitBySupervisor({ ask });
    const taken = await Promise.all([limiter.take('a'), limiter.take('a')]);
    expect(taken).toMatchObject([{ count: 1 }, { count: 2 }]);
    expect(asked).toEqual([['a', 'a']]);
  });

  test('is counted here while the supervisor does not answer', async () => {
    const limiter = rateLimitBySupervisor({ ask: async () => undefined });
    expect([await limiter.take('a'), await limiter.take('a')]).toMatchObject([{ count: 1 }, { count: 2 }]);
  });

  test('gives each number to one process, so a client that waits for answers counts down by one', async () => {
    const [first, second] = processesOfOne(2) as [RateLimiter, RateLimiter];
    const counts: number[] = [];
    for (const limiter of [first, second, second, first, second])
      counts.push((await limiter.take('a')).count);
    expect(counts).toEqual([1, 2, 3, 4, 5]);
  });

  test('is exact over processes, however their requests arrive, to the last request', async () => {
    const limit = 5000;
    const limiters = processesOfOne(3);
    const counts: number[] = [];
    while (counts.length < limit + 1000) {
      const taken: (Taken | Promise<Taken>)[] = [];
      for (const [index, burst] of [100, counts.length < limit / 2 ? 100 : 0, 1].entries())
        for (let n = 0; n < burst; n += 1) taken.push(limiters[index]?.take('a') ?? Promise.reject());
      counts.push(...(await Promise.all(taken)).map(({ count }) => count));
    }
    expect(counts.filter((count) => count <= limit)).toHaveLength(limit);
  });
});

/** The limiters of processes whose supervisor counts for all of them. */
function processesOfOne(count: number): RateLimiter[] {
  const counted = rateLimitInMemory();
  const takers = { count: (buckets: string[]) => buckets.map((bucket) => counted.take(bucket)) };
  return Array.from({ length: count }, () => rateLimitBySupervisor(joined(takers)[0]));
}

describe('the metrics of all processes', () => {
  async function metricsOf(requests: number, depth: number): Promise<MetricJson[]> {
    const registry = new Registry();
    const registers = [registry];
    new Counter({ name: 'requests_total', help: 'x', registers }).inc(requests);
    new Gauge({ name: 'open', help: 'x', registers }).set(requests);
    new Gauge({ name: 'depth', help: 'x', aggregator: 'first', registers }).set(depth);
    return (await registry.getMetricsAsJSON()) as unknown as MetricJson[];
  }

  test('add up counts, and show what all see alike once, as the process that was asked sees it', async () => {
    const sum = new SummedMetrics();
    sum.note(1, await metricsOf(3, 0));
    sum.note(2, await metricsOf(4, 9));
    expect(await sum.text(2)).toMatch(/requests_total 7\n.*open 7\n.*depth 9\n/s);
  });

  test('add up open streams alone of all gauges: what is read from the database is the same for all', async () => {
    const sum = new SummedMetrics();
    for (const process of [1, 2]) {
      const { registry, ...metrics } = createMetrics();
      const own = Object.values(metrics).flatMap((metric) =>
        metric instanceof Gauge ? [setTo(7, metric)] : [],
      );
      const json = (await registry.getMetricsAsJSON()) as unknown as MetricJson[];
      sum.note(
        process,
        json.filter(({ name }) => own.includes(name)),
      );
    }
    const values = [...(await sum.text(1)).matchAll(/^(\w+)(?:\{.*\})? (\d+)$/gm)];
    expect(values.length).toBeGreaterThan(10);
    for (const [, name, value] of values)
      expect([name, value]).toEqual([name, name === 'event_streams_open' ? '14' : '7']);
  });

  test('keep the counts of a process that ended, not its gauges', async () => {
    const sum = new SummedMetrics();
    sum.note(1, await metricsOf(3, 0));
    sum.note(2, await metricsOf(4, 0));
    sum.ended(1);
    expect(await sum.text(2)).toMatch(/requests_total 7\n.*open 4\n/s);
    sum.note(1, await metricsOf(1, 0));
    expect(await sum.text(2)).toMatch(/requests_total 8\n.*open 5\n/s);
  });
});

/** With a value for its label, if it has one. Returns the name of the gauge. */
function setTo(value: number, gauge: Gauge): string {
  const { name, labelNames } = gauge as unknown as { name: string; labelNames: readonly string[] };
  gauge.set(Object.fromEntries(labelNames.map((label) => [label, 'x'])), value);
  return name;
}
