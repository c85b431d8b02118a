import { z } from 'zod';
import { CappedConcentration } from '../../../domain/concentration.js';
import { LogInclusion } from '../../../domain/logProofs.js';
import { scoreFields } from '../../../domain/scoreFields.js';
import { tenureFields } from '../../../domain/tenure.js';

/** The professional profile as anonymous callers see it: its schema and its source. */
export interface SharedProfile {
  readonly schema: z.ZodObject;
  /** Null for a subject without one. Contains no external id. */
  read(subjectId: string): Promise<object | null>;
}

/** Path of every public read with a share token. */
export const sharePath = z.object({
  token: z.string().max(255),
});

export const VerifyQuery = z.object({
  profile: z.enum(['0', '1']).optional(),
});

/** The answer for anonymous callers (RULES C3). It does not identify the subject. */
export function sharedAnswer(profile: SharedProfile | null) {
  const { finalScore, scoreBand, confidence, totalEvents, verifiedEvents } = scoreFields;
  return z
    .object({
      token: z.string(),
      finalScore: finalScore.nullable(),
      scoreBand: scoreBand.nullable(),
      confidence: confidence.nullable(),
      verifiedPlatforms: z.int().min(0).nullable(),
      totalEvents: totalEvents.nullable(),
      verifiedEvents: verifiedEvents.nullable(),
      frozen: z.boolean(),
      formulaVersion: scoreFields.formulaVersion.nullable(),
      computedAt: scoreFields.computedAt.nullable(),
      ...tenureFields,
      concentration: CappedConcentration.nullable(),
      log: LogInclusion.nullable(),
      profile: (profile ? profile.schema.nullable() : z.null()).optional(),
    })
    .meta({ id: 'SharedRecord' });
}
