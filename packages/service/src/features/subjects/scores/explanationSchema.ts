import { dayFromIso, factorNames, replayBys, scoreBands } from '@reliability/scoring';
import { z } from 'zod';

const Reason = z
  .object({
    code: z.string(),
    factor: z.string(),
    title: z.string(),
    description: z.string(),
    evidence: z.record(z.string(), z.union([z.number(), z.string(), z.null()])),
  })
  .meta({ id: 'ScoreReason' });

export const ExplanationQuery = z.object({
  asOf: z.iso.date().transform(dayFromIso).optional(),
  by: z.enum(replayBys).optional().default('outcome'),
});

export type Explanation = z.output<typeof Explanation>;
export const Explanation = z
  .object({
    userId: z.string(),
    asOf: z.iso.date().optional(),
    finalScore: z.number().min(0).max(100),
    scoreBand: z.enum(scoreBands),
    factors: z.array(
      z.object({
        name: z.enum(factorNames),
        contribution: z.number(),
        description: z.string(),
      }),
    ),
    reasonCodes: z.object({
      adverseActionReasons: z.array(Reason),
      supportingFactors: z.array(Reason),
      disclosures: z.array(z.string()),
    }),
    reasonCodesVersion: z.string(),
    keyFactorLimit: z.int().min(0),
    formulaVersion: z.string(),
  })
  .meta({ id: 'ScoreExplanation' });
