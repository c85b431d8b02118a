import { z } from 'zod';
import { scoreFields } from '#domain/scoreFields.js';

const { finalScore, scoreBand, confidence } = scoreFields;

export const TrustQuery = z.object({
  narrative: z.enum(['0', '1']).optional(),
});

const point = z.object({
  code: z.string(),
  text: z.string(),
});

/** Longer texts of the AI are cut. */
const MAX_NARRATIVE_CHARACTERS = 2000;

export type TrustSummary = z.output<typeof TrustSummary>;
export const TrustSummary = z
  .object({
    userId: z.string(),
    finalScore,
    scoreBand,
    confidence,
    summary: z.string(),
    trend: z
      .object({
        day: z.iso.date(),
        finalScore,
        change: z.number(),
        text: z.string(),
      })
      .nullable(),
    strengths: z.array(point),
    risks: z.array(point),
    narrative: z
      .object({
        text: z.string().min(1).max(MAX_NARRATIVE_CHARACTERS),
        model: z.string(),
        advisory: z.literal(true),
      })
      .nullable(),
  })
  .meta({ id: 'TrustSummary' });
