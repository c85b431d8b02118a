import { expect, test } from 'vitest';
import { components } from '../src/index.js';
import { asOf } from './ledgers.js';
import { daysAgo, tallied, unverified } from './tallies.js';

// reference.property.test.ts holds the figures of records of up to twelve events.

test('there are no components without any event', () => {
  expect(components([], asOf)).toBeNull();
  expect(components([tallied(1, 'EDUCATION_VERIFIED')], asOf)).toBeNull();
});

test('a component is null, not 0, where the record holds no outcome to compute it from', () => {
  const none = {
    reliability: null,
    timeliness: null,
    trustworthiness: null,
    consistency: null,
    momentum: 50,
  };
  const cancelled = tallied(3, 'CONTRACT_CANCELLED');
  expect(components([cancelled], asOf)).toEqual({ ...none, verification: null });
  const verifiedContest = [cancelled, tallied(1, 'TRANSACTION_DISPUTED')];
  expect(components(verifiedContest, asOf)).toEqual({ ...none, verification: 0 });
  expect(components([tallied(1, 'TRANSACTION_DISPUTED', unverified)], asOf)).toMatchObject({
    reliability: 0,
    timeliness: null,
    trustworthiness: 0,
    verification: 0,
  });
});

test('consistency uses the last twelve months that hold an outcome, however far apart', () => {
  const months = Array.from({ length: 12 }, (_, index) => tallied(1, 'REVIEW_VERIFIED', daysAgo(61 * index)));
  const bad = tallied(1, 'TRANSACTION_DISPUTED', daysAgo(61 * 12));
  expect(components([bad, ...months], asOf)?.consistency).toBe(100);
  expect(components([bad, ...months.slice(0, -1)], asOf)?.consistency).toBeLessThan(100);
});

test('momentum compares ages 0 to 90 with ages 91 to 365', () => {
  const momentum = (good: number, bad: number) =>
    components(
      [tallied(1, 'REVIEW_VERIFIED', daysAgo(good)), tallied(1, 'DISPUTE_FILED', daysAgo(bad))],
      asOf,
    )?.momentum;
  expect([momentum(90, 91), momentum(365, 90), momentum(0, 366)]).toEqual([100, 0, 50]);
});
