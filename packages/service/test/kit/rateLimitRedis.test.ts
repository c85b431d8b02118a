import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { SOON } from '#harness/eventually.js';
import { findProgram } from '#harness/findProgram.js';
import { freePort } from '#harness/freePort.js';
import { quietLog } from '#harness/quietLog.js';
import { type RateLimiter, rateLimitInMemory, rateLimitInRedis } from '#kit/rateLimit.js';

const program = findProgram(['redis-server', 'valkey-server']);
if (program === undefined) console.log('skipped: shared rate limits need redis-server or valkey-server');

/** A Redis server for this test, without persistence. */
function startServer(port: number): ChildProcess {
  const args = ['--port', String(port), '--save', '', '--appendonly', 'no', '--bind', '127.0.0.1'];
  return spawn(program ?? '', args, { stdio: 'ignore' });
}

describe('rate limits in memory', () => {
  test('count each bucket separately and restart in the next window', async () => {
    const limiter = rateLimitInMemory(1);
    const counts = [];
    for (const bucket of ['a', 'a', 'b', 'a']) counts.push((await limiter.take(bucket)).count);
    expect(counts).toEqual([1, 2, 1, 3]);
    const { msBeforeReset } = await limiter.take('a');
    expect(msBeforeReset).toBeGreaterThan(0);
    expect(msBeforeReset).toBeLessThanOrEqual(1000);
    await pause(1100);
    expect((await limiter.take('a')).count).toBe(1);
  });
});

describe.skipIf(program === undefined)('rate limits shared by processes', () => {
  const limiters: RateLimiter[] = [];
  let server: ChildProcess | undefined;

  const limiterAt = async (port: number) => {
    const limiter = await rateLimitInRedis({ url: `redis://127.0.0.1:${port}`, log: quietLog });
    limiters.push(limiter);
    return limiter;
  };
  /** Two processes that share their counts in a new server. */
  const twoSharing = async () => {
    const port = await freePort();
    server = startServer(port);
    const [one, two] = [await limiterAt(port), await limiterAt(port)];
    await untilShared(one, two);
    return { port, one, two };
  };
  const endServer = async () => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
  };

  afterEach(async () => {
    for (const limiter of limiters.splice(0)) limiter.close();
    await endServer();
  });

  /** Waits until both count in Redis. */
  async function untilShared(one: RateLimiter, two: RateLimiter): Promise<void> {
    for (let time = 0; time < 200; time += 1) {
      const bucket = `probe-${time}`;
      await one.take(bucket);
      if ((await two.take(bucket)).count === 2) return;
      await pause(50);
    }
    throw new Error('the limiters never came to share their counts');
  }

  test('a bucket has one exact count under load from two processes', async () => {
    const { one, two } = await twoSharing();
    const takes = Array.from({ length: 100 }, (_, n) => (n % 2 === 0 ? one : two).take('live:p'));
    const counts = (await Promise.all(takes)).map(({ count }) => count).sort((a, b) => a - b);
    expect(counts).toEqual(Array.from({ length: 100 }, (_, n) => n + 1));
    const { msBeforeReset } = await one.take('live:p');
    expect(msBeforeReset).toBeGreaterThan(50_000);
    expect(msBeforeReset).toBeLessThanOrEqual(60_000);
  });

  test('during an outage each process counts on its own at once, and shares again afterwards', async () => {
    const { port, one, two } = await twoSharing();
    await endServer();
    const began = performance.now();
    expect([(await one.take('away')).count, (await one.take('away')).count]).toEqual([1, 2]);
    expect((await two.take('away')).count).toBe(1);
    expect(performance.now() - began).toBeLessThan(SOON.timeout);
    server = startServer(port);
    await untilShared(one, two);
  });

  test('a hanging server does not delay a request for long', async () => {
    const { one, two } = await twoSharing();
    server?.kill('SIGSTOP');
    const began = performance.now();
    for (let time = 1; time <= 40; time += 1) expect((await one.take('hanging')).count).toBe(time);
    expect(performance.now() - began).toBeLessThan(SOON.timeout);
    server?.kill('SIGCONT');
    await untilShared(one, two);
  });

  test('an unreachable server at the start does not prevent counting', async () => {
    const limiter = await limiterAt(await freePort());
    expect((await limiter.take('alone')).count).toBe(1);
    expect((await limiter.take('alone')).count).toBe(2);
  });
});
