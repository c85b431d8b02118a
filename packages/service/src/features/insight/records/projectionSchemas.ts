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
          eventType: z.enum(eventTypes).meta({
            description: 'Any event type. Qualifications and projects are accepted and change nothing.',
          }),
          isVerified: z.boolean().nullish().meta({ description: 'Default: false.' }),
          stakeLevel: z.enum(stakeLevels).nullish().meta({ description: 'Default: MEDIUM.' }),
          platformTier: z
            .enum(platformTiers)
            .nullish()
            .meta({ description: 'The trust tier of the platform that would report it. Default: your own.' }),
          dueDate: outcomeTime.nullish().meta({ description: 'When the outcome would be due.' }),
          completedAt: outcomeTime.nullish().meta({
            description: 'When it would be completed. Without both dates an outcome is never on time.',
          }),
        }),
      )
      .min(1)
      .max(20),
  })
  .meta({
    id: 'ProjectionRequest',
    description: 'Events that have not happened.',
    example: {
      events: [
        {
          eventType: 'CONTRACT_FULFILLED',
          isVerified: true,
          stakeLevel: 'HIGH',
          dueDate: '2026-03-08T17:00:00.000Z',
          completedAt: '2026-03-08T12:00:00.000Z',
        },
        { eventType: 'CONTRACT_BREACHED' },
      ],
    },
  });

const score = z.object({ score: scoreFields.finalScore, band: scoreFields.scoreBand });

/** The part that every projection has. */
export const projectionFields = {
  baseline: z.enum(['record', 'blank']).meta({
    description: '`blank`: there is no score yet, so the projection starts at 20.',
  }),
  frozen: scoreFields.frozen,
  current: score.meta({ description: 'The published score, as in `GET /users/{id}/score`.' }),
  projected: score.meta({
    description:
      'The score of the record with the events, as of today. While the score is frozen: the published score plus the points ' +
      'that the events would add or subtract.',
  }),
  delta: z.object({
    score: z.number().meta({ description: 'Points, two decimals; negative if the score would fall.' }),
    band: z
      .object({ from: scoreFields.scoreBand, to: scoreFields.scoreBand })
      .nullable()
      .meta({ description: 'Null if the band would not change.' }),
  }),
};

export const PROJECTION_EXAMPLE = {
  baseline: 'record',
  frozen: false,
  current: { score: 63.9, band: 'Fair' },
  projected: { score: 66.12, band: 'Good' },
  delta: { score: 2.22, band: { from: 'Fair', to: 'Good' } },
};

export type ProjectionAnswer = z.output<typeof ProjectionAnswer>;
export const ProjectionAnswer = z
  .object({
    userId: z.string().meta({ description: 'Your id of the subject.' }),
    ...projectionFields,
  })
  .meta({
    id: 'ScoreProjection',
    description: 'The published and the projected score. Nothing is written.',
    example: { userId: 'worker-4711', ...PROJECTION_EXAMPLE },
  });
