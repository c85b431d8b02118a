import { eventTypes, platformTiers, stakeLevels } from '@reliability/scoring';
import { z } from 'zod';
import { scoreFields } from '../../../domain/scoreFields.js';
import { outcomeTime } from '../../../domain/timestamp.js';

export type ProjectionBody = z.output<typeof ProjectionBody>;
export const ProjectionBody = z
  .object({
    events: z
      .array(
        z.object({
          eventType: z.enum(eventTypes),
          isVerified: z.boolean().nullish(),
          stakeLevel: z.enum(stakeLevels).nullish(),
          platformTier: z.enum(platformTiers).nullish(),
          dueDate: outcomeTime.nullish(),
          completedAt: outcomeTime.nullish(),
        }),
      )
      .min(1)
      .max(20),
  })
  .meta({ id: 'ProjectionRequest' });

const score = z.object({ score: scoreFields.finalScore, band: scoreFields.scoreBand });

/** The part that every projection has. */
export const projectionFields = {
  baseline: z.enum(['record', 'blank']),
  frozen: scoreFields.frozen,
  current: score,
  projected: score,
  delta: z.object({
    score: z.number(),
    band: z.object({ from: scoreFields.scoreBand, to: scoreFields.scoreBand }).nullable(),
  }),
};

export type ProjectionAnswer = z.output<typeof ProjectionAnswer>;
export const ProjectionAnswer = z
  .object({
    userId: z.string(),
    ...projectionFields,
  })
  .meta({ id: 'ScoreProjection' });
