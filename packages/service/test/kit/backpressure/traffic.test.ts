import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  countRequest,
  createTrafficCount,
  createTrafficGauge,
  createWideTrafficGauge,
  noteSignal,
  startTrafficSignals,
} from '../../../src/kit/backpressure/traffic.js';

/** What a gauge says after a third of a second of requests. */
async function under(route: string, pauseMs: number): Promise<boolean> {
  const requests = createTrafficCount();
  const isBusy = createTrafficGauge(requests);
  for (let waitedMs = 0; waitedMs < 330; waitedMs += pauseMs) {
    countRequest(requests, route);
    await pause(pauseMs);
    isBusy();
  }
  return isBusy();
}

test('many requests are traffic, few are not, and none are not', async () => {
  expect(await under('/api/v1/users/{id}/score', 10)).toBe(true);
  expect(await under('/api/v1/users/{id}/score', 110)).toBe(false);
  const isBusy = createTrafficGauge(createTrafficCount());
  await pause(120);
  expect(isBusy()).toBe(false);
});

test('traffic that has ended is none', async () => {
  const requests = createTrafficCount();
  const isBusy = createTrafficGauge(requests);
  for (let sent = 0; sent < 50; sent += 1) countRequest(requests, '/api/v1/events');
  await pause(120);
  expect(isBusy()).toBe(true);
  await pause(120);
  expect(isBusy()).toBe(false);
});

test.each(['/metrics', '/health/ready', '/api/v1/imports/{id}', '/api/v1/imports'])(
  'monitoring and polls of an import are none: %s',
  async (route) => {
    expect(await under(route, 10)).toBe(false);
  },
);

test('the count goes on past 32 bits', async () => {
  const count = createTrafficCount();
  count[0] = 2n ** 31n - 1n;
  const isBusy = createTrafficGauge(count);
  for (let index = 0; index < 100; index += 1) Atomics.add(count, 0, 1n);
  await pause(120);
  expect(isBusy()).toBe(true);
});

test('a process signals that it has traffic while it has, and no longer', async () => {
  const requests = createTrafficCount();
  let said = 0;
  const stop = startTrafficSignals(requests, () => {
    said += 1;
  });
  await pause(700);
  expect(said).toBe(0);
  for (let sent = 0; sent < 100; sent += 1) countRequest(requests, '/api/v1/events');
  await pause(500);
  expect(said).toBe(1);
  await pause(1200);
  expect(said).toBe(1);
  stop();
});

test('a signal of another process counts for a moment, and only in the wide gauge', async () => {
  const requests = createTrafficCount();
  const [isBusy, isTrafficAbout] = [createTrafficGauge(requests), createWideTrafficGauge(requests)];
  expect(isTrafficAbout()).toBe(false);
  noteSignal(requests);
  expect([isBusy(), isTrafficAbout()]).toEqual([false, true]);
  await pause(1000);
  expect(isTrafficAbout()).toBe(true);
  await pause(800);
  expect(isTrafficAbout()).toBe(false);
});

test('a signal that is over is no traffic of now', async () => {
  const requests = createTrafficCount();
  const isTrafficAbout = createWideTrafficGauge(requests);
  noteSignal(requests);
  await pause(1700);
  expect(isTrafficAbout()).toBe(false);
  for (let sent = 0; sent < 50; sent += 1) countRequest(requests, '/api/v1/events');
  await pause(120);
  expect(isTrafficAbout()).toBe(true);
});
