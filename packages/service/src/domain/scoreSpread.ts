import { type ScoreBand, scoreBandOf, scoreBands } from '@reliability/scoring';

/** How many subjects have this score. */
export interface ScoreCount {
  readonly finalScore: number;
  readonly count: number;
}

/** Numbers of one distribution of scores. */
export interface Spread {
  scored: number;
  bands: Record<ScoreBand, number>;
  central: { median: number | null; mean: number | null };
}

/** @param counts in the order of scores. Added up in whole hundredths, so that no order of rows changes a digit. */
export function spreadOf(counts: readonly ScoreCount[]): Spread {
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

/** The score of the one at this place, 1 for the lowest. */
function scoreAt(counts: readonly ScoreCount[], place: number): number {
  let passed = 0;
  for (const { finalScore, count } of counts) {
    passed += count;
    if (passed >= place) return finalScore;
  }
  return Number.NaN;
}

/** Hundredths shared among so many, rounded half up to two decimals. */
function inPoints(hundredths: number, shares: number): number {
  return Math.floor((2 * hundredths + shares) / (2 * shares)) / 100;
}
