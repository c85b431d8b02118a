import { confidenceLabels, factorNames } from '@reliability/scoring';
import { z } from 'zod';
import { externalId } from '../../../domain/externalId.js';
import { HISTORY_ENTRY_EXAMPLE, HistoryEntry, points, scoreFields } from '../../../domain/scoreFields.js';
import { cursorParam, pageLimit } from '../../../kit/http/query.js';

const {
  finalScore,
  scoreBand,
  confidence,
  behavioralQuality,
  totalEvents,
  verifiedEvents,
  frozen,
  formulaVersion,
  computedAt,
  reason,
} = scoreFields;
const userId = z.string().meta({ description: "The caller's own id of the subject, as requested." });
const factor = z.enum(factorNames);
const change = z.number().meta({ description: 'Points, two decimals. Negative if the score fell.' });

const SCORE_EXAMPLE = {
  userId: 'worker-4711',
  finalScore: 78.42,
  scoreBand: 'Good',
  confidence: 0.7412,
  confidenceLabel: 'high',
  behavioralQuality: 90.67,
  totalEvents: 23,
  verifiedEvents: 19,
  frozen: false,
  formulaVersion: '5.3',
  computedAt: '2026-03-01T15:45:02.161Z',
};

export const Score = z
  .object({
    userId,
    finalScore,
    scoreBand,
    confidence,
    confidenceLabel: z.enum(confidenceLabels),
    behavioralQuality,
    totalEvents,
    verifiedEvents,
    frozen,
    formulaVersion,
    computedAt,
  })
  .meta({ id: 'Score', description: 'The score of a subject as last computed.', example: SCORE_EXAMPLE });

export const ScoresBody = z.object({ userIds: z.array(externalId).min(1).max(100) }).meta({
  id: 'ScoresRequest',
  description: 'The subjects to read, by the ids of the calling platform.',
  example: { userIds: ['worker-4711', 'worker-9999'] },
});

export type Scores = z.output<typeof Scores>;
export const Scores = z
  .object({
    scores: z.array(
      z.object({
        userId,
        found: z.boolean().meta({ description: 'False if the id has no score. The figures are then null.' }),
        finalScore: finalScore.nullable(),
        scoreBand: scoreBand.nullable(),
        confidence: confidence.nullable(),
        frozen: frozen.nullable(),
        computedAt: computedAt.nullable(),
        erased: z
          .literal(true)
          .optional()
          .meta({ description: 'Present if the subject was erased. There is no score and never will be.' }),
      }),
    ),
  })
  .meta({
    id: 'Scores',
    description: 'One entry for each id, in the order of the request.',
    example: {
      scores: [
        {
          userId: 'worker-4711',
          found: true,
          finalScore: 78.42,
          scoreBand: 'Good',
          confidence: 0.7412,
          frozen: false,
          computedAt: '2026-03-01T15:45:02.161Z',
        },
        {
          userId: 'worker-9999',
          found: false,
          finalScore: null,
          scoreBand: null,
          confidence: null,
          frozen: null,
          computedAt: null,
        },
      ],
    },
  });

const component = points('Null if the record has no outcomes to compute it from.').nullable();

export type Components = z.output<typeof Components>;
export const Components = z
  .object({
    userId,
    components: z.object({
      reliability: component,
      timeliness: component,
      trustworthiness: component,
      verification: component,
      consistency: component,
      momentum: component,
    }),
    formulaVersion,
    computedAt,
  })
  .meta({
    id: 'ScoreComponents',
    description:
      'Six views of the same record, each 0 to 100. They describe the score and do not add up to it.',
    example: {
      userId: 'worker-4711',
      components: {
        reliability: 94.12,
        timeliness: 88.24,
        trustworthiness: 100,
        verification: 70.31,
        consistency: 91.5,
        momentum: 52.94,
      },
      formulaVersion: '5.3',
      computedAt: '2026-03-01T15:45:02.161Z',
    },
  });

export const HistoryQuery = z.object({ cursor: cursorParam, limit: pageLimit(100, 25) });

export type History = z.output<typeof History>;
export const History = z
  .object({
    history: z.array(HistoryEntry),
    nextCursor: z.string().nullable(),
  })
  .meta({
    id: 'ScoreHistory',
    description: 'Published changes of the score, newest first.',
    example: {
      history: [HISTORY_ENTRY_EXAMPLE],
      nextCursor: null,
    },
  });

const scoreAt = z.object({ score: finalScore, band: scoreBand, computedAt });

export type Change = z.output<typeof Change>;
export const Change = z
  .object({
    userId,
    previous: scoreAt,
    current: scoreAt,
    delta: change,
    reason,
    factors: z
      .array(z.object({ factor, before: change, after: change, delta: change }))
      .meta({ description: 'The parts of the change; they sum to `delta` exactly.' }),
    topDriver: z
      .object({ factor, delta: change })
      .nullable()
      .meta({ description: 'The largest part; null if no part changed.' }),
    events: z.array(z.uuid()).max(100).meta({
      description: "Ids of the caller's own events between the two scores, oldest first, at most 100.",
    }),
  })
  .meta({
    id: 'ScoreChange',
    description: 'The last published change of the score, part by part.',
    example: {
      userId: 'worker-4711',
      previous: { score: 77.3, band: 'Good', computedAt: '2026-02-26T10:12:44.020Z' },
      current: { score: 78.42, band: 'Good', computedAt: '2026-03-01T15:45:02.161Z' },
      delta: 1.12,
      reason: null,
      factors: [
        { factor: 'completion', before: 23.71, after: 24.1, delta: 0.39 },
        { factor: 'timeliness', before: 18.87, after: 19.35, delta: 0.48 },
        { factor: 'disputes', before: 8.91, after: 9.02, delta: 0.11 },
        { factor: 'verification', before: 5.81, after: 5.95, delta: 0.14 },
        { factor: 'gate', before: 0, after: 0, delta: 0 },
      ],
      topDriver: { factor: 'timeliness', delta: 0.48 },
      events: ['0199a3c2-7b1e-7c40-8d21-5f0c9b7a1e34'],
    },
  });
