import { z } from 'zod';
import { jobStatuses } from '../../../domain/catalogues/enums.js';
import { externalId } from '../../../domain/externalId.js';
import { scoreFields } from '../../../domain/scoreFields.js';
import { cursorParam, pageLimit, storableText } from '../../../kit/http/query.js';

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

export const ScreeningBody = z
  .object({
    userIds: z.array(externalId).min(1).max(MAX_USERS).meta({
      description:
        'Your own ids, in the order in which you want the results. An id may stand more than once.',
    }),
    label: storableText(1, 255)
      .nullable()
      .optional()
      .meta({ description: 'For your own use.', example: 'Couriers, March' }),
  })
  .meta({
    id: 'NewScreening',
    description: 'Whose scores to look up.',
    example: { userIds: ['worker-4711', 'worker-9999'], label: 'Couriers, March' },
  });

export const ScreeningRecord = z
  .object({
    id: z.uuid(),
    status: z.enum(jobStatuses),
    label: z.string().nullable(),
    total: z.int().min(1).meta({ description: 'Ids asked for, repeats included.' }),
    foundCount: z.int().min(0).meta({ description: 'Those of them with a score; it grows while it runs.' }),
    error: z.string().nullable().meta({ description: 'Why it failed; null unless it did.' }),
    createdAt: z.iso.datetime(),
    completedAt: z.iso.datetime().nullable().meta({ description: 'When it ended, well or not.' }),
  })
  .meta({
    id: 'Screening',
    description: 'How far a screening is. Its results are read apart.',
    example: SCREENING_EXAMPLE,
  });

export const ScreeningQuery = z.object({
  status: z.enum(jobStatuses).optional().meta({ description: 'Only screenings with this status.' }),
  cursor: cursorParam,
  limit: pageLimit(100, 25),
});

export const ScreeningPage = z
  .object({ screenings: z.array(ScreeningRecord), nextCursor: z.string().nullable() })
  .meta({
    id: 'ScreeningPage',
    description: 'A page of screenings, newest first.',
    example: { screenings: [SCREENING_EXAMPLE], nextCursor: null },
  });

export const screeningPath = z.object({
  id: z.string().meta({ description: 'Id of the screening.', example: SCREENING_EXAMPLE.id }),
});

export const ResultsQuery = z.object({
  format: z.enum(['json', 'csv']).default('json'),
  cursor: cursorParam,
  limit: pageLimit(100, 25).meta({ description: 'Results on a page of JSON.' }),
});

const { finalScore, scoreBand, confidence, verifiedEvents, computedAt, frozen } = scoreFields;

export const ResultsPage = z
  .object({
    results: z.array(
      z.object({
        userId: z.string(),
        found: z.boolean().meta({
          description: 'False when there is no score under this id; the figures are null then.',
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
    description: 'A page of results, in the order of the request. Evidence, never a verdict.',
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
