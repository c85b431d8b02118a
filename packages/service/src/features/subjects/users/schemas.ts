import { type ScoreBand, scoreBands } from '@reliability/scoring';
import { z } from 'zod';
import { subjectTypes } from '../../../domain/catalogues/enums.js';
import { DATE_OR_TIMESTAMP } from '../../../domain/dateOrTimestamp.js';
import { platformOfSubject } from '../../../domain/externalId.js';
import { MAX_MOMENT, rangeEnd } from '../../../domain/timestamp.js';
import { cursorParam, flag, instant, pageLimit, storableText, wholeNumber } from '../../../kit/http/query.js';

export const bookSorts = ['score', 'lastActivity', 'registered', 'externalId'] as const;

const MAX_COUNT = 2 ** 31 - 1;

const points = z
  .string()
  .regex(/^-?\d{1,15}(\.\d{1,15})?$/, { error: 'must be a number', abort: true })
  .transform(Number)
  .pipe(z.number().min(0).max(100));

const moment = z
  .string()
  .max(MAX_MOMENT, { abort: true })
  .meta(DATE_OR_TIMESTAMP)
  .transform((text, context) => {
    const date = rangeEnd(text, 'from');
    if (date) return date;
    context.addIssue({ code: 'custom', message: 'must be a timestamp or a date, such as 2026-03-01' });
    return z.NEVER;
  });

const filters = {
  q: storableText(0, 255).optional().meta({
    description: 'Prefix of your own id, case-sensitive. Empty: any id.',
    example: 'worker-47',
  }),
  scoreMin: points.optional().meta({ description: 'Minimum score, 0 to 100.', example: '65' }),
  scoreMax: points.optional().meta({ description: 'Maximum score, 0 to 100.', example: '100' }),
  band: z.enum(scoreBands).optional().meta({ description: 'Scores of this band.', example: 'Good' }),
  hasScore: flag.optional().meta({ description: 'Whether a score has been computed yet.', example: 'true' }),
  scoreFrozen: flag
    .optional()
    .meta({ description: 'Whether the score is frozen under review.', example: 'false' }),
  subjectType: z
    .enum(subjectTypes)
    .optional()
    .meta({ description: 'What the subject is.', example: 'PERSON' }),
  activeSince: moment.optional().meta({
    description: 'Last activity at or after this moment: a timestamp, or a date (start of its UTC day).',
    example: '2026-01-01',
  }),
  registeredSince: moment
    .optional()
    .meta({ description: 'Registered at or after this moment.', example: '2025-06-01' }),
  registeredBefore: moment
    .optional()
    .meta({ description: 'Registered before this moment.', example: '2026-06-01' }),
  hasVerifiedEvents: flag.optional().meta({
    description: "Whether any of the caller's own events is verified.",
    example: 'true',
  }),
  minVerifiedEvents: wholeNumber(0, MAX_COUNT).optional().meta({
    description: "Minimum number of the caller's own verified events.",
    example: '3',
  }),
};

const page = {
  sort: z.enum(bookSorts).default('score').meta({
    description:
      '`lastActivity` and `score` can change between pages, so a subject can be repeated or missed.',
  }),
  order: z.enum(['asc', 'desc']).optional().meta({
    description:
      'Default: desc for score and lastActivity, else asc. Subjects without the value always come last.',
    example: 'desc',
  }),
  format: z.enum(['json', 'csv']).default('json').meta({ description: 'csv: the whole book as one stream.' }),
  cursor: cursorParam,
  limit: pageLimit(1000, 50).meta({ description: 'Subjects per page; JSON only.' }),
};

/**
 * The listing's other parameters are accepted, so that its query can be reused as it is (RULES Q4).
 */
const ignoredPage = Object.fromEntries(
  Object.keys(page).map((name) => [
    name,
    z.unknown().optional().meta({ description: 'Accepted and ignored.' }),
  ]),
);

const BookFilter = z.object(filters);
export type BookFilters = z.output<typeof BookFilter>;
export const filterNames = Object.keys(filters) as (keyof BookFilters)[];

/** Filters, order and page of the book (RULES Q3). */
export const BookQuery = z.object({ ...filters, ...page }).superRefine(refuseContradictions);
export type BookListing = z.output<typeof BookQuery>;

export const BookSummaryQuery = z.object({ ...filters, ...ignoredPage }).superRefine(refuseContradictions);

function refuseContradictions(query: BookFilters, context: z.core.$RefinementCtx): void {
  const { hasScore, scoreMin, scoreMax, band, registeredSince, registeredBefore } = query;
  const refuse = (name: keyof BookFilters, message: string) =>
    context.addIssue({ code: 'custom', path: [name], message });
  if (hasScore === false && (scoreMin ?? scoreMax ?? band) !== undefined) {
    refuse('hasScore', 'cannot be false together with scoreMin, scoreMax or band: these need a score');
  }
  if (scoreMin !== undefined && scoreMax !== undefined && scoreMin > scoreMax) {
    refuse('scoreMin', 'must not be above scoreMax');
  }
  if (registeredSince && registeredBefore && registeredSince > registeredBefore) {
    refuse('registeredSince', 'must not be after registeredBefore');
  }
}

const BOOK_ROW_EXAMPLE = {
  externalId: 'worker-4711',
  finalScore: 78.42,
  scoreBand: 'Good',
  confidence: 0.7412,
  verificationDepth: 0.8261,
  eventCount: 23,
  verifiedEventCount: 19,
  lastActivityAt: '2026-03-01T15:42:10.000Z',
  subjectType: 'PERSON',
  scoreFrozen: false,
  registeredAt: '2025-09-14T08:30:00.000Z',
};

export type BookEntry = z.output<typeof BookEntry>;
const BookEntry = z
  .object({
    externalId: z.string(),
    finalScore: z
      .number()
      .min(0)
      .max(100)
      .nullable()
      .meta({ description: 'Null until a score has been computed.' }),
    scoreBand: z.enum(scoreBands).nullable(),
    confidence: z.number().min(0).max(1).nullable(),
    verificationDepth: z.number().min(0).max(1).nullable().meta({
      description: "Verified share of the caller's own events, four decimals; null without events.",
    }),
    eventCount: z.int().min(0).meta({ description: "The caller's own events that the score counts." }),
    verifiedEventCount: z.int().min(0),
    lastActivityAt: instant
      .nullable()
      .meta({ description: "Latest occurrence among the caller's own events." }),
    subjectType: z.enum(subjectTypes),
    scoreFrozen: z.boolean(),
    registeredAt: instant,
  })
  .meta({ id: 'BookRow', description: "One of the caller's own subjects.", example: BOOK_ROW_EXAMPLE });

export type BookPage = z.output<typeof BookPage>;
export const BookPage = z.object({ users: z.array(BookEntry), nextCursor: z.string().nullable() }).meta({
  id: 'BookPage',
  description: "A page of the caller's book.",
  example: { users: [BOOK_ROW_EXAMPLE], nextCursor: null },
});

const bandCounts = z.object(
  Object.fromEntries(scoreBands.map((band) => [band, z.int().min(0)])) as Record<ScoreBand, z.ZodInt>,
);

const nullablePoints = z.number().min(0).max(100).nullable();

const HISTOGRAM_EXAMPLE: Readonly<Record<number, number>> = {
  18: 9,
  20: 31,
  45: 57,
  66: 92,
  78: 148,
  91: 61,
};

export type BookSummary = z.output<typeof BookSummary>;
export const BookSummary = z
  .object({
    matched: z.int().min(0).meta({ description: 'Subjects that pass the filters; always exact.' }),
    scored: z.int().min(0).meta({ description: 'Matched subjects with a score.' }),
    bands: bandCounts.nullable().meta({ description: 'Scored subjects in each band.' }),
    histogram: z.array(z.int().min(0)).length(101).nullable().meta({
      description:
        'Scored subjects by whole points: the first number counts scores from 0 to below 1, the last one those of exactly 100.',
    }),
    histogramAsOf: instant.nullable().meta({
      description:
        'A book above that size, without filters, has a histogram that is counted every ten minutes: the time of the count. Else null.',
    }),
    central: z.object({ median: nullablePoints, mean: nullablePoints }).meta({
      description: 'Of the scores, two decimals; null if no subject has one.',
    }),
    aggregationSkipped: z.enum(['population_too_large']).nullable().meta({
      description:
        'The reason for a missing distribution: `bands`, `median` and `mean` are then null, and `histogram` if filters are given.',
    }),
  })
  .meta({
    id: 'BookSummary',
    description: "A segment of the caller's book in numbers.",
    example: {
      matched: 412,
      scored: 398,
      bands: { Excellent: 61, Good: 148, Fair: 92, Building: 57, Unproven: 31, 'High Risk': 9 },
      histogram: Array.from({ length: 101 }, (_, points) => HISTOGRAM_EXAMPLE[points] ?? 0),
      histogramAsOf: null,
      central: { median: 66.21, mean: 61.84 },
      aggregationSkipped: null,
    },
  });

export const BOOK_CSV_EXAMPLE =
  'externalId,finalScore,scoreBand,confidence,verificationDepth,eventCount,verifiedEventCount,lastActivityAt,subjectType,scoreFrozen,registeredAt\r\n' +
  'worker-4711,78.42,Good,0.7412,0.8261,23,19,2026-03-01T15:42:10.000Z,PERSON,false,2025-09-14T08:30:00.000Z\r\n';

export const VelocityQuery = z.object({ platformId: platformOfSubject });

export type VelocityResolved = z.output<typeof VelocityResolved>;
export const VelocityResolved = z
  .object({
    userId: z.string().meta({ description: 'External id of the subject.' }),
    subjectId: z.uuid(),
    platformId: z.uuid(),
    cleared: z.boolean().meta({ description: 'False if the score was not frozen; nothing was changed.' }),
    frozenSince: instant.nullable(),
  })
  .meta({
    id: 'VelocityResolved',
    description: 'The result. If the flag was cleared, a recompute is queued.',
    example: {
      userId: 'worker-4711',
      subjectId: '5f0c9b7a-1e34-8c40-8d21-0199a3c27b1e',
      platformId: '0199a3c2-0000-7000-8000-000000000001',
      cleared: true,
      frozenSince: '2026-03-01T11:20:00.000Z',
    },
  });

export type FrozenScores = z.output<typeof FrozenScores>;
export const FrozenScores = z
  .object({
    frozenScores: z
      .array(
        z.object({
          platformId: z.uuid(),
          platformName: z.string().meta({ description: 'Name of the platform.' }),
          userId: z.string().meta({ description: "The platform's own id of the subject." }),
          frozenAt: instant.meta({ description: 'Since when the score is held.' }),
          finalScore: z.number().meta({ description: 'The score that is held.' }),
          scoreBand: z.enum(scoreBands),
          totalEvents: z.int().min(0).meta({ description: "Number of the subject's own events." }),
        }),
      )
      .meta({ description: 'The longest held first.' }),
    truncated: z.boolean().meta({ description: 'True: more scores are held than are listed.' }),
  })
  .meta({
    id: 'FrozenScores',
    description: 'Scores that the velocity guard holds until the operator clears them.',
    example: {
      frozenScores: [
        {
          platformId: '0199a3c2-7b1e-7c40-8d21-5f0c9b7a1e34',
          platformName: 'Riverside Staffing',
          userId: 'worker-4711',
          frozenAt: '2026-03-01T09:00:00.000Z',
          finalScore: 71.42,
          scoreBand: 'Good',
          totalEvents: 212,
        },
      ],
      truncated: false,
    },
  });
