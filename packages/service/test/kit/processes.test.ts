import { Counter, Gauge, Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { createChannel, type Port } from '../../src/kit/processes/channel.js';
import { createSummedMetrics } from '../../src/kit/processes/metricsOfAll.js';
import { rateLimitByParent } from '../../src/kit/processes/parentLink.js';
import type { MetricJson } from '../../src/kit/processes/topics.js';

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
    const answers = [1, 2, 3].map((number) => here?.ask<number>('double', number, 5_000));
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
      return [
        [1, 500],
        [2, 500],
      ] as Answer;
    };
    const limiter = rateLimitByParent({ ask });
    expect(await Promise.all([limiter.take('a'), limiter.take('a')])).toMatchObject([
      { count: 1 },
      { count: 2 },
    ]);
    expect(asked).toEqual([['a', 'a']]);
  });

  test('is counted here while the parent does not answer', async () => {
    const limiter = rateLimitByParent({ ask: () => Promise.reject(new Error('late')) });
    expect([await limiter.take('a'), await limiter.take('a')]).toMatchObject([{ count: 1 }, { count: 2 }]);
  });
});

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
