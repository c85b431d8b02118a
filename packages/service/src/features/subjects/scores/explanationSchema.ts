import { dayFromIso, factorNames, reasonCodeCatalog, replayBys, scoreBands } from '@reliability/scoring';
import { z } from 'zod';
import { REPLAY_BY } from './courseSchema.js';

const Reason = z
  .object({
    code: z.string().meta({ description: 'One of the codes of `GET /reason-codes`.' }),
    factor: z.string(),
    title: z.string(),
    description: z.string(),
    evidence: z
      .record(z.string(), z.union([z.number(), z.string(), z.null()]))
      .meta({ description: 'The counts and rates behind the reason.' }),
  })
  .meta({
    id: 'ScoreReason',
    description: 'A reason for a score: attribution, never a decision.',
    example: exampleReason('LIMITED_VERIFIED_HISTORY', { verifiedEvidence: 3.4, needed: 5 }),
  });

export const ExplanationQuery = z.object({
  asOf: z.iso
    .date()
    .transform(dayFromIso)
    .optional()
    .meta({
      description:
        'A day (UTC), today at the latest. Explains the score of the outcomes that counted at its end. Default: the published ' +
        'score.',
      example: '2026-01-31',
    }),
  by: z
    .enum(replayBys)
    .optional()
    .default('outcome')
    .meta({
      description: `${REPLAY_BY} Only used with \`asOf\`. Default: \`outcome\`.`,
      example: 'recorded',
    }),
});

export type Explanation = z.output<typeof Explanation>;
export const Explanation = z
  .object({
    userId: z.string(),
    asOf: z.iso
      .date()
      .optional()
      .meta({ description: 'The day that was asked for. Absent: the published score.' }),
    finalScore: z.number().min(0).max(100),
    scoreBand: z.enum(scoreBands),
    factors: z
      .array(
        z.object({
          name: z.enum(factorNames),
          contribution: z.number().meta({ description: 'Points above or below the starting value of 20.' }),
          description: z.string(),
        }),
      )
      .meta({ description: 'Five factors. 20 plus their contributions is the score.' }),
    reasonCodes: z.object({
      adverseActionReasons: z.array(Reason).meta({
        description:
          'What lowers the score, most significant first. The list is not limited to `keyFactorLimit`.',
      }),
      supportingFactors: z.array(Reason),
      disclosures: z.array(z.string()),
    }),
    reasonCodesVersion: z.string(),
    keyFactorLimit: z.int().min(0).meta({
      description: 'The minimum number of adverse reasons that a notice should name, if there are that many.',
    }),
    formulaVersion: z.string(),
  })
  .meta({
    id: 'ScoreExplanation',
    description: 'The factors that make up the score, and the reasons behind them.',
    example: {
      userId: 'worker-4711',
      finalScore: 52.11,
      scoreBand: 'Fair',
      factors: [
        { name: 'completion', contribution: 14.02, description: 'Every outcome that counts was completed.' },
        {
          name: 'timeliness',
          contribution: 9.41,
          description: 'Most commitments with both dates were kept on time.',
        },
        { name: 'disputes', contribution: 5.3, description: 'No dispute is on the record.' },
        {
          name: 'verification',
          contribution: 3.38,
          description: 'Nearly all completed outcomes were confirmed by others.',
        },
        { name: 'gate', contribution: 0, description: 'No floor or ceiling applied.' },
      ],
      reasonCodes: {
        adverseActionReasons: [
          exampleReason('LIMITED_VERIFIED_HISTORY', { verifiedEvidence: 3.4, needed: 5 }),
        ],
        supportingFactors: [exampleReason('CLEAN_DISPUTE_RECORD', { disputes: 0 })],
        disclosures: [...reasonCodeCatalog.disclosures],
      },
      reasonCodesVersion: '1.0',
      keyFactorLimit: 4,
      formulaVersion: '5.3',
    },
  });

function exampleReason(code: string, evidence: Record<string, number>) {
  const entry = reasonCodeCatalog.codes.find((candidate) => candidate.code === code);
  return {
    code,
    factor: entry?.factor ?? '',
    title: entry?.title ?? '',
    description: entry?.description ?? '',
    evidence,
  };
}
