import { eventTypes, stakeLevels } from '@reliability/scoring';
import { z } from 'zod';
import { CoursePoint } from '#domain/scoreFields.js';
import { instant } from '#kit/http/query.js';
import { Review } from '../../features/attestation/reviews/schemas.js';
import type { OwnRecord, WorthOutcome } from '../../features/records/own/readOwnRecord.js';
import { ReliabilityReport } from '../../features/records/report.js';
import { Suggestions } from '../../features/subjects/scores/suggestions/suggestions.js';

const { factors, supportingFactors, adverseActionReasons } = ReliabilityReport.shape;

export const Outcome = z.object({
  eventId: z.uuid(),
  eventType: z.enum(eventTypes),
  at: instant,
  stakeLevel: z.enum(stakeLevels),
  isVerified: z.boolean(),
  reportedBy: z.string().nullable(),
  confirmedBy: z.string().nullable(),
  disputeId: z.uuid().nullable(),
  reviewId: z.uuid().nullable(),
});

/** The page of a record as data. */
export type RecordAnswer = z.output<typeof RecordAnswer>;
export const RecordAnswer = z
  .object({
    platform: z.object({ id: z.uuid(), name: z.string() }),
    userId: z.string(),
    score: ReliabilityReport.pick({
      finalScore: true,
      scoreBand: true,
      confidence: true,
      confidenceLabel: true,
      behavioralQuality: true,
      totalEvents: true,
      verifiedEvents: true,
      frozen: true,
      formulaVersion: true,
      computedAt: true,
    }).nullable(),
    course: z.array(CoursePoint),
    factors,
    reasons: z.object({ supportingFactors, adverseActionReasons }),
    outcomes: z.array(Outcome),
    suggestions: Suggestions.shape.suggestions,
    reviews: z.array(Review),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: 'SubjectRecord' });

export function recordAnswerOf(
  record: OwnRecord,
  suggestions: RecordAnswer['suggestions'],
  reviews: readonly Review[],
): RecordAnswer {
  const { platform, userId, score, course, reasons, outcomes, nextCursor } = record;
  const { factors = [], supportingFactors = [], adverseActionReasons = [] } = reasons ?? {};
  return {
    platform,
    userId,
    score,
    course,
    factors,
    reasons: { supportingFactors, adverseActionReasons },
    outcomes: outcomes.map((outcome) => outcomeOf(outcome, platform.name, reviews)),
    suggestions,
    reviews: [...reviews],
    nextCursor,
  };
}

function outcomeOf(outcome: WorthOutcome, platformName: string, reviews: readonly Review[]) {
  const { eventId, eventType, at, stakeLevel, isVerified, confirmedBy, disputeId, isOfEngine } = outcome;
  return {
    ...{ eventId, eventType, at, stakeLevel, isVerified },
    // Events of a dispute are written by the service.
    reportedBy: isOfEngine ? null : platformName,
    confirmedBy: isVerified ? confirmedBy : null,
    disputeId,
    // The newest one.
    reviewId: reviews.find((review) => review.eventId === eventId)?.id ?? null,
  };
}
