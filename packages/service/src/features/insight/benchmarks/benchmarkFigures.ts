import { cohorts } from '#domain/benchmarkCohorts.js';

/** Scores of a cohort, in whole points. */
export interface CohortFigures {
  readonly bit: number;
  readonly records: number;
  /** Sum of the scores, in hundredths. */
  readonly hundredths: number;
  /** Records by score rounded to whole points, 0 to 100. */
  readonly bins: readonly number[];
  /** Time of the computation. */
  readonly asOf: string;
}

/**
 * The records that belong to exactly these cohorts and have this score, rounded to whole points.
 */
export interface ScoreBin {
  readonly bits: number;
  readonly points: number;
  readonly records: number;
  readonly hundredths: number;
}

/** The figures of each wanted cohort that has members. */
export function figuresOf(rows: readonly ScoreBin[], wanted: number, asOf: Date): CohortFigures[] {
  return cohorts
    .filter(({ bit }) => wanted & bit)
    .map(({ bit }) => {
      const members = rows.filter((row) => row.bits & bit);
      const bins = new Array<number>(101).fill(0);
      for (const { points, records } of members) bins[points] = (bins[points] ?? 0) + records;
      const sum = (pick: (row: ScoreBin) => number) => members.reduce((total, row) => total + pick(row), 0);
      const records = sum((row) => row.records);
      return { bit, records, hundredths: sum((row) => row.hundredths), bins, asOf: asOf.toISOString() };
    })
    .filter(({ records }) => records > 0);
}

/** 100 · (below + half of the equals) / N, a whole number (RULES B3). */
export function percentileOf({ bins, records }: CohortFigures, score: number): number {
  const points = Math.round(score);
  const below = bins.slice(0, points).reduce((sum, count) => sum + count, 0);
  return Math.round((100 * (below + (bins[points] ?? 0) / 2)) / records);
}

export interface Statistics {
  readonly p25: number;
  readonly median: number;
  readonly p75: number;
  readonly mean: number;
}

/** Whole points, so that the difference of two readings reveals no single score. */
export function statisticsOf(figures: CohortFigures): Statistics {
  return {
    p25: quantileOf(figures, 0.25),
    median: quantileOf(figures, 0.5),
    p75: quantileOf(figures, 0.75),
    mean: Math.round(figures.hundredths / figures.records / 100),
  };
}

/** The lowest score that this share of the cohort does not exceed. */
function quantileOf({ bins, records }: CohortFigures, quantile: number): number {
  const rank = Math.ceil(quantile * records);
  let passed = 0;
  const points = bins.findIndex((count) => {
    passed += count;
    return passed >= rank;
  });
  return Math.max(0, points);
}

/**
 * The size, rounded down to 1, 2 or 5 times a power of ten. At least k, because every visible
 * cohort has k records.
 */
export function sizeBandOf(records: number, k: number): number {
  const power = 10 ** Math.floor(Math.log10(records));
  const step = [5, 2, 1].find((multiple) => multiple * power <= records) ?? 1;
  return Math.max(k, step * power);
}
