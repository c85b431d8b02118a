import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutoffsOf, MAX_CUTOFFS } from '#domain/backtest/backtest.js';
import {
  addOutcomes,
  aucOf,
  brierOf,
  createAucBootstrap,
  createOutcomeHistogram,
  drawsOf,
  isotonicFit,
  type OutcomeHistogram,
  percentileInterval,
  REPLICATES,
  wilsonInterval,
} from '#domain/backtest/statistics.js';

/** Pairs of a value and whether it was kept. */
type Pair = readonly [value: number, wasKept: boolean];

const VALUES = 12;
const pairsOf = fc.array(fc.tuple(fc.nat(VALUES - 1), fc.boolean()), { maxLength: 60 });

function histogramOf(pairs: readonly Pair[]): OutcomeHistogram {
  const histogram = createOutcomeHistogram(VALUES);
  for (const [value, wasKept] of pairs) addOutcomes(histogram, value, wasKept ? 1 : 0, wasKept ? 0 : 1);
  return histogram;
}

describe('the Wilson interval', () => {
  // Newcombe, Statistics in Medicine 17 (1998), Table I, method 3.
  test.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('of %d in %d is that of the literature', (kept, n, low, high) => {
    const [from, to] = wilsonInterval(kept, n) ?? [];
    expect(from).toBeCloseTo(low, 4);
    expect(to).toBeCloseTo(high, 4);
  });

  test('is none without a trial', () => expect(wilsonInterval(0, 0)).toBeNull());
});

// The AUC itself: backtest.test.ts counts every pair.
describe('the isotonic fit', () => {
  test('pools neighbours whose rates fall, weighted by their outcomes', () => {
    // rates 0.5 (4 outcomes), 0.25 (4), 1 (2), 0.5 (2), 1 (1): the first two pool to 3/8, the next two to 3/4
    const histogram = createOutcomeHistogram(8);
    for (const [value, kept, broken] of [
      [1, 2, 2],
      [2, 1, 3],
      [4, 2, 0],
      [5, 1, 1],
      [7, 1, 0],
    ] as const)
      addOutcomes(histogram, value, kept, broken);
    expect([...(isotonicFit(histogram) ?? [])]).toEqual([3 / 8, 3 / 8, 3 / 8, 3 / 8, 3 / 4, 3 / 4, 3 / 4, 1]);
  });

  test('has the least squared error of all non-decreasing rates', () => {
    fc.assert(
      fc.property(
        pairsOf,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: VALUES, maxLength: VALUES }),
        (pairs, others) => {
          const histogram = histogramOf(pairs);
          const rates = isotonicFit(histogram);
          if (!rates) {
            expect(pairs).toEqual([]);
            return;
          }
          const rising = [...others].sort((a, b) => a - b);
          for (let value = 1; value < VALUES; value += 1)
            expect(rates[value]).toBeGreaterThanOrEqual(rates[value - 1] ?? 0);
          const error = brierOf(histogram, (value) => rates[value] ?? 0) ?? 0;
          expect(error).toBeLessThanOrEqual((brierOf(histogram, (value) => rising[value] ?? 0) ?? 0) + 1e-12);
        },
      ),
    );
  });
});

test('the Brier score is the mean squared distance of the predictions from what happened', () => {
  // (1 − 0.8)² twice, 0.8² once, 0.3² once
  const kept = [8, 8].map((value) => [value, true] as const);
  const histogram = histogramOf([...kept, ...[8, 3].map((value) => [value, false] as const)]);
  expect(brierOf(histogram, (value) => value / 10)).toBeCloseTo((0.04 + 0.04 + 0.64 + 0.09) / 4, 12);
});

describe('the bootstrap', () => {
  const ids = Array.from({ length: 2000 }, (_, index) => `subject-${index}`);

  test('draws every subject as often as a Poisson number with mean and variance 1', () => {
    const draws = ids.flatMap((id) => [...drawsOf(id).draws]);
    const mean = draws.reduce((sum, count) => sum + count, 0) / draws.length;
    const variance = draws.reduce((sum, count) => sum + (count - mean) ** 2, 0) / draws.length;
    expect(mean).toBeCloseTo(1, 1);
    expect(variance).toBeCloseTo(1, 1);
    expect(draws.filter((count) => count === 0).length / draws.length).toBeCloseTo(Math.exp(-1), 2);
  });

  test('draws a subject alike each time, and halves the subjects evenly', () => {
    expect(drawsOf('a')).toEqual(drawsOf('a'));
    expect(drawsOf('a')).not.toEqual(drawsOf('b'));
    const odd = ids.filter((id) => drawsOf(id).isOdd).length / ids.length;
    expect(odd).toBeGreaterThan(0.45);
    expect(odd).toBeLessThan(0.55);
  });

  test('gives each replicate the AUC of its draws, in any order of the subjects', () => {
    const outcomes = ids
      .slice(0, 40)
      .map((id, index) => ({ id, value: index % 7, kept: index % 3, broken: index % 2 }));
    const run = (subjects: typeof outcomes) => {
      const bootstrap = createAucBootstrap(VALUES);
      for (const { id, value, kept, broken } of subjects)
        bootstrap.add(drawsOf(id).draws, value, kept, broken);
      return bootstrap.aucs();
    };
    const aucs = run(outcomes);
    expect(run([...outcomes].reverse())).toEqual(aucs);
    for (const replicate of [0, 1, REPLICATES - 1]) {
      const resampled = createOutcomeHistogram(VALUES);
      for (const { id, value, kept, broken } of outcomes) {
        const times = drawsOf(id).draws[replicate] ?? 0;
        addOutcomes(resampled, value, kept * times, broken * times);
      }
      expect(aucs[replicate]).toBe(aucOf(resampled));
    }
  });

  test('covers the AUC of a population about as often as it says', () => {
    // A hundred markets in which the AUC is 0.5: the interval should miss in about 5 % of them.
    let misses = 0;
    for (let market = 0; market < 100; market += 1) {
      const bootstrap = createAucBootstrap(VALUES);
      for (let subject = 0; subject < 100; subject += 1) {
        const id = `market-${market}-${subject}`;
        const bits = [...drawsOf(`value of ${id}`).draws];
        const value = bits.slice(0, 20).filter((count) => count > 1).length % VALUES;
        // All outcomes of a subject are alike: clusters matter.
        const count = 1 + (bits[21] ?? 0);
        const wasKept = drawsOf(`luck of ${id}`).isOdd;
        bootstrap.add(drawsOf(id).draws, value, wasKept ? count : 0, wasKept ? 0 : count);
      }
      const [low = 0, high = 1] = percentileInterval(bootstrap.aucs()) ?? [];
      if (low > 0.5 || high < 0.5) misses += 1;
    }
    expect(misses).toBeGreaterThan(0);
    expect(misses).toBeLessThan(13);
  });

  test('has no interval where most replicates have outcomes of one kind only', () => {
    const bootstrap = createAucBootstrap(VALUES);
    bootstrap.add(drawsOf('a').draws, 1, 5, 0);
    expect(percentileInterval(bootstrap.aucs())).toBeNull();
  });
});

describe('the cut-offs', () => {
  const options = { by: 'recorded', everyDays: 30, horizonDays: 90, from: null, to: null } as const;

  test('are none where no horizon has passed, or no event is there', () => {
    expect(cutoffsOf(options, 1000, 1149).days).toEqual([1000, 1030]);
    expect(cutoffsOf(options, 1000, 1089).days).toEqual([]);
    expect(cutoffsOf(options, null, 1150).days).toEqual([]);
  });

  test('keep within the days that were asked for', () => {
    expect(cutoffsOf({ ...options, from: 1010, to: 1070 }, 1000, 2000).days).toEqual([1010, 1040, 1070]);
    expect(cutoffsOf({ ...options, to: 5000 }, 1000, 1150).days).toEqual([1000, 1030, 1060]);
  });

  test('are the latest where there are too many', () => {
    const { days, leftOut } = cutoffsOf({ ...options, everyDays: 1 }, 0, 1000);
    expect(days).toHaveLength(MAX_CUTOFFS);
    expect(days.at(-1)).toBe(910);
    expect(leftOut).toBe(911 - MAX_CUTOFFS);
  });
});
