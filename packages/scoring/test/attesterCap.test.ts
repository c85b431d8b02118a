import { describe, expect, test } from 'vitest';
import { cappedScore, cappedWeight, score } from '../src/index.js';
import { asOf } from './ledgers.js';
import { daysAgo, tallied, unverified } from './tallies.js';

const onTime = { timeliness: 'on_time' } as const;

describe('the weight of one attester', () => {
  test('is its own up to 1, continuous there, rising, and below 3', () => {
    expect([0, 0.4, 1].map(cappedWeight)).toEqual([0, 0.4, 1]);
    expect(cappedWeight(1 + 1e-9)).toBeCloseTo(1, 8);
    const weights = [1, 2, 5, 20, 1000, 1e9].map(cappedWeight);
    expect(weights).toEqual([...weights].sort((a, b) => a - b));
    expect(cappedWeight(5)).toBeCloseTo(14 / 6, 12);
    expect(cappedWeight(1e12)).toBeLessThanOrEqual(3);
  });
});

describe('the capped score', () => {
  test('counts five outcomes of one attester as 14/6, by hand 52.70 instead of 68.18', () => {
    // φ(5) = 14/6 = 2.3333. T = 2.8333 / 3.3333 = 0.85. Q = 40 + 29.75 + 15 + 10 = 94.75.
    // g = 2.3333 / 5.3333 = 0.4375. s = 20 + 74.75 · 0.4375 = 52.7031.
    const five = [tallied(5, 'CONTRACT_FULFILLED', onTime)];
    expect(cappedScore([five], [], asOf)?.finalScore).toBe(52.7);
    expect(score(five, asOf)?.finalScore).toBe(68.18);
  });

  test('scales good and bad outcomes of an attester alike, by hand 31.36', () => {
    // The first attester: 3 kept and 1 broken, x = 4, φ = 11/5 = 2.2, factor 0.55: P = 1.65, B = 4 · 0.55 = 2.2, N = 2.2.
    // The second: 1 kept, x = 0.5 (180 days old), factor 1: P = 0.5, N = 0.5.
    // P = 2.15, M = 4.35, C = 0.494253. T = C / 2 (untimed). S = 1 − 3 · 0.55 / 2.7 = 0.388889. V = C.
    // Q = 40 C + 17.5 C + 15 S + 10 C = 67.5 · 0.494253 + 5.833333 = 39.195402.
    // g = 4.35 / 7.35 = 0.591837. s = 20 + 19.195402 · 0.591837 = 31.360544.
    const first = [tallied(3, 'CONTRACT_FULFILLED'), tallied(1, 'CONTRACT_BREACHED')];
    const second = [tallied(1, 'CONTRACT_FULFILLED', daysAgo(180))];
    expect(cappedScore([first, second], [], asOf)?.finalScore).toBe(31.36);
  });

  test('is the score where no attester weighs more than 1, and unverified outcomes count as ever', () => {
    const attesters = [0, 30, 300].map((days) => [tallied(1, 'TRANSACTION_COMPLETED', daysAgo(days))]);
    const said = [tallied(7, 'CONTRACT_FULFILLED', unverified), tallied(1, 'CONTRACT_CANCELLED', unverified)];
    expect(cappedScore(attesters, said, asOf)).toEqual(score([...attesters.flat(), ...said], asOf));
  });

  test('of a record without any event is null', () => {
    expect(cappedScore([], [], asOf)).toBeNull();
    expect(cappedScore([[]], [], asOf)).toBeNull();
  });
});
