import { z } from 'zod';
import { CappedConcentration, CONCENTRATION_EXAMPLE } from '../../../domain/concentration.js';
import { INCLUSION_EXAMPLE, LogInclusion } from '../../../domain/logProofs.js';
import { scoreFields } from '../../../domain/scoreFields.js';
import { tenureFields } from '../../../domain/tenure.js';

/** The professional profile as anonymous callers see it: its schema and its source. */
export interface SharedProfile {
  readonly schema: z.ZodObject;
  /** Null for a subject without one. Contains no external id. */
  read(subjectId: string): Promise<object | null>;
}

export const TOKEN_EXAMPLE = 'st_mJ3v0b7Qd1xYkz5RZc8sT2uWn4LhEoPf';

/** Path of every public read with a share token. */
export const sharePath = z.object({
  token: z.string().max(255).meta({ description: 'A share token.', example: TOKEN_EXAMPLE }),
});

export const VerifyQuery = z.object({
  profile: z.enum(['0', '1']).optional().meta({
    description: 'Set to `1` to get `profile` too.',
    example: '1',
  }),
});

/** The answer for anonymous callers (RULES C3). It does not identify the subject. */
export function sharedAnswer(profile: SharedProfile | null) {
  const { finalScore, scoreBand, confidence, totalEvents, verifiedEvents } = scoreFields;
  return z
    .object({
      token: z.string().meta({ description: 'The token in the path.' }),
      finalScore: finalScore.nullable(),
      scoreBand: scoreBand.nullable(),
      confidence: confidence.nullable(),
      verifiedPlatforms: z.int().min(0).nullable().meta({
        description:
          'Number of platforms that reported outcomes which somebody other than the subject confirmed.',
      }),
      totalEvents: totalEvents.nullable(),
      verifiedEvents: verifiedEvents.nullable(),
      frozen: z.boolean().meta({ description: 'The score is under review and does not change.' }),
      formulaVersion: scoreFields.formulaVersion.nullable(),
      computedAt: scoreFields.computedAt.nullable(),
      ...tenureFields,
      concentration: CappedConcentration.nullable().meta({
        description:
          'How far the verified outcomes rest on few parties, none of them named. Null before the first score, and for a record ' +
          'with more than 100,000 kinds of outcomes by day and party.',
      }),
      log: LogInclusion.nullable().meta({
        description:
          'Where the transparency log holds the score, and since when. Null before the first score, and until a checkpoint ' +
          'covers it: a few seconds.',
      }),
      profile: (profile ? profile.schema.nullable() : z.null()).optional().meta({
        description:
          'The professional profile. Only with `profile=1`. Null if the subject does not share it (`includeProfile`).',
      }),
    })
    .meta({
      id: 'SharedRecord',
      description:
        'The record behind a share token. The figures of the score are null before the first one. Evidence, never a decision.',
      example: {
        token: TOKEN_EXAMPLE,
        finalScore: 78.42,
        scoreBand: 'Good',
        confidence: 0.7412,
        verifiedPlatforms: 2,
        totalEvents: 23,
        verifiedEvents: 19,
        frozen: false,
        formulaVersion: '5.3',
        computedAt: '2026-03-01T15:45:02.161Z',
        registeredAt: '2025-09-14T08:30:00.000Z',
        tenureDays: 168,
        concentration: CONCENTRATION_EXAMPLE,
        log: INCLUSION_EXAMPLE,
      },
    });
}
