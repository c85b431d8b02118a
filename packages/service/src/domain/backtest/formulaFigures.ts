import {
  confidenceLabels,
  platformTiers,
  type Score,
  type ScoreBand,
  scoreBands,
} from '@reliability/scoring';
import { type SubjectType, subjectTypes } from '../catalogues/enums.js';
import { fourDecimals } from '../points.js';
import {
  addOutcomes,
  aucOf,
  brierOf,
  createAucBootstrap,
  createOutcomeHistogram,
  type Interval,
  isotonicFit,
  type OutcomeHistogram,
  percentileInterval,
  totalsOf,
  wilsonInterval,
} from './statistics.js';
import type { Observation } from './subjectFold.js';

/** Outcomes of one kind of pair. Rates are 0 to 1; null with fewer than MIN_PAIRS. */
export interface Cell {
  readonly n: number;
  readonly kept: number | null;
  readonly ci95: Interval | null;
}

/** Cells with fewer pairs show no rate (RULES B9). */
export const MIN_PAIRS = 100;

/** Days since the first event; the last range has no end. */
export const TENURES = ['0-29', '30-89', '90-364', '365+'] as const;
const FROM_DAY = [0, 30, 90, 365];

/** Scores in hundredths: 0.00 to 100.00. */
const SCORES = 10_001;
/** Rates in steps of 0.00001: rates of up to 300 outcomes stay apart. */
const RATES = 100_001;
const CURVE_STEP = 500;

export interface ObservedSubject {
  readonly subjectType: SubjectType;
  readonly isOdd: boolean;
  readonly draws: Uint8Array;
}

export type Rival = 'completionRate' | 'betaRate' | 'behavioralQuality' | 'lastOutcome';

/** Simpler predictors over the same pairs. Without an outcome before, one knows nothing: the middle. */
const predictors: Record<Rival, { values: number; indexOf(observation: Observation, score: Score): number }> =
  {
    completionRate: {
      values: RATES,
      indexOf({ keptBefore, brokenBefore }) {
        const before = keptBefore + brokenBefore;
        return rateIndex(before === 0 ? 0.5 : keptBefore / before);
      },
    },
    betaRate: {
      values: RATES,
      indexOf: ({ keptBefore, brokenBefore }) =>
        rateIndex((keptBefore + 1) / (keptBefore + brokenBefore + 2)),
    },
    behavioralQuality: {
      values: SCORES,
      indexOf: (_, { behavioralQuality }) => Math.round(behavioralQuality * 100),
    },
    lastOutcome: {
      values: 3,
      indexOf: ({ lastWasKept }) => (lastWasKept === null ? 1 : lastWasKept ? 2 : 0),
    },
  };

interface Partition {
  readonly names: readonly string[];
  nameOf(subject: ObservedSubject, observation: Observation, score: Score): string;
}

const partitions = {
  tenure: {
    names: TENURES,
    nameOf: (_, { tenureDays }) =>
      TENURES.findLast((_, rank) => tenureDays >= (FROM_DAY[rank] ?? 0)) ?? TENURES[0],
  },
  tier: { names: platformTiers, nameOf: (_, { tier }) => tier },
  subjectType: { names: subjectTypes, nameOf: ({ subjectType }) => subjectType },
  confidence: { names: confidenceLabels, nameOf: (_, __, { confidenceLabel }) => confidenceLabel },
} as const satisfies Record<string, Partition>;
export type Grouping = keyof typeof partitions;
export const groupings = Object.keys(partitions) as Grouping[];

/** Collects the figures of one formula, in memory that does not grow with the ledger. */
export function createFormulaFigures() {
  const even = createOutcomeHistogram(SCORES);
  const odd = createOutcomeHistogram(SCORES);
  const bootstrap = createAucBootstrap(SCORES);
  const rivals = entriesOf(predictors).map(([name, { values, indexOf }]) => ({
    name,
    indexOf,
    outcomes: createOutcomeHistogram(values),
  }));
  const bands = histogramsOf(scoreBands, 1);
  const groups = entriesOf(partitions).map(([grouping, { names, nameOf }]) => ({
    grouping,
    nameOf,
    parts: histogramsOf(names, SCORES),
  }));
  let replicates: Float64Array | null = null;
  return { add, report, replicates: () => (replicates ??= bootstrap.aucs()) };

  function add(subject: ObservedSubject, observation: Observation, score: Score): void {
    const { kept, broken } = observation;
    const points = Math.round(score.finalScore * 100);
    addOutcomes(subject.isOdd ? odd : even, points, kept, broken);
    bootstrap.add(subject.draws, points, kept, broken);
    addOutcomes(bands.get(score.scoreBand) ?? missing(), 0, kept, broken);
    for (const { nameOf, parts } of groups)
      addOutcomes(parts.get(nameOf(subject, observation, score)) ?? missing(), points, kept, broken);
    for (const { indexOf, outcomes } of rivals)
      addOutcomes(outcomes, indexOf(observation, score), kept, broken);
  }

  function report(formulaVersion: string) {
    const all = sumOf(even, odd);
    replicates ??= bootstrap.aucs();
    return {
      formulaVersion,
      discrimination: {
        auc: rounded(aucOf(all)),
        ci95: totalsOf(all).n < MIN_PAIRS ? null : roundedInterval(percentileInterval(replicates)),
        rivals: recordOf(rivals.map(({ name, outcomes }) => [name, rounded(aucOf(outcomes))])),
      },
      calibration: calibrationOf(even, odd),
      bands: scoreBands.map((band) => ({ band, ...cellOf(bands.get(band) ?? missing()) })),
      bandsMonotone: isMonotone([...bands.values()]),
      groups: recordOf(groups.map(({ grouping, parts }) => [grouping, groupCells(parts)])),
    };
  }
}

export type FormulaReport = ReturnType<ReturnType<typeof createFormulaFigures>['report']>;

function entriesOf<Name extends string, Value>(record: Record<Name, Value>): [Name, Value][] {
  return Object.entries(record) as [Name, Value][];
}

function recordOf<Name extends string, Value>(entries: readonly [Name, Value][]): Record<Name, Value> {
  return Object.fromEntries(entries) as Record<Name, Value>;
}

function histogramsOf(names: readonly string[], values: number): Map<string, OutcomeHistogram> {
  return new Map(names.map((name) => [name, createOutcomeHistogram(values)]));
}

function missing(): never {
  throw new Error('an observation is in no known group');
}

function rateIndex(rate: number): number {
  return Math.round(rate * (RATES - 1));
}

function sumOf(a: OutcomeHistogram, b: OutcomeHistogram): OutcomeHistogram {
  return {
    kept: a.kept.map((count, value) => count + (b.kept[value] ?? 0)),
    broken: a.broken.map((count, value) => count + (b.broken[value] ?? 0)),
  };
}

function cellOf(histogram: OutcomeHistogram): Cell {
  const { kept, n } = totalsOf(histogram);
  if (n < MIN_PAIRS) return { n, kept: null, ci95: null };
  return { n, kept: rounded(kept / n), ci95: roundedInterval(wilsonInterval(kept, n)) };
}

export type GroupCell = ReturnType<typeof groupCells>[number];

function groupCells(groups: ReadonlyMap<string, OutcomeHistogram>) {
  return [...groups].map(([group, histogram]) => {
    const cell = cellOf(histogram);
    return { group, ...cell, auc: cell.n < MIN_PAIRS ? null : rounded(aucOf(histogram)) };
  });
}

/** @param bands highest first */
function isMonotone(bands: readonly OutcomeHistogram[]): boolean | null {
  const known = bands.map(totalsOf).filter(({ n }) => n >= MIN_PAIRS);
  if (known.length < 2) return null;
  return known.every(({ kept, n }, rank) => {
    const lower = known[rank + 1];
    return !lower || kept * lower.n >= lower.kept * n;
  });
}

function calibrationOf(even: OutcomeHistogram, odd: OutcomeHistogram) {
  const rates = isotonicFit(even);
  if (!rates) return { brier: null, brierOfBaseRate: null, skill: null, curve: [] };
  const fitted = totalsOf(even);
  const brier = brierOf(odd, (value) => rates[value] ?? 0);
  const brierOfBaseRate = brierOf(odd, () => fitted.kept / fitted.n);
  const skill = brier === null || !brierOfBaseRate ? null : 1 - brier / brierOfBaseRate;
  return {
    brier: rounded(brier),
    brierOfBaseRate: rounded(brierOfBaseRate),
    skill: rounded(skill),
    curve: curveOf(rates, odd),
  };
}

export type CurvePoint = ReturnType<typeof curveOf>[number];

/** Predicted and observed rates of the test half by ranges of five points; ranges without a pair are left out. */
function curveOf(rates: Float64Array, { kept, broken }: OutcomeHistogram) {
  const points = [];
  for (let from = 0; from < SCORES - 1; from += CURVE_STEP) {
    // A score of 100.00 belongs to the last range.
    const before = from + CURVE_STEP === SCORES - 1 ? SCORES : from + CURVE_STEP;
    const range = { kept: kept.subarray(from, before), broken: broken.subarray(from, before) };
    const cell = cellOf(range);
    if (cell.n === 0) continue;
    let predicted = 0;
    for (let value = from; value < before; value += 1)
      predicted += (rates[value] ?? 0) * ((kept[value] ?? 0) + (broken[value] ?? 0));
    points.push({
      from: from / 100,
      to: (from + CURVE_STEP) / 100,
      predicted: cell.n < MIN_PAIRS ? null : rounded(predicted / cell.n),
      ...cell,
    });
  }
  return points;
}

export function rounded(value: number | null): number | null {
  return value === null || Number.isNaN(value) ? null : fourDecimals(value);
}

export function roundedInterval(interval: Interval | null): Interval | null {
  return interval && [fourDecimals(interval[0]), fourDecimals(interval[1])];
}

/** Moves in hundredths: −100.00 to 100.00. */
const OFFSET = 10_000;
const STEP = 500;

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
