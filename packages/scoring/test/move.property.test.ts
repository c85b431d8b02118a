import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { weigh } from '../src/halves.js';
import { attributeMove, type Day, mergeTallies, type ReplayEntry, replayEntriesOf } from '../src/index.js';
import { exactScore } from '../src/score.js';
import { asOf, holdsForEveryLedger, ledgers } from './ledgers.js';

const spans = fc
  .tuple(fc.integer({ min: -1600, max: 0 }), fc.integer({ min: 0, max: 1600 }))
  .map(([back, length]) => ({ from: asOf + back, to: Math.min(asOf, asOf + back + length) }));

function splitBy(entries: readonly ReplayEntry[], { from, to }: { from: Day; to: Day }) {
  const before = entries.filter(({ entersOn }) => entersOn <= from);
  const steps = entries
    .filter(({ entersOn }) => entersOn > from && entersOn <= to)
    .map((entry) => ({ entersOn: entry.entersOn, tallies: [entry] }));
  return { before, steps };
}

const exactOn = (entries: readonly ReplayEntry[], day: Day) =>
  exactScore(weigh(mergeTallies(entries.filter(({ entersOn }) => entersOn <= day)), day));

describe('what moved a score', () => {
  test('sums to the move between any two days', () => {
    holdsForEveryLedger(
      fc.property(ledgers, spans, (ledger, span) => {
        const entries = replayEntriesOf(ledger, 'outcome');
        const { before, steps } = splitBy(entries, span);
        const points = attributeMove(before, steps, span.from, span.to);
        const sum = points.steps.reduce((total, step) => total + step, points.ageing + points.rules);
        expect(sum).toBeCloseTo(exactOn(entries, span.to) - exactOn(entries, span.from), 9);
      }),
    );
  });

  test('depends on no order of outcomes', () => {
    holdsForEveryLedger(
      fc.property(ledgers, spans, (ledger, span) => {
        const { before, steps } = splitBy(replayEntriesOf(ledger, 'outcome'), span);
        const there = attributeMove(before, steps, span.from, span.to);
        const back = attributeMove(before.toReversed(), steps.toReversed(), span.from, span.to);
        for (const [index, points] of back.steps.toReversed().entries()) {
          expect(points).toBeCloseTo(there.steps[index] ?? Number.NaN, 9);
        }
        expect(back.ageing).toBeCloseTo(there.ageing, 9);
        expect(back.rules).toBeCloseTo(there.rules, 9);
      }),
    );
  });

  test('without outcomes is age alone, and a kept promise never lowers a score', () => {
    holdsForEveryLedger(
      fc.property(ledgers, fc.integer({ min: 1, max: 90 }), (ledger, days) => {
        const from = asOf + 1;
        const before = replayEntriesOf(ledger, 'outcome');
        const quiet = attributeMove(before, [], from, from + days);
        expect(quiet.ageing + quiet.rules).toBeCloseTo(
          exactOn(before, from + days) - exactOn(before, from),
          9,
        );
        const kept = { ...KEPT, day: from + days, count: 1 };
        const { steps } = attributeMove(before, [{ entersOn: kept.day, tallies: [kept] }], from, from + days);
        expect(steps[0]).toBeGreaterThanOrEqual(-1e-9);
      }),
    );
  });
});

const KEPT = {
  eventType: 'CONTRACT_FULFILLED',
  stakeLevel: 'MEDIUM',
  platformTier: 'GROWTH',
  isVerified: true,
  timeliness: 'on_time',
} as const;
