import { confidenceLabels, factorNames } from '@reliability/scoring';
import { z } from 'zod';
import { externalId } from '../../../domain/externalId.js';
import { HistoryEntry, scoreFields } from '../../../domain/scoreFields.js';
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
const userId = z.string();
const factor = z.enum(factorNames);
const change = z.number();

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
  .meta({ id: 'Score' });

export const ScoresBody = z
  .object({ userIds: z.array(externalId).min(1).max(100) })
  .meta({ id: 'ScoresRequest' });

export type Scores = z.output<typeof Scores>;
export const Scores = z
  .object({
    scores: z.array(
      z.object({
        userId,
        found: z.boolean(),
        finalScore: finalScore.nullable(),
        scoreBand: scoreBand.nullable(),
        confidence: confidence.nullable(),
        frozen: frozen.nullable(),
        computedAt: computedAt.nullable(),
        erased: z.literal(true).optional(),
      }),
    ),
  })
  .meta({ id: 'Scores' });

const component = z.number().min(0).max(100).nullable();

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
  .meta({ id: 'ScoreComponents' });

export const HistoryQuery = z.object({ cursor: cursorParam, limit: pageLimit(100, 25) });

export type History = z.output<typeof History>;
export const History = z
  .object({
    history: z.array(HistoryEntry),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: 'ScoreHistory' });

const scoreAt = z.object({ score: finalScore, band: scoreBand, computedAt });

export type Change = z.output<typeof Change>;
export const Change = z
  .object({
    userId,
    previous: scoreAt,
    current: scoreAt,
    delta: change,
    reason,
    factors: z.array(z.object({ factor, before: change, after: change, delta: change })),
    topDriver: z.object({ factor, delta: change }).nullable(),
    events: z.array(z.uuid()).max(100),
  })
  .meta({ id: 'ScoreChange' });
