import { z } from 'zod';
import { type BenchmarkDimension, benchmarkDimensions, cohortsOf } from '#domain/benchmarkCohorts.js';
import { versions } from '#domain/catalogues/versions.js';

export const BenchmarkQuery = z.object({
  dimension: z.enum(benchmarkDimensions).default('all'),
});

const points = z.int().min(0).max(100);
const version = z.string();
const notices = z.array(z.string());

export type Benchmark = z.output<typeof Benchmark>;
export const Benchmark = z
  .object({
    userId: z.string(),
    benchmarksVersion: version,
    dimensions: z.array(
      z.object({
        dimension: z.enum(benchmarkDimensions),
        available: z.boolean(),
        reason: z.enum(['insufficient_data', 'no_score']).nullable(),
        cohort: z
          .object({
            key: z.string(),
            label: z.string(),
            size: z.int().min(0).nullable(),
          })
          .nullable(),
        percentile: z.int().min(0).max(100).nullable(),
        statistics: z.object({ p25: points, median: points, p75: points, mean: points }).nullable(),
        asOf: z.iso.datetime().nullable(),
      }),
    ),
    disclosures: notices,
  })
  .meta({ id: 'Benchmark' });

export const BenchmarkCatalogue = z
  .object({
    benchmarksVersion: version,
    dimensions: z.array(
      z.object({
        key: z.enum(benchmarkDimensions),
        description: z.string(),
        cohorts: z.array(z.object({ key: z.string(), label: z.string() })),
      }),
    ),
    statistics: z.array(z.object({ key: z.string(), description: z.string() })),
    kAnonymity: z.object({
      minimumCohortSize: z.int().min(0),
      description: z.string(),
    }),
    disclosures: notices,
  })
  .meta({ id: 'BenchmarkCatalogue' });

/** What a benchmark is not: part of the catalogue and of every benchmark. */
export const disclosures: readonly string[] = [
  'A benchmark compares scores. It makes no decision and no recommendation, and changes no score.',
  'A cohort is a group of records. For a cohort below the minimum size nothing is published but that fact.',
  'The figures of live cohorts are computed once a day from all records of the installation. A cohort keeps its earlier ' +
    'figures while too few of its members have changed: `asOf` is the time of the computation.',
  'Sizes are rounded down, percentiles and statistics to whole numbers.',
];

/** The body of `GET /benchmarks`. */
export function benchmarkCatalogue(minimumCohortSize: number) {
  return {
    benchmarksVersion: versions.benchmarks,
    dimensions: benchmarkDimensions.map((key) => ({
      key,
      description: dimensionTexts[key],
      cohorts: cohortsOf(key).map((cohort) => ({ key: cohort.key, label: cohort.label })),
    })),
    statistics: Object.entries(statisticTexts).map(([key, description]) => ({ key, description })),
    kAnonymity: { minimumCohortSize, description: PROTECTION },
    disclosures,
  };
}

const dimensionTexts: Record<BenchmarkDimension, string> = {
  all: 'Every record with a score. The query `dimension=all` returns all dimensions at once.',
  subjectType: 'The type of the subject.',
  verificationDepthBand: 'The share of events on the record that another party confirmed.',
  activityVolumeBand: 'How many events are on the record.',
  tenureBand: 'The age of the record.',
};

const statisticTexts = {
  percentile: 'Share of the cohort with a lower score; equal scores count half. A whole number.',
  p25: 'The score that a quarter of the cohort does not exceed, in whole points.',
  median: 'The score in the middle of the cohort, in whole points.',
  p75: 'The score that three quarters of the cohort do not exceed, in whole points.',
  mean: 'The mean score of the cohort, in whole points.',
};

const PROTECTION =
  'A cohort is published if it has at least this many records, and at least this many records of other platforms or none. Two ' +
  'visible cohorts, and two days of one cohort, never differ by fewer records of others. The size of a hidden cohort cannot be ' +
  'computed by subtraction.';
