import { z } from 'zod';
import { benchmarkDimensions } from '../../../domain/benchmarkCohorts.js';

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
