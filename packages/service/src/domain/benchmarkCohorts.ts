import data from '../../data/benchmarkCohorts.json' with { type: 'json' };
import { DAY_MS } from './timestamp.js';

export const benchmarkDimensions = [
  'all',
  'subjectType',
  'verificationDepthBand',
  'activityVolumeBand',
  'tenureBand',
] as const;
export type BenchmarkDimension = (typeof benchmarkDimensions)[number];

export interface CohortFacts {
  readonly subjectType: string;
  readonly totalEvents: number;
  readonly verifiedEvents: number;
  readonly registeredAt: Date;
}

export interface Cohort {
  readonly dimension: BenchmarkDimension;
  readonly key: string;
  readonly label: string;
  /** A type, or the lower bound of a band; null: all records. */
  readonly from: string | number | null;
  /** Its bit in a set of cohorts. */
  readonly bit: number;
}

/** What decides the cohort: a type, a number, or null for all records. */
type Measure = (facts: CohortFacts, now: Date) => string | number | null;

const measures: Record<BenchmarkDimension, Measure> = {
  all: () => null,
  subjectType: ({ subjectType }) => subjectType,
  verificationDepthBand: ({ verifiedEvents, totalEvents }) =>
    verifiedEvents === 0 ? -1 : (verifiedEvents * 100) / totalEvents,
  activityVolumeBand: ({ totalEvents }) => totalEvents,
  tenureBand: ({ registeredAt }, now) => Math.max(0, now.getTime() - registeredAt.getTime()) / DAY_MS,
};

/** Bands in ascending order: a record belongs to the last one whose bound it reaches. */
export const cohorts: readonly Cohort[] = benchmarkDimensions
  .flatMap((dimension) => data[dimension].map((cohort) => ({ dimension, ...cohort })))
  .map((cohort, index) => ({ ...cohort, bit: 1 << index }));

export const EVERY_COHORT = cohorts.reduce((bits, { bit }) => bits | bit, 0);

export function cohortsOf(dimension: BenchmarkDimension): Cohort[] {
  return cohorts.filter((cohort) => cohort.dimension === dimension);
}

export function cohortOf(dimension: BenchmarkDimension, facts: CohortFacts, now: Date): Cohort {
  const measure = measures[dimension](facts, now);
  const fitting = cohortsOf(dimension).filter(({ from }) => reaches(measure, from));
  const cohort = fitting.at(-1) ?? cohortsOf(dimension)[0];
  if (!cohort) throw new RangeError(`${dimension} has no cohort`);
  return cohort;
}

function reaches(measure: string | number | null, from: string | number | null): boolean {
  return typeof measure === 'number' && typeof from === 'number' ? measure >= from : measure === from;
}
