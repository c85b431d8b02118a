import { type Score, type ScoreBand, scoreBands } from '@reliability/scoring';

/** Moves in hundredths: −100.00 to 100.00. */
const OFFSET = 10_000;
const STEP = 500;

/** Counts how scores move under other constants, less those under the published ones. */
export function createMoveCounter() {
  const counts = new Uint32Array(2 * OFFSET + 1);
  const bands = new Map<string, { from: ScoreBand; to: ScoreBand; subjects: number }>();
  for (const from of scoreBands)
    for (const to of scoreBands) bands.set(`${from}/${to}`, { from, to, subjects: 0 });
  return {
    add(now: Score, other: Score) {
      const index = Math.round((other.finalScore - now.finalScore) * 100) + OFFSET;
      counts[index] = (counts[index] ?? 0) + 1;
      const change = bands.get(`${now.scoreBand}/${other.scoreBand}`);
      if (change) change.subjects += 1;
    },
    moves() {
      const [down, unchanged, up] = [
        countOf(counts, 0, OFFSET),
        counts[OFFSET] ?? 0,
        countOf(counts, OFFSET + 1),
      ];
      const subjects = down + unchanged + up;
      const total = counts.reduce((sum, count, index) => sum + count * (index - OFFSET), 0);
      return {
        subjects,
        up,
        down,
        unchanged,
        mean: subjects === 0 ? null : Math.round(total / subjects) / 100,
        quantiles: quantilesOf(counts, subjects),
        histogram: rangesOf(counts),
        bands: [...bands.values()].filter((change) => change.subjects > 0),
      };
    },
  };
}

function countOf(counts: Uint32Array, from: number, before = counts.length): number {
  return counts.subarray(from, before).reduce((sum, count) => sum + count, 0);
}

export type ScoreMoves = ReturnType<ReturnType<typeof createMoveCounter>['moves']>;

function quantilesOf(counts: Uint32Array, subjects: number) {
  if (subjects === 0) return null;
  const of = (share: number) => moveAt(counts, Math.max(1, Math.ceil(share * subjects)));
  const [min, p05, p25, median] = [of(0), of(0.05), of(0.25), of(0.5)];
  return { min, p05, p25, median, p75: of(0.75), p95: of(0.95), max: of(1) };
}

/** The move of the subject at this rank, from 1 on, smallest move first. */
function moveAt(counts: Uint32Array, rank: number): number {
  let passed = 0;
  const index = counts.findIndex((count) => {
    passed += count;
    return passed >= rank;
  });
  return (index - OFFSET) / 100;
}

/** Moves from `from` on and below `to`, in points. Empty ranges at both ends are left out. */
function rangesOf(counts: Uint32Array) {
  const ranges = [];
  for (let from = 0; from < counts.length; from += STEP) {
    const range = { from: (from - OFFSET) / 100, to: (from - OFFSET + STEP) / 100 };
    ranges.push({ ...range, subjects: countOf(counts, from, from + STEP) });
  }
  const isUsed = ({ subjects }: { subjects: number }) => subjects > 0;
  const first = ranges.findIndex(isUsed);
  return first === -1 ? [] : ranges.slice(first, ranges.findLastIndex(isUsed) + 1);
}
