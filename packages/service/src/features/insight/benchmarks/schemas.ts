import { z } from 'zod';
import { benchmarkDimensions } from '../../../domain/benchmarkCohorts.js';
import { versions } from '../../../domain/catalogues/versions.js';
import { benchmarkCatalogue, disclosures } from './catalogue.js';

export const BenchmarkQuery = z.object({
  dimension: z.enum(benchmarkDimensions).default('all').meta({
    description: 'One dimension. Default: `all`, which returns every dimension.',
    example: 'subjectType',
  }),
});

const points = z.int().min(0).max(100);
const version = z.string().meta({ description: 'Version of the dimensions, cohorts and statistics.' });
const notices = z.array(z.string()).meta({ description: 'Display these with the figures.' });

export type Benchmark = z.output<typeof Benchmark>;
export const Benchmark = z
  .object({
    userId: z.string().meta({ description: 'Your id of the subject.' }),
    benchmarksVersion: version,
    dimensions: z.array(
      z.object({
        dimension: z.enum(benchmarkDimensions),
        available: z.boolean(),
        reason: z.enum(['insufficient_data', 'no_score']).nullable().meta({
          description:
            'Why there are no figures: `no_score`, or too few records in total or of other platforms to protect each of them.',
        }),
        cohort: z
          .object({
            key: z.string(),
            label: z.string(),
            size: z.int().min(0).nullable().meta({ description: 'Number of records, rounded down.' }),
          })
          .nullable()
          .meta({ description: 'The cohort of the subject; null without a score.' }),
        percentile: z.int().min(0).max(100).nullable().meta({
          description: 'Share of the cohort with a lower score; equal scores count half.',
        }),
        statistics: z
          .object({ p25: points, median: points, p75: points, mean: points })
          .nullable()
          .meta({ description: 'Scores of the cohort, in whole points.' }),
        asOf: z.iso.datetime().nullable().meta({ description: 'When these figures were computed.' }),
      }),
    ),
    disclosures: notices,
  })
  .meta({
    id: 'Benchmark',
    description: 'A comparison of a score with the scores of others.',
    example: {
      userId: 'worker-4711',
      benchmarksVersion: versions.benchmarks,
      dimensions: [
        {
          dimension: 'subjectType',
          available: true,
          reason: null,
          cohort: { key: 'PERSON', label: 'People', size: 500 },
          percentile: 71,
          statistics: { p25: 38, median: 54, p75: 69, mean: 55 },
          asOf: '2026-03-01T00:12:30.000Z',
        },
      ],
      disclosures: [...disclosures],
    },
  });

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
      minimumCohortSize: z
        .int()
        .min(0)
        .meta({ description: 'Cohorts with fewer records are never published.' }),
      description: z.string(),
    }),
    disclosures: notices,
  })
  .meta({
    id: 'BenchmarkCatalogue',
    description: 'The dimensions of a comparison, and how the compared records are protected.',
    example: benchmarkCatalogue(20),
  });
