import { describe, expect, test } from 'vitest';
import { components, dayFromIso, type Tally } from '../src/index.js';
import { asOf } from './ledgers.js';
import { daysAgo, tallied, unverified } from './tallies.js';

describe('components', () => {
  test('are null for a record without any event', () => {
    expect(components([], asOf)).toBeNull();
    expect(components([tallied(1, 'EDUCATION_VERIFIED')], asOf)).toBeNull();
  });

  test('are null, not 0, where the record holds no outcome to compute them from', () => {
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
    const contest = [tallied(1, 'TRANSACTION_DISPUTED', unverified)];
    expect(components(contest, asOf)).toMatchObject({
      reliability: 0,
      timeliness: null,
      trustworthiness: 0,
      verification: 0,
    });
  });

  test('describe the verified half if it holds evidence, else the unverified one', () => {
    const claims = tallied(3, 'CONTRACT_BREACHED', unverified);
    expect(components([claims, tallied(1, 'CONTRACT_FULFILLED')], asOf)?.reliability).toBe(100);
    expect(components([claims, tallied(1, 'TRANSACTION_DISPUTED')], asOf)?.reliability).toBe(0);
    expect(components([claims, tallied(3, 'REVIEW_VERIFIED', unverified)], asOf)?.reliability).toBe(20);
  });

  test('timeliness is the on-time share of dated positive outcomes, null without any', () => {
    const dated = [
      tallied(3, 'CONTRACT_FULFILLED', { timeliness: 'on_time' }),
      tallied(1, 'CONTRACT_FULFILLED', { timeliness: 'late' }),
      tallied(9, 'CONTRACT_FULFILLED'),
      tallied(9, 'CONTRACT_BREACHED', { timeliness: 'late' }),
    ];
    expect(components(dated, asOf)?.timeliness).toBe(75);
    expect(components([tallied(9, 'CONTRACT_FULFILLED')], asOf)?.timeliness).toBeNull();
  });

  test('trustworthiness falls three times as fast as the dispute share rises', () => {
    expect(components([tallied(9, 'REVIEW_VERIFIED'), tallied(1, 'DISPUTE_FILED')], asOf)).toMatchObject({
      trustworthiness: 70,
    });
  });

  test('verification is depth times the reach of the evidence', () => {
    const record = [tallied(3, 'REVIEW_VERIFIED'), tallied(1, 'REVIEW_VERIFIED', unverified)];
    expect(components(record, asOf)?.verification).toBe(37.5);
  });
});

describe('consistency', () => {
  const good = (iso: string) => tallied(1, 'REVIEW_VERIFIED', { day: dayFromIso(iso) });
  const bad = (iso: string) => tallied(1, 'TRANSACTION_DISPUTED', { day: dayFromIso(iso) });
  const consistency = (...tallies: Tally[]) => components(tallies, asOf)?.consistency;

  test('is null with fewer than two months that hold an outcome, not counting cancelled entries', () => {
    const cancelled = tallied(1, 'CONTRACT_CANCELLED', { day: dayFromIso('2026-04-15') });
    expect(consistency(good('2026-05-01'), good('2026-05-31'), cancelled)).toBeNull();
  });

  test('is 100 if every month completes at the same rate, and 0 if two months are opposites', () => {
    expect(consistency(good('2026-05-31'), good('2026-06-01'))).toBe(100);
    expect(consistency(good('2026-05-31'), bad('2026-06-01'))).toBe(0);
  });

  test('uses the last twelve months that hold an outcome, however far apart', () => {
    const months = Array.from({ length: 12 }, (_, index) =>
      good(`${2024 + Math.floor(index / 6)}-${String(1 + 2 * (index % 6)).padStart(2, '0')}-15`),
    );
    expect(consistency(bad('2023-11-30'), ...months)).toBe(100);
    expect(consistency(bad('2023-11-30'), ...months.slice(1))).toBeLessThan(100);
  });
});

describe('momentum', () => {
  const momentum = (...tallies: Tally[]) => components(tallies, asOf)?.momentum;

  test('is 50 when either window holds no outcome', () => {
    expect(momentum(tallied(1, 'REVIEW_VERIFIED'))).toBe(50);
    expect(momentum(tallied(1, 'REVIEW_VERIFIED'), tallied(1, 'DISPUTE_FILED', daysAgo(366)))).toBe(50);
    expect(momentum(tallied(1, 'REVIEW_VERIFIED', daysAgo(91)))).toBe(50);
  });

  test('compares ages 0 to 90 with ages 91 to 365', () => {
    expect(
      momentum(tallied(1, 'REVIEW_VERIFIED', daysAgo(90)), tallied(1, 'DISPUTE_FILED', daysAgo(91))),
    ).toBe(100);
    expect(
      momentum(tallied(1, 'DISPUTE_FILED', daysAgo(90)), tallied(1, 'REVIEW_VERIFIED', daysAgo(365))),
    ).toBe(0);
    expect(momentum(tallied(1, 'REVIEW_VERIFIED'), tallied(1, 'REVIEW_VERIFIED', daysAgo(200)))).toBe(50);
  });
});
