import { z } from 'zod';
import { jobStatuses } from '../../../domain/catalogues/enums.js';
import { externalId } from '../../../domain/externalId.js';
import { scoreFields } from '../../../domain/scoreFields.js';
import { cursorParam, instant, pageLimit, pathText, storableText } from '../../../kit/http/query.js';

export const MAX_USERS = 10_000;

const SCREENING_EXAMPLE = {
  id: '0199a3c2-9d10-7b44-8c2e-5a1f3b7d9e20',
  status: 'QUEUED',
  label: 'Couriers, March',
  total: 2500,
  foundCount: 0,
  error: null,
  createdAt: '2026-03-01T09:00:00.000Z',
  completedAt: null,
};

export type ScreeningBody = z.output<typeof ScreeningBody>;
export const ScreeningBody = z
  .object({
    userIds: z.array(externalId).min(1).max(MAX_USERS).meta({
      description: 'Your ids of the subjects, in the order of the results. Duplicates are allowed.',
    }),
    label: storableText(1, 255)
      .nullable()
      .optional()
      .meta({ description: 'A label for your own use.', example: 'Couriers, March' }),
  })
  .meta({
    id: 'NewScreening',
    description: 'The subjects whose scores to look up.',
    example: { userIds: ['worker-4711', 'worker-9999'], label: 'Couriers, March' },
  });

export type Screening = z.output<typeof Screening>;
export const Screening = z
  .object({
    id: z.uuid(),
    status: z.enum(jobStatuses),
    label: z.string().nullable(),
    total: z.int().min(1).meta({ description: 'Number of ids, including duplicates.' }),
    foundCount: z.int().min(0).meta({ description: 'Number of ids with a score so far.' }),
    error: z.string().nullable().meta({ description: 'Why it failed; null if it did not fail.' }),
    createdAt: instant,
    completedAt: instant.nullable().meta({ description: 'When it completed or failed.' }),
  })
  .meta({
    id: 'Screening',
    description: 'The status of a screening. Read its results separately.',
    example: SCREENING_EXAMPLE,
  });

export type ScreeningQuery = z.output<typeof ScreeningQuery>;
export const ScreeningQuery = z.object({
  status: z.enum(jobStatuses).optional().meta({ description: 'Only screenings with this status.' }),
  cursor: cursorParam,
  limit: pageLimit(100, 25),
});

export type ScreeningPage = z.output<typeof ScreeningPage>;
export const ScreeningPage = z
  .object({ screenings: z.array(Screening), nextCursor: z.string().nullable() })
  .meta({
    id: 'ScreeningPage',
    description: 'A page of screenings, newest first.',
    example: { screenings: [SCREENING_EXAMPLE], nextCursor: null },
  });

export const screeningPath = z.object({
  id: pathText('Id of the screening.', SCREENING_EXAMPLE.id),
});

export type ResultsQuery = z.output<typeof ResultsQuery>;
export const ResultsQuery = z.object({
  format: z.enum(['json', 'csv']).default('json'),
  cursor: cursorParam,
  limit: pageLimit(100, 25).meta({ description: 'Results per page of JSON.' }),
});

const { finalScore, scoreBand, confidence, verifiedEvents, computedAt, frozen } = scoreFields;

export type ResultsPage = z.output<typeof ResultsPage>;
export const ResultsPage = z
  .object({
    results: z.array(
      z.object({
        userId: z.string().meta({ description: 'As requested. Empty for a subject that was erased.' }),
        found: z.boolean().meta({
          description: 'False if this id has no score; its figures are null.',
        }),
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
  .meta({
    id: 'ScreeningResults',
    description: 'A page of results, in the order of the request. It contains figures and no verdict.',
    example: {
      results: [
        {
          userId: 'worker-4711',
          found: true,
          finalScore: 78.42,
          scoreBand: 'Good',
          confidence: 0.7412,
          verifiedEvents: 19,
          computedAt: '2026-03-01T15:45:02.161Z',
          frozen: false,
        },
        {
          userId: 'worker-9999',
          found: false,
          finalScore: null,
          scoreBand: null,
          confidence: null,
          verifiedEvents: null,
          computedAt: null,
          frozen: null,
        },
      ],
      nextCursor: null,
    },
  });

export const CSV_EXAMPLE =
  'userId,found,finalScore,scoreBand,confidence,verifiedEvents,computedAt,frozen\r\n' +
  'worker-4711,true,78.42,Good,0.7412,19,2026-03-01T15:45:02.161Z,false\r\n' +
  'worker-9999,false,,,,,,\r\n';
