import { model, type ScoreBand, scoreBands } from '@reliability/scoring';
import { subjectTypes } from '#domain/catalogues/enums.js';
import type { BookFilters } from './schemas.js';

/** The minimum of verified events of each level, as in 0003_scores.sql. */
const verifiedLevels = [0, 1, 5, 20] as const;
const bandsUpward: readonly ScoreBand[] = [...scoreBands].reverse();

const frozenStates = [false, true] as const;

/** What all scored rows of one facet bucket have in common. */
interface FacetBucket {
  subjectType: (typeof subjectTypes)[number];
  verifiedLevel: number;
  band: ScoreBand;
  isFrozen: boolean;
}

/** All buckets. The index of a bucket is its number in the column score.facet_bucket. */
const buckets: readonly FacetBucket[] = subjectTypes.flatMap((subjectType) =>
  verifiedLevels.flatMap((_, verifiedLevel) =>
    bandsUpward.flatMap((band) =>
      frozenStates.map((isFrozen) => ({ subjectType, verifiedLevel, band, isFrozen })),
    ),
  ),
);

export const ALL_BUCKETS = buckets.length;

/**
 * The buckets that can contain rows which pass the filters. Their rows are still filtered by score,
 * dates and counts.
 */
export function bucketsPassing(filters: BookFilters): number[] {
  if (filters.hasScore === false) return [];
  return buckets.flatMap((bucket, number) => (isPassing(bucket, filters) ? [number] : []));
}

function isPassing(bucket: FacetBucket, filters: BookFilters): boolean {
  const { subjectType, band, scoreFrozen, scoreMin, scoreMax, hasVerifiedEvents, minVerifiedEvents } =
    filters;
  const lowest = minimumOf(bucket.band);
  const nextMinimum = nextMinimumOf(bucket.band);
  return (
    (subjectType === undefined || bucket.subjectType === subjectType) &&
    (band === undefined || bucket.band === band) &&
    (scoreFrozen === undefined || bucket.isFrozen === scoreFrozen) &&
    (scoreMin === undefined || scoreMin < nextMinimum) &&
    (scoreMax === undefined || scoreMax >= lowest) &&
    (hasVerifiedEvents === undefined || bucket.verifiedLevel > 0 === hasVerifiedEvents) &&
    (minVerifiedEvents === undefined || bucket.verifiedLevel >= levelOf(minVerifiedEvents))
  );
}

function minimumOf(band: ScoreBand): number {
  return model.bands.find((entry) => entry.band === band)?.minimum ?? 0;
}

/** The minimum of the next band. */
function nextMinimumOf(band: ScoreBand): number {
  const above = bandsUpward[bandsUpward.indexOf(band) + 1];
  return above === undefined ? Number.POSITIVE_INFINITY : minimumOf(above);
}

/** The level of this number of verified events. */
function levelOf(verifiedEvents: number): number {
  return verifiedLevels.filter((minimum) => minimum <= verifiedEvents).length - 1;
}
