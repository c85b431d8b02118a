import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { factorNames, foldTallies, model, type Score, score, type Tally } from '../src/index.js';
import { asOf, holdsForEveryLedger, startedLedgers } from './ledgers.js';
import { referenceHalves } from './reference.js';
import { daysAgo, tallied, unverified } from './tallies.js';

describe('the score', () => {
  test('is null for a record without any event, and for one with only qualifications and projects', () => {
    expect(score([], asOf)).toBeNull();
    expect(score([tallied(3, 'SKILL_VERIFIED'), tallied(1, 'PROJECT_LOGGED')], asOf)).toBeNull();
  });

  test('is the anchor for a record with only cancelled entries', () => {
    expect(score([tallied(2, 'CONTRACT_CANCELLED')], asOf)).toEqual({
      finalScore: 20,
      scoreBand: 'Unproven',
      confidence: 0,
      confidenceLabel: 'low',
      behavioralQuality: 0,
      totalEvents: 2,
      verifiedEvents: 2,
      factors: { completion: 0, timeliness: 0, disputes: 0, verification: 0, gate: 0 },
    });
  });

  test('rejects a negative or fractional count', () => {
    for (const count of [-1, 0.5, Number.NaN])
      expect(() => score([tallied(count, 'REVIEW_VERIFIED')], asOf)).toThrow(RangeError);
  });

  test('treats an outcome dated after asOf as one of asOf', () => {
    expect(score([tallied(4, 'REVIEW_VERIFIED', daysAgo(-30))], asOf)).toEqual(
      score([tallied(4, 'REVIEW_VERIFIED')], asOf),
    );
  });

  test('halves the weight of an event every 180 days, down to 0 after centuries', () => {
    const confidence = (days: number) =>
      score([tallied(8, 'REVIEW_VERIFIED', daysAgo(days))], asOf)?.confidence;
    expect([0, 180, 360].map(confidence)).toEqual([0.6154, 0.4444, 0.2857]);
    expect(confidence(730_000)).toBe(0);
  });

  test('labels its confidence from the published number', () => {
    for (const [count, confidence, confidenceLabel] of [
      [2, 0.2857, 'low'],
      [3, 0.375, 'medium'],
      [11, 0.6875, 'medium'],
      [12, 0.7059, 'high'],
    ] as const)
      expect(scored([tallied(count, 'REVIEW_VERIFIED')])).toMatchObject({ confidence, confidenceLabel });
  });
});

describe('floors and ceilings', () => {
  const onTime = { timeliness: 'on_time' } as const;
  const verified = (count: number) => tallied(count, 'REVIEW_VERIFIED', onTime);
  const flood = tallied(1_000_000, 'REVIEW_VERIFIED', { ...unverified, ...onTime });
  // disputes won are not delivered outcomes: they raise the start and do not change the depth of the verified half
  const won = { ...flood, eventType: 'DISPUTE_RESOLVED_FOR_USER' } as const;
  const claims = [tallied(50, 'CONTRACT_BREACHED', unverified), tallied(50, 'DISPUTE_FILED')];
  const breach = tallied(1, 'CONTRACT_BREACHED');

  test.each<[string, Tally[], Partial<Score>]>([
    [
      'unverified activity alone stays below Building, in any amount',
      [flood],
      { finalScore: model.unprovenCeiling, scoreBand: 'Unproven', confidence: 0 },
    ],
    ['four verified outcomes are worth 63.71', [verified(4)], { finalScore: 63.71 }],
    [
      'beside them, unverified activity reaches Fair at most',
      [won, verified(4)],
      { finalScore: model.fairCeiling, scoreBand: 'Fair' },
    ],
    ['five are worth 68.18', [verified(5)], { finalScore: 68.18, scoreBand: 'Good' }],
    ['above Fair, unverified activity adds nothing to that', [won, verified(5)], { finalScore: 68.18 }],
    ['claims alone do not reach High Risk', claims, { finalScore: 20, scoreBand: 'Unproven' }],
    ['a verified breach does', [...claims, breach], { scoreBand: 'High Risk' }],
    // one breach of weight 1 stands for 4: 20 · 3/(4 + 3) = 8.571
    [
      'below the anchor only verified breaches lower the score',
      [tallied(1000, 'DISPUTE_FILED'), breach],
      { finalScore: 8.57 },
    ],
    ['an old breach is forgotten', [{ ...breach, ...daysAgo(180 * 30) }], { finalScore: 20 }],
    [
      'a long verified on-time record is Excellent',
      [tallied(60, 'CONTRACT_FULFILLED', onTime)],
      { scoreBand: 'Excellent' },
    ],
  ])('%s', (_, tallies, expected) => {
    expect(score(tallies, asOf)).toMatchObject(expected);
  });
});

describe('rounding', () => {
  test('an exact half rounds up although its binary sum is slightly below it', () => {
    // 20 + (Q − 20)·h is 21.875 exactly; doubles give 21.874999999999996
    const half = [
      tallied(2, 'CONTRACT_FULFILLED', { stakeLevel: 'HIGH' }),
      tallied(1, 'CONTRACT_BREACHED', { stakeLevel: 'HIGH' }),
    ];
    expect(score(half, asOf)?.finalScore).toBe(21.88);
  });

  test('the factors of every ledger sum exactly to the score minus the anchor, in hundredths', () => {
    holdsForEveryLedger(
      fc.property(startedLedgers, (events) => {
        const result = scored(foldTallies(events));
        const cents = factorNames.map((name) => Math.round(result.factors[name] * 100));
        expect(cents.reduce((sum, value) => sum + value, 0)).toBe(Math.round(result.finalScore * 100) - 2000);
        for (const name of factorNames) {
          expect(result.factors[name] * 100).toBeCloseTo(Math.round(result.factors[name] * 100), 9);
          expect(Object.is(result.factors[name], -0)).toBe(false);
        }
      }),
    );
  });

  test('each factor stays within 0.01 of its exact value, and one that is exactly 0 stays 0', () => {
    holdsForEveryLedger(
      fc.property(startedLedgers, (events) => {
        const result = scored(foldTallies(events));
        for (const [name, exact] of Object.entries(exactFactors(events))) {
          const share = result.factors[name as keyof Score['factors']];
          expect(Math.abs(share - exact)).toBeLessThan(0.01 + 1e-9);
          if (Math.abs(exact) < 1e-9) expect(share).toBe(0);
        }
      }),
    );
  });

  test('a gate that does nothing takes no share of the rounding', () => {
    const result = scored([tallied(7, 'CONTRACT_FULFILLED', daysAgo(33)), tallied(1, 'CONTRACT_BREACHED')]);
    expect(result.factors.gate).toBe(0);
  });
});

function scored(tallies: readonly Tally[]): Score {
  const result = score(tallies, asOf);
  if (result === null) throw new Error('the ledger has no event');
  return result;
}

/** Exact contributions of the factors (docs/FORMULA.md "Attribution"), from the reference's halves. */
function exactFactors(events: Parameters<typeof referenceHalves>[0]) {
  const { v, u, depth } = referenceHalves(events, asOf);
  const gv = v.M / (v.M + 3);
  const reach = (1 - gv) * ((0.2 * u.M) / (u.M + 20));
  const share = (weight: number, a: number, b: number) =>
    100 * weight * (a - 0.2) * gv + 100 * weight * (b - 0.2) * reach;
  return {
    completion: share(0.4, v.C, u.C),
    timeliness: share(0.35, v.T, u.T),
    disputes: share(0.15, v.S, u.S),
    verification: share(0.1, v.C * depth, 0),
  };
}
