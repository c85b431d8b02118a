import { z } from 'zod';
import { jobStatuses } from '../../../domain/catalogues/enums.js';
import { externalId } from '../../../domain/externalId.js';
import { scoreFields } from '../../../domain/scoreFields.js';
import { cursorParam, instant, pageLimit, pathText, storableText } from '../../../kit/http/query.js';

export const MAX_USERS = 10_000;

export type ScreeningBody = z.output<typeof ScreeningBody>;
export const ScreeningBody = z
  .object({
    userIds: z.array(externalId).min(1).max(MAX_USERS),
    label: storableText(1, 255).nullable().optional(),
  })
  .meta({ id: 'NewScreening' });

export type Screening = z.output<typeof Screening>;
export const Screening = z
  .object({
    id: z.uuid(),
    status: z.enum(jobStatuses),
    label: z.string().nullable(),
    total: z.int().min(1),
    foundCount: z.int().min(0),
    error: z.string().nullable(),
    createdAt: instant,
    completedAt: instant.nullable(),
  })
  .meta({ id: 'Screening' });

export type ScreeningQuery = z.output<typeof ScreeningQuery>;
export const ScreeningQuery = z.object({
  status: z.enum(jobStatuses).optional(),
  cursor: cursorParam,
  limit: pageLimit(100, 25),
});

export type ScreeningPage = z.output<typeof ScreeningPage>;
export const ScreeningPage = z
  .object({ screenings: z.array(Screening), nextCursor: z.string().nullable() })
  .meta({ id: 'ScreeningPage' });

export const screeningPath = z.object({
  id: pathText(),
});

export type ResultsQuery = z.output<typeof ResultsQuery>;
export const ResultsQuery = z.object({
  format: z.enum(['json', 'csv']).default('json'),
  cursor: cursorParam,
  limit: pageLimit(100, 25),
});

const { finalScore, scoreBand, confidence, verifiedEvents, computedAt, frozen } = scoreFields;

export type ResultsPage = z.output<typeof ResultsPage>;
export const ResultsPage = z
  .object({
    results: z.array(
      z.object({
        userId: z.string(),
        found: z.boolean(),
        finalScore: finalScore.nullable(),
        scoreBand: scoreBand.nullable(),
        confidence: confidence.nullable(),
        verifiedEvents: verifiedEvents.nullable(),
        computedAt: computedAt.nullable(),
        frozen: frozen.nullable(),
      }),
    ),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: 'ScreeningResults' });
