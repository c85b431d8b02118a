import { reasonCodeCatalog } from '@reliability/scoring';
import { z } from 'zod';
import { scoreFields } from '../../../domain/scoreFields.js';

const { finalScore, scoreBand, confidence } = scoreFields;

export const TrustQuery = z.object({
  narrative: z.enum(['0', '1']).optional().meta({
    description: '`1` requests `narrative`. Default: `0`; no AI is called and `narrative` is null.',
    example: '1',
  }),
});

const point = z.object({
  code: z.string().meta({ description: 'One of the codes of `GET /reason-codes`.' }),
  text: z.string().meta({ description: 'The reason with its figures, in plain words.' }),
});

/** Longer texts of the AI are cut. */
const MAX_NARRATIVE_CHARACTERS = 2000;

export type TrustSummary = z.output<typeof TrustSummary>;
export const TrustSummary = z
  .object({
    userId: z.string().meta({ description: "The caller's own id of the subject, as asked." }),
    finalScore,
    scoreBand,
    confidence,
    summary: z.string().meta({
      description:
        'The score in a few sentences. Made by rules from the stored score and its trend: the same record reads the same.',
    }),
    trend: z
      .object({
        day: z.iso.date().meta({ description: '90 days before the score was computed.' }),
        finalScore: finalScore.meta({
          description: 'The score of the outcomes that had happened by that day.',
        }),
        change: z.number().meta({ description: 'Points from then until the score. Negative if it fell.' }),
        text: z.string().meta({ description: 'The same in a sentence, which `summary` contains.' }),
      })
      .nullable()
      .meta({
        description:
          'The score against 90 days before, by the days on which outcomes happened, not those of their reports: an imported ' +
          'history has its trend. Null if no outcome is that old.',
      }),
    strengths: z.array(point).meta({ description: 'What supports the score, most significant first.' }),
    risks: z.array(point).meta({ description: 'What lowers the score, most significant first.' }),
    narrative: z
      .object({
        text: z.string().min(1).max(MAX_NARRATIVE_CHARACTERS).meta({
          description: 'Plain text of an AI. Treat it as untrusted: escape it where you show it.',
        }),
        model: z.string().meta({ description: 'The AI that wrote it.' }),
        advisory: z.literal(true).meta({ description: 'It decides nothing and no score depends on it.' }),
      })
      .nullable()
      .meta({
        description:
          'The summary retold by the AI that the operator has set up. Null unless asked for, and wherever there is none or it did ' +
          'not answer well within three seconds.',
      }),
  })
  .meta({
    id: 'TrustSummary',
    description: 'A score in plain words: evidence, no verdict.',
    example: {
      userId: 'worker-4711',
      finalScore: 52.11,
      scoreBand: 'Fair',
      confidence: 0.4048,
      summary:
        'The score is 52.11 of 100, in the band Fair. 90 days earlier it was 47.30, so it rose by 4.81 points. It rests on 4 ' +
        'entries. Others confirmed 4 of them. Some confirmed work supports it. ' +
        `Biggest plus: ${titleOf('CLEAN_DISPUTE_RECORD')}. Biggest minus: ${titleOf('LIMITED_VERIFIED_HISTORY')}.`,
      trend: {
        day: '2025-12-01',
        finalScore: 47.3,
        change: 4.81,
        text: '90 days earlier it was 47.30, so it rose by 4.81 points.',
      },
      strengths: [
        {
          code: 'CLEAN_DISPUTE_RECORD',
          text: 'There is no dispute on the record, which holds 4 results.',
        },
      ],
      risks: [
        {
          code: 'LIMITED_VERIFIED_HISTORY',
          text: 'Others confirmed 4 results. With their size and age, that is a short history so far.',
        },
      ],
      narrative: null,
    },
  });

function titleOf(code: string): string {
  return reasonCodeCatalog.codes.find((entry) => entry.code === code)?.title.toLowerCase() ?? '';
}
