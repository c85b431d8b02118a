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

interface Dimension {
  measure(facts: CohortFacts, now: Date): string | number | null;
  readonly cohorts: readonly (readonly [key: string, label: string, from: string | number | null])[];
}

/**
 * Bands in ascending order: a record belongs to the last one whose bound it reaches. The order
 * defines the bits: only append.
 */
const dimensions: Record<BenchmarkDimension, Dimension> = {
  all: { measure: () => null, cohorts: [['everyone', 'Everyone', null]] },
  subjectType: {
    measure: ({ subjectType }) => subjectType,
    cohorts: [
      ['PERSON', 'People', 'PERSON'],
      ['AGENT', 'Agents', 'AGENT'],
      ['ORGANIZATION', 'Organisations', 'ORGANIZATION'],
    ],
  },
  verificationDepthBand: {
    measure: ({ verifiedEvents, totalEvents }) =>
      verifiedEvents === 0 ? -1 : (verifiedEvents * 100) / totalEvents,
    cohorts: [
      ['none', 'Nothing verified', -1],
      ['under-50', 'Less than half verified', 0],
      ['50-79', '50 to 79 percent verified', 50],
      ['80-100', '80 percent verified, or more', 80],
    ],
  },
  activityVolumeBand: {
    measure: ({ totalEvents }) => totalEvents,
    cohorts: [
      ['1-4', '1 to 4 events', 0],
      ['5-19', '5 to 19 events', 5],
      ['20-99', '20 to 99 events', 20],
      ['100-up', '100 events or more', 100],
    ],
  },
  tenureBand: {
    measure: ({ registeredAt }, now) => Math.max(0, now.getTime() - registeredAt.getTime()) / DAY_MS,
    cohorts: [
      ['under-30', 'Known for less than 30 days', 0],
      ['30-179', 'Known for 30 to 179 days', 30],
      ['180-364', 'Known for 180 to 364 days', 180],
      ['365-up', 'Known for 365 days or more', 365],
    ],
  },
};

export const cohorts: readonly Cohort[] = benchmarkDimensions
  .flatMap((dimension) =>
    dimensions[dimension].cohorts.map(([key, label, from]) => ({ dimension, key, label, from })),
  )
  .map((cohort, index) => ({ ...cohort, bit: 1 << index }));

export const EVERY_COHORT = cohorts.reduce((bits, { bit }) => bits | bit, 0);

export function cohortsOf(dimension: BenchmarkDimension): Cohort[] {
  return cohorts.filter((cohort) => cohort.dimension === dimension);
}

export function cohortOf(dimension: BenchmarkDimension, facts: CohortFacts, now: Date): Cohort {
  const measure = dimensions[dimension].measure(facts, now);
  const fitting = cohortsOf(dimension).filter(({ from }) => reaches(measure, from));
  const cohort = fitting.at(-1) ?? cohortsOf(dimension)[0];
  if (!cohort) throw new RangeError(`${dimension} has no cohort`);
  return cohort;
}

export function membershipOf(facts: CohortFacts, now: Date): number {
  return benchmarkDimensions.reduce((bits, dimension) => bits | cohortOf(dimension, facts, now).bit, 0);
}

function reaches(measure: string | number | null, from: string | number | null): boolean {
  return typeof measure === 'number' && typeof from === 'number' ? measure >= from : measure === from;
}
