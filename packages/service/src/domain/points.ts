import { type Factor, factorNames, type ScoreBand, scoreBandOf, scoreBands } from '@reliability/scoring';

export interface ScoreCount {
  readonly finalScore: number;
  readonly count: number;
}

/** @param counts ordered by score. Sums use integer hundredths, so that rounding does not depend on order. */
export function spreadOf(counts: readonly ScoreCount[]) {
  const bands = Object.fromEntries(scoreBands.map((band) => [band, 0])) as Record<ScoreBand, number>;
  let scored = 0;
  let hundredths = 0;
  for (const { finalScore, count } of counts) {
    bands[scoreBandOf(finalScore)] += count;
    scored += count;
    hundredths += Math.round(finalScore * 100) * count;
  }
  if (scored === 0) return { scored, bands, central: { median: null, mean: null } };
  const middle = [scoreAt(counts, Math.ceil(scored / 2)), scoreAt(counts, Math.floor(scored / 2) + 1)];
  const median = inPoints(
    middle.reduce((sum, score) => sum + Math.round(score * 100), 0),
    2,
  );
  return { scored, bands, central: { median, mean: inPoints(hundredths, scored) } };
}

export function histogramOf(counts: readonly ScoreCount[]): number[] {
  const histogram = new Array<number>(101).fill(0);
  for (const { finalScore, count } of counts) {
    const points = Math.floor(finalScore);
    histogram[points] = (histogram[points] ?? 0) + count;
  }
  return histogram;
}

/** The score at this rank; 1 is the lowest. */
function scoreAt(counts: readonly ScoreCount[], rank: number): number {
  let passed = 0;
  for (const { finalScore, count } of counts) {
    passed += count;
    if (passed >= rank) return finalScore;
  }
  return Number.NaN;
}

/** Hundredths divided by `shares`, rounded half up to two decimals. */
function inPoints(hundredths: number, shares: number): number {
  return Math.floor((2 * hundredths + shares) / (2 * shares)) / 100;
}

/** A ratio with four decimals; null if the whole is 0. */
export function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : fourDecimals(part / whole);
}

/** The precision of every ratio in responses. */
export function fourDecimals(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

export type FactorShares = Readonly<Record<Factor, number>>;

interface FactorChange {
  readonly factor: Factor;
  readonly before: number;
  readonly after: number;
  readonly delta: number;
}

/** The changes of the factors. Their deltas sum to the change of the score (RULES S5). */
export function factorChanges(before: FactorShares, after: FactorShares): FactorChange[] {
  return factorNames.map((factor) => ({
    factor,
    before: before[factor],
    after: after[factor],
    delta: pointsBetween(before[factor], after[factor]),
  }));
}

/** The factor that changed most, the first of equals; null if none changed. */
export function topDriverOf(changes: readonly FactorChange[]): { factor: Factor; delta: number } | null {
  const [first, ...others] = changes;
  if (!first) return null;
  const top = others.reduce(
    (best, entry) => (Math.abs(entry.delta) > Math.abs(best.delta) ? entry : best),
    first,
  );
  return top.delta === 0 ? null : { factor: top.factor, delta: top.delta };
}

/** Exact in hundredths, the precision of published points, unlike a difference of binary fractions. */
export function pointsBetween(before: number, after: number): number {
  const hundredths = Math.round(after * 100) - Math.round(before * 100);
  return hundredths / 100;
}
