import { type ScoreBand, scoreBands } from '@reliability/scoring';
import { z } from 'zod';
import { subjectTypes } from '#domain/catalogues/enums.js';
import { DATE_OR_TIMESTAMP } from '#domain/dateOrTimestamp.js';
import { platformOfSubject } from '#domain/externalId.js';
import { MAX_MOMENT, rangeEnd } from '#domain/timestamp.js';
import {
  cursorParam,
  flag,
  instant,
  pageLimit,
  pageSchema,
  storableText,
  wholeNumber,
} from '#kit/http/query.js';

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
  q: storableText(0, 255).optional(),
  scoreMin: points.optional(),
  scoreMax: points.optional(),
  band: z.enum(scoreBands).optional(),
  hasScore: flag.optional(),
  scoreFrozen: flag.optional(),
  subjectType: z.enum(subjectTypes).optional(),
  activeSince: moment.optional(),
  registeredSince: moment.optional(),
  registeredBefore: moment.optional(),
  hasVerifiedEvents: flag.optional(),
  minVerifiedEvents: wholeNumber(0, MAX_COUNT).optional(),
};

export const DEFAULT_PAGE = 50;

const page = {
  sort: z.enum(bookSorts).default('score'),
  order: z.enum(['asc', 'desc']).optional(),
  format: z.enum(['json', 'csv']).default('json'),
  cursor: cursorParam,
  limit: pageLimit(1000, DEFAULT_PAGE),
};

/**
 * The listing's other parameters are accepted, so that its query can be reused as it is (RULES Q4).
 */
const ignoredPage = Object.fromEntries(Object.keys(page).map((name) => [name, z.unknown().optional()]));

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

export type BookEntry = z.output<typeof BookEntry>;
const BookEntry = z
  .object({
    externalId: z.string(),
    displayName: z.string().nullable(),
    finalScore: z.number().min(0).max(100).nullable(),
    scoreBand: z.enum(scoreBands).nullable(),
    confidence: z.number().min(0).max(1).nullable(),
    verificationDepth: z.number().min(0).max(1).nullable(),
    eventCount: z.int().min(0),
    verifiedEventCount: z.int().min(0),
    lastActivityAt: instant.nullable(),
    subjectType: z.enum(subjectTypes),
    scoreFrozen: z.boolean(),
    registeredAt: instant,
  })
  .meta({ id: 'BookRow' });

export type BookPage = z.output<typeof BookPage>;
export const BookPage = pageSchema('users', BookEntry).meta({ id: 'BookPage' });

const bandCounts = z.object(
  Object.fromEntries(scoreBands.map((band) => [band, z.int().min(0)])) as Record<ScoreBand, z.ZodInt>,
);

const nullablePoints = z.number().min(0).max(100).nullable();

export type BookSummary = z.output<typeof BookSummary>;
export const BookSummary = z
  .object({
    matched: z.int().min(0),
    scored: z.int().min(0),
    bands: bandCounts.nullable(),
    histogram: z.array(z.int().min(0)).length(101).nullable(),
    histogramAsOf: instant.nullable(),
    central: z.object({ median: nullablePoints, mean: nullablePoints }),
    aggregationSkipped: z.enum(['population_too_large']).nullable(),
  })
  .meta({ id: 'BookSummary' });

export const VelocityQuery = z.object({ platformId: platformOfSubject });

export type VelocityResolved = z.output<typeof VelocityResolved>;
export const VelocityResolved = z
  .object({
    userId: z.string(),
    subjectId: z.uuid(),
    platformId: z.uuid(),
    cleared: z.boolean(),
    frozenSince: instant.nullable(),
  })
  .meta({ id: 'VelocityResolved' });

export type FrozenScores = z.output<typeof FrozenScores>;
export const FrozenScores = z
  .object({
    frozenScores: z.array(
      z.object({
        platformId: z.uuid(),
        platformName: z.string(),
        userId: z.string(),
        frozenAt: instant,
        finalScore: z.number(),
        scoreBand: z.enum(scoreBands),
        totalEvents: z.int().min(0),
      }),
    ),
    truncated: z.boolean(),
  })
  .meta({ id: 'FrozenScores' });
