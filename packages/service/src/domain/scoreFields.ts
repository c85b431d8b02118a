import { scoreBands } from '@reliability/scoring';
import { z } from 'zod';

/** As `instant` of kit/http/query.ts, which the domain cannot import: handlers return a Date. */
export const instant = z.iso.datetime() as unknown as z.ZodType<Date>;

export const count = (description: string) => z.int().min(0).meta({ description });

export const share = (description: string) => z.number().min(0).max(1).nullable().meta({ description });

export const points = (description: string) => z.number().min(0).max(100).meta({ description });

/** The figures of a score, the same wherever an answer shows them (RULES R1). */
export const scoreFields = {
  finalScore: points('0 to 100, two decimals.'),
  scoreBand: z.enum(scoreBands).meta({ description: 'The highest band whose minimum the score reaches.' }),
  confidence: z.number().min(0).max(1).meta({
    description: 'How much verified evidence supports the score, from 0 (none) to 1. Four decimals.',
  }),
  behavioralQuality: points('The quality of the outcomes alone, before the amount of evidence is weighed.'),
  totalEvents: count('Outcomes on the record.'),
  verifiedEvents: count('Outcomes that a party other than the subject confirmed.'),
  frozen: z.boolean().meta({
    description: 'True while unusual volume is under review. The ledger grows, the figures do not change.',
  }),
  formulaVersion: z.string().meta({ description: 'Version of the scoring formula.' }),
  computedAt: instant.meta({ description: 'When the figures were computed. A read never computes.' }),
  reason: z
    .string()
    .nullable()
    .meta({
      description:
        'What led to the computation besides new events: `decay` (time alone), `velocity_cleared`, `linked` or `unlinked` (a ' +
        'subject of another platform joined the record or left it); null for events.',
    }),
};

const { frozen: _, formulaVersion, computedAt, reason, ...figures } = scoreFields;
const { finalScore, scoreBand, confidence } = figures;

export const HistoryEntry = z.object({
  ...figures,
  previousScore: finalScore.nullable().meta({ description: 'Null for the first score.' }),
  reason,
  formulaVersion,
  computedAt,
});

export const CoursePoint = z.object({
  day: z.iso.date(),
  finalScore,
  scoreBand,
  confidence,
  outcomes: z.int().min(0),
});
