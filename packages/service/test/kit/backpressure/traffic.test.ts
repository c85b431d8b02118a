import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTraffic } from '#kit/backpressure/traffic.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (ms: number) => vi.advanceTimersByTime(ms);

/** The value of a gauge after a third of a second of requests. */
function under(route: string, pauseMs: number): boolean {
  const { count, isBusyHere: isBusy } = createTraffic();
  for (let waitedMs = 0; waitedMs < 330; waitedMs += pauseMs) {
    count(route);
    pass(pauseMs);
    isBusy();
  }
  return isBusy();
}

test('many requests are traffic; few or none are not', () => {
  expect(under('/api/v1/users/{id}/score', 10)).toBe(true);
  expect(under('/api/v1/users/{id}/score', 110)).toBe(false);
  const isBusy = createTraffic().isBusyHere;
  pass(120);
  expect(isBusy()).toBe(false);
});

test('traffic that has ended does not count', () => {
  const { count, isBusyHere: isBusy } = createTraffic();
  for (let sent = 0; sent < 50; sent += 1) count('/api/v1/events');
  pass(120);
  expect(isBusy()).toBe(true);
  pass(120);
  expect(isBusy()).toBe(false);
});

test.each(['/metrics', '/health/ready', '/api/v1/imports/{id}', '/api/v1/imports'])(
  'monitoring and polls of an import are no traffic: %s',
  (route) => {
    expect(under(route, 10)).toBe(false);
  },
);

test('a process signals traffic only while it has some', () => {
  const { count, startSignals } = createTraffic();
  let said = 0;
  const stop = startSignals(() => {
    said += 1;
  });
  pass(700);
  expect(said).toBe(0);
  for (let sent = 0; sent < 100; sent += 1) count('/api/v1/events');
  pass(500);
  expect(said).toBe(1);
  pass(1200);
  expect(said).toBe(1);
  stop();
});

test('a signal of another process counts briefly and only in the wide gauge', () => {
  const { isBusyHere: isBusy, isBusy: isTrafficAbout, noteSignal } = createTraffic();
  expect(isTrafficAbout()).toBe(false);
  pass(1);
  noteSignal();
  expect([isBusy(), isTrafficAbout()]).toEqual([false, true]);
  pass(1000);
  expect(isTrafficAbout()).toBe(true);
  pass(800);
  expect(isTrafficAbout()).toBe(false);
});
