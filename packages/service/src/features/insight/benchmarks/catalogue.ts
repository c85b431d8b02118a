import { type BenchmarkDimension, benchmarkDimensions, cohortsOf } from '../../../domain/benchmarkCohorts.js';
import { versions } from '../../../domain/catalogues/versions.js';
import { disclosures } from './disclosures.js';

/** GET /benchmarks. */
export function benchmarkCatalogue(minimumCohortSize: number): object {
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
  all: 'Every record that has a score. As the query `dimension=all` it asks for all dimensions at once.',
  subjectType: 'What kind of subject the record is about.',
  verificationDepthBand: 'The share of events on the record that somebody else confirmed.',
  activityVolumeBand: 'How many events are on the record.',
  tenureBand: 'How long ago the record began.',
};

const statisticTexts = {
  percentile: 'Share of the cohort with a lower score, those with the same one counted half; a whole number.',
  p25: 'The score that a quarter of the cohort does not exceed, in whole points.',
  median: 'The score in the middle of the cohort, in whole points.',
  p75: 'The score that three quarters of the cohort do not exceed, in whole points.',
  mean: 'The mean score of the cohort, in whole points.',
};

const PROTECTION =
  'A cohort is told of when it has so many records, and as many besides those of the platform that asks, unless all of them are ' +
  'its own. No two cohorts that it can see, nor two days of one, differ by fewer records of others, and what hidden cohorts ' +
  'hold cannot be had by subtraction.';
