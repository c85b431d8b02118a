import { Counter, Gauge, Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { createChannel, type Port } from '../../src/kit/processes/channel.js';
import { rateLimitByParent } from '../../src/kit/processes/leasedLimiter.js';
import { createSummedMetrics } from '../../src/kit/processes/metricsOfAll.js';
import { createSharedWindows } from '../../src/kit/processes/sharedWindows.js';
import { type Asked, type MetricJson, RECALL, type Recalled, TAKE } from '../../src/kit/processes/topics.js';
import type { RateLimiter, Taken } from '../../src/kit/rateLimit.js';
import { PATIENCE_MS } from '../harness/eventually.js';

/** Two ports that are joined. */
function joinedPorts(): [Port, Port] {
  const takers: ((message: unknown) => void)[] = [];
  const port = (own: number, other: number): Port => ({
    send: (message) => setImmediate(() => takers[other]?.(structuredClone(message))),
    onMessage(take) {
      takers[own] = take;
    },
  });
  return [port(0, 1), port(1, 0)];
}

describe('the channel between a process and its parent', () => {
  test('gives each question its own answer', async () => {
    const [here, there] = joinedPorts().map(createChannel);
    there?.on<number>('double', (number) => 2 * number);
    const answers = [1, 2, 3].map((number) => here?.ask<number>('double', number, PATIENCE_MS));
    expect(await Promise.all(answers)).toEqual([2, 4, 6]);
  });

  test('says so when no answer comes', async () => {
    const [port] = joinedPorts();
    const here = createChannel(port);
    await expect(here.ask('double', 1, 10)).rejects.toThrow('no answer about double within 10 ms');
  });
});

describe('a rate limit that the parent counts', () => {
  test('asks once for the requests of one turn', async () => {
    const asked: unknown[] = [];
    const ask = async <Answer>(_: string, buckets: unknown) => {
      asked.push(buckets);
      return [1, 2].map((count) => ({ count, msBeforeReset: 500, leased: 0, window: 1 })) as Answer;
    };
    const limiter = rateLimitByParent({ ask, on: () => undefined });
    expect(await Promise.all([limiter.take('a', 9), limiter.take('a', 9)])).toMatchObject([
      { count: 1 },
      { count: 2 },
    ]);
    const one = { bucket: 'a', limit: 9, wanted: 0 };
    expect(asked).toEqual([[one, one]]);
  });

  test('is counted here while the parent does not answer', async () => {
    const ask = () => Promise.reject(new Error('late'));
    const limiter = rateLimitByParent({ ask, on: () => undefined });
    expect([await limiter.take('a', 9), await limiter.take('a', 9)]).toMatchObject([
      { count: 1 },
      { count: 2 },
    ]);
  });

  test('gives each number to one process, so a client that waits for answers counts down by one', async () => {
    const [first, second] = processesOfOneParent(2) as [RateLimiter, RateLimiter];
    const counts: number[] = [];
    for (const limiter of [first, second, second, first, second])
      counts.push((await limiter.take('a', 9)).count);
    expect(counts).toEqual([1, 2, 3, 4, 5]);
  });

  test('is exact over processes that count leases by themselves, to the last request', async () => {
    const limit = 5000;
    const limiters = processesOfOneParent(3);
    const counts: number[] = [];
    let countedAlone = 0;
    while (counts.length < limit + 1000) {
      // The second process falls silent with a lease, and the third has few requests.
      const bursts = [100, counts.length < limit / 2 ? 100 : 0, 1];
      const taken: (Taken | Promise<Taken>)[] = [];
      for (const [index, burst] of bursts.entries())
        for (let n = 0; n < burst; n += 1) taken.push(limiters[index]?.take('a', limit) ?? Promise.reject());
      countedAlone += taken.filter((one) => !(one instanceof Promise)).length;
      counts.push(...(await Promise.all(taken)).map(({ count }) => count));
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect(countedAlone).toBeGreaterThan(0);
    const admitted = counts.filter((count) => count <= limit);
    expect(admitted).toHaveLength(limit);
  });
});

/** The limiters of processes whose parent counts for all of them. */
function processesOfOneParent(count: number): RateLimiter[] {
  const channels = Array.from({ length: count }, () => joinedPorts().map(createChannel));
  const windows = createSharedWindows(async (process, bucket, window) => {
    await new Promise((resolve) => setImmediate(resolve));
    const recalled: Recalled = { bucket, window };
    return (await channels[process]?.[1]?.ask<number>(RECALL, recalled, PATIENCE_MS)) ?? 0;
  });
  return channels.map(([here, there], process) => {
    if (!here || !there) throw new Error('a channel has two ends');
    there.on<Asked[]>(TAKE, (all) => Promise.all(all.map((asked) => windows.take(process, asked))));
    return rateLimitByParent(here);
  });
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
    const sum = createSummedMetrics();
    sum.note(1, await metricsOf(3, 0));
    sum.note(2, await metricsOf(4, 9));
    expect(await sum.text(2)).toMatch(/requests_total 7\n.*open 7\n.*depth 9\n/s);
  });

  test('keep the counts of a process that ended, not its gauges', async () => {
    const sum = createSummedMetrics();
    sum.note(1, await metricsOf(3, 0));
    sum.note(2, await metricsOf(4, 0));
    sum.ended(1);
    expect(await sum.text(2)).toMatch(/requests_total 7\n.*open 4\n/s);
    sum.note(1, await metricsOf(1, 0));
    expect(await sum.text(2)).toMatch(/requests_total 8\n.*open 5\n/s);
  });
});
