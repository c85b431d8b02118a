import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countRequests, createRequestCount, createTrafficGauge } from '../../src/kit/traffic.js';

const server = createServer((_, answer) => answer.end());
const requests = createRequestCount();
let url = '';
beforeAll(async () => {
  countRequests(server, requests);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

/** What the gauge says while the address is asked for again and again. */
async function under(path: string, pauseMs: number): Promise<boolean> {
  const isBusy = createTrafficGauge(requests);
  for (let sent = 0; sent * pauseMs < 300; sent += 1) {
    await (await fetch(url + path)).text();
    isBusy();
    await pause(pauseMs);
  }
  return isBusy();
}

test('many requests are traffic, few are not, and none are not', async () => {
  expect(await under('/api/v1/users/a/score', 10)).toBe(true);
  expect(await under('/api/v1/users/a/score', 150)).toBe(false);
  const isBusy = createTrafficGauge(requests);
  await pause(120);
  expect(isBusy()).toBe(false);
});

test.each(['/metrics', '/health/ready', '/api/v1/imports/1', '/api/v1/imports?limit=1'])(
  'who watches over the service or an import is none: %s',
  async (path) => {
    expect(await under(path, 10)).toBe(false);
  },
);

test('the count goes on past what an integer holds', async () => {
  const count = createRequestCount();
  count[0] = 2 ** 31 - 1;
  const isBusy = createTrafficGauge(count);
  for (let index = 0; index < 100; index += 1) Atomics.add(count, 0, 1);
  await pause(120);
  expect(isBusy()).toBe(true);
});
