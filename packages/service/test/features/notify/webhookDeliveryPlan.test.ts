import { describe, expect, test } from 'vitest';
import { readRetryAfter } from '../../../src/features/notify/webhooks/attemptDelivery.js';
import { createRetryPlan } from '../../../src/features/notify/webhooks/webhookAdapter.js';
import { readConfig } from '../../../src/start/config.js';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const nothing = { notBefore: null };
const secondsFrom = (date: Date | null) => (date === null ? null : (date.getTime() - NOW.getTime()) / 1000);

describe('the retry plan', () => {
  const usual = readConfig({}).webhookRetrySchedule;

  test('waits before each attempt as scheduled, and ends after the last', () => {
    const plan = createRetryPlan(usual, () => 0.5);
    const waits = usual.map((_, index) => secondsFrom(plan(index + 1, nothing, NOW)));
    expect(waits).toEqual([5, 60, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400, null]);
    expect(plan(99, nothing, NOW)).toBeNull();
  });

  test('varies every wait by up to 10 % in both directions', () => {
    expect(secondsFrom(createRetryPlan(usual, () => 0)(2, nothing, NOW))).toBe(54);
    expect(secondsFrom(createRetryPlan(usual, () => 0.999999)(2, nothing, NOW))).toBeCloseTo(66, 3);
  });

  test('never retries before the time of Retry-After, and an early one does not delay it', () => {
    const plan = createRetryPlan(usual, () => 0.5);
    const at = (seconds: number) => ({ notBefore: new Date(NOW.getTime() + seconds * 1000) });
    expect(secondsFrom(plan(1, at(120), NOW))).toBe(120);
    expect(secondsFrom(plan(1, at(2), NOW))).toBe(5);
    expect(plan(11, at(120), NOW)).toBeNull();
  });
});

describe('Retry-After', () => {
  test.each([
    [undefined, null],
    ['120', 120],
    [' 7 ', 7],
    ['0', null],
    ['-1', null],
    ['1.5', null],
    ['999999999', 86_400],
    ['Sat, 21 Nov 2026 12:10:00 GMT', 600],
    ['Saturday, 21-Nov-26 12:10:00 GMT', 600],
    ['Sat, 21 Nov 2026 11:00:00 GMT', null],
    ['Sat, 28 Nov 2026 12:00:00 GMT', 86_400],
    ['2026-11-21T12:10:00Z', null],
    ['Sat, 99 Foo 2026', null],
  ])('%j means %j seconds', (text, seconds) => {
    expect(secondsFrom(readRetryAfter(text, NOW))).toBe(seconds);
  });
});
