import { z } from 'zod';
import { benchmarkDimensions } from '../../../domain/benchmarkCohorts.js';
import { versions } from '../../../domain/catalogues/versions.js';
import { benchmarkCatalogue } from './catalogue.js';
import { disclosures } from './disclosures.js';

export const BenchmarkQuery = z.object({
  dimension: z.enum(benchmarkDimensions).default('all').meta({
    description: 'One dimension alone. `all`: everyone, and each of the others.',
    example: 'subjectType',
  }),
});

const points = z.int().min(0).max(100);
const version = z.string().meta({ description: 'Version of dimensions, cohorts and statistics.' });
const notices = z.array(z.string()).meta({ description: 'To be shown along with the figures.' });

export const Benchmark = z
  .object({
    userId: z.string().meta({ description: "The caller's own id of the subject, as asked." }),
    benchmarksVersion: version,
    dimensions: z.array(
      z.object({
        dimension: z.enum(benchmarkDimensions),
        available: z.boolean(),
        reason: z.enum(['insufficient_data', 'no_score']).nullable().meta({
          description:
            'Why there is nothing: too few records, or too few that others than you have reported, to tell nobody apart; or no score.',
        }),
        cohort: z
          .object({
            key: z.string(),
            label: z.string(),
            size: z.int().min(0).nullable().meta({ description: 'At least so many records.' }),
          })
          .nullable()
          .meta({ description: 'The cohort that the subject belongs to; null without a score.' }),
        percentile: z.int().min(0).max(100).nullable().meta({
          description: 'Share of the cohort with a lower score, those with the same one counted half.',
        }),
        statistics: z
          .object({ p25: points, median: points, p75: points, mean: points })
          .nullable()
          .meta({ description: 'Scores of the cohort, in whole points.' }),
        asOf: z.iso.datetime().nullable().meta({ description: 'When these figures were made.' }),
      }),
    ),
    disclosures: notices,
  })
  .meta({
    id: 'Benchmark',
    description: 'Where a score stands among others.',
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
        .meta({ description: 'Cohorts with fewer records are never reported.' }),
      description: z.string(),
    }),
    disclosures: notices,
  })
  .meta({
    id: 'BenchmarkCatalogue',
    description: 'What scores can be compared by, and what protects those compared with.',
    example: benchmarkCatalogue(20),
  });
