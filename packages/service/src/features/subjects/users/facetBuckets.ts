import { model } from '@reliability/scoring';
import { subjectTypes } from '#domain/catalogues/enums.js';
import type { BookFilters } from './schemas.js';

/** The minimum of verified events of each level, as in 0003_scores.sql. */
const verifiedLevels = [0, 1, 5, 20] as const;

const bands = model.bands.map((entry, index) => ({
  ...entry,
  /** The minimum of the next band. */
  below: model.bands[index - 1]?.minimum ?? Number.POSITIVE_INFINITY,
}));

/**
 * What all scored rows of each bucket have in common. The index of a bucket is its number in the column
 * score.facet_bucket.
 */
const buckets = subjectTypes.flatMap((subjectType) =>
  verifiedLevels.flatMap((_, verifiedLevel) =>
    [...bands]
      .reverse()
      .flatMap((band) =>
        [false, true].map((isFrozen) => ({ ...band, subjectType, verifiedLevel, isFrozen })),
      ),
  ),
);

export const ALL_BUCKETS = buckets.length;

/**
 * The buckets that can contain rows which pass the filters. Their rows are still filtered by score,
 * dates and counts.
 */
export function bucketsPassing(filters: BookFilters): number[] {
  const {
    hasScore,
    subjectType,
    band,
    scoreFrozen,
    scoreMin,
    scoreMax,
    hasVerifiedEvents,
    minVerifiedEvents,
  } = filters;
  if (hasScore === false) return [];
  const level = levelOf(minVerifiedEvents ?? 0);
  return buckets.flatMap((bucket, number) =>
    (subjectType === undefined || bucket.subjectType === subjectType) &&
    (band === undefined || bucket.band === band) &&
    (scoreFrozen === undefined || bucket.isFrozen === scoreFrozen) &&
    (scoreMin === undefined || scoreMin < bucket.below) &&
    (scoreMax === undefined || scoreMax >= bucket.minimum) &&
    (hasVerifiedEvents === undefined || bucket.verifiedLevel > 0 === hasVerifiedEvents) &&
    bucket.verifiedLevel >= level
      ? [number]
      : [],
  );
}

/** The level of this number of verified events. */
function levelOf(verifiedEvents: number): number {
  return verifiedLevels.filter((minimum) => minimum <= verifiedEvents).length - 1;
}
