import { z } from 'zod';
import { histogramOf, type ScoreCount, spreadOf } from '#domain/points.js';
import { type CsvStream, columnsOf, csvHeaders, csvStream } from '#kit/csv.js';
import type { Queryable, Reads } from '#kit/db/database.js';
import { ok, type SerializedAnswer, serializedAnswer, type TypedAnswer } from '#kit/http/answer.js';
import { pageOf, positionOf } from '#kit/http/cursor.js';
import type { Owner } from '#kit/http/route.js';
import { findHistogram } from '#ledger/reads/publishedScores.js';
import { type Found, foundEstimate, foundSubjects, MAX_FOUND } from './bookSearch.js';
import type { BookPosition, BookSegment, BookSlice, BookSort, Direction, Statement } from './bookSegment.js';
import { bookPage, bookScores, bookSize, bucketsToMerge, narrowedRowsEstimate } from './bookStore.js';
import { bucketsPassing } from './facetBuckets.js';
import {
  type BookEntry,
  type BookFilters,
  type BookListing,
  type BookPage,
  type BookSummary,
  filterNames,
} from './schemas.js';

export interface BookDeps {
  config: { bookExportMaxRows: number; bookSummaryMax: number };
  reads: Reads;
}

const CSV_PAGE_ROWS = 1000;

/** GET /users: a page of JSON, or the whole book as CSV. */
export async function listBook(
  deps: BookDeps,
  { platformId, livemode }: Owner,
  query: BookListing,
): Promise<TypedAnswer<200, CsvStream> | SerializedAnswer> {
  const { sort } = query;
  const direction = query.order ?? NATURAL_DIRECTION[sort];
  const slice = {
    platformId,
    livemode,
    filters: query,
    sort,
    direction,
    after: bookPositionOf(query.cursor, sort, direction),
  };
  if (query.format === 'csv') return exportBook(deps, { ...slice, after: null });
  const rows = await deps.reads.from((db) => readBook(db, { ...slice, limit: query.limit + 1 }));
  const page = pageOf(rows, query.limit, (row) => [sort, direction, sortValueOf(row), row.subjectId]);
  const users = page.rows.map(({ entry }) => entry).join(',');
  return serializedAnswer({
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: { nextCursor: page.nextCursor },
    // With the cursor as the route has bound it to its operation.
    serialize: ({ nextCursor }: Pick<BookPage, 'nextCursor'>) =>
      `{"users":[${users}],"nextCursor":${JSON.stringify(nextCursor)}}`,
  });
}

const NATURAL_DIRECTION: Record<BookSort, Direction> = {
  score: 'desc',
  lastActivity: 'desc',
  registered: 'asc',
  externalId: 'asc',
};

const sortValues = {
  score: z.number().min(0).max(100).nullable(),
  lastActivity: z.iso.datetime().nullable(),
  registered: z.iso.datetime(),
  externalId: z.string().max(255),
} as const satisfies Record<BookSort, z.ZodType<string | number | null>>;

function bookPositionOf(
  cursor: string | undefined,
  sort: BookSort,
  direction: Direction,
): BookPosition | null {
  const shape = z.tuple([z.literal(sort), z.literal(direction), sortValues[sort], z.uuid()]);
  const position = positionOf<[BookSort, Direction, string | number | null, string]>(
    cursor,
    shape,
    'BOOK_QUERY_INVALID',
  );
  return position && { value: position[2], subjectId: position[3] };
}

function sortValueOf({ value }: BookRow): string | number | null {
  return value instanceof Date ? value.toISOString() : value;
}

/**
 * By keyset pages: a statement that stays open for a slow reader would block the embedded database.
 */
function exportBook(
  { reads, config }: BookDeps,
  slice: Omit<BookSlice, 'limit'>,
): TypedAnswer<200, CsvStream> {
  const maxRows = config.bookExportMaxRows;
  async function* pages(): AsyncGenerator<BookEntry[]> {
    for (let after = slice.after, isLast = false; !isLast; ) {
      const rows: BookRow[] = await reads.from((db) =>
        readBook(db, { ...slice, after, limit: CSV_PAGE_ROWS }),
      );
      yield rows.map(({ entry }) => JSON.parse(entry) as BookEntry);
      const last = rows.at(-1);
      if (last) after = { value: sortValueOf(last), subjectId: last.subjectId };
      isLast = rows.length < CSV_PAGE_ROWS;
    }
  }
  return ok(csvStream(COLUMNS, pages(), { maxRows }), csvHeaders('users.csv', maxRows));
}

const COLUMNS = columnsOf(
  'externalId',
  'displayName',
  'finalScore',
  'scoreBand',
  'confidence',
  'verificationDepth',
  'eventCount',
  'verifiedEventCount',
  'lastActivityAt',
  'subjectType',
  'scoreFrozen',
  'registeredAt',
);

/** GET /users/summary: how many subjects pass the filters, and the distribution of their scores. */
export async function summarizeBook(
  { reads, config }: BookDeps,
  { platformId, livemode }: Owner,
  filters: BookFilters,
): Promise<BookSummary> {
  const segment = { platformId, livemode, filters };
  return reads.from((db) => summarize(db, segment, config.bookSummaryMax));
}

async function summarize(db: Queryable, segment: BookSegment, maxMatched: number): Promise<BookSummary> {
  const found = await findSubjects(db, segment);
  const { scored, unscored } = await countBook(db, segment, found);
  const matched = scored + unscored;
  if (matched > maxMatched) {
    const kept = isWholeBook(segment.filters) ? await findHistogram(db, segment) : null;
    return {
      matched,
      scored,
      bands: null,
      histogram: kept ? [...kept.counts] : null,
      histogramAsOf: kept?.countedAt ?? null,
      central: { median: null, mean: null },
      aggregationSkipped: 'population_too_large',
    };
  }
  const counts = scored === 0 ? [] : await readScoreCounts(db, segment, found);
  // A score may have been written between the two statements. The answer must be consistent, so it
  // counts the second one.
  const spread = spreadOf(counts);
  return {
    matched: spread.scored + unscored,
    ...spread,
    histogram: histogramOf(counts),
    histogramAsOf: null,
    aggregationSkipped: null,
  };
}

/** An empty `q` is any subject. */
function isWholeBook(filters: BookFilters): boolean {
  return filterNames.every((name) => filters[name] === undefined || filters[name] === '');
}

export interface BookRow {
  subjectId: string;
  /** Of the sort column. */
  value: string | number | Date | null;
  /** A BookEntry as JSON. */
  entry: string;
}

// Composed from the filters, so there are thousands of texts: planned for their values, not prepared.
const composed = { isUncached: true };

/** The subjects of a slice, in its order. */
async function readBook(db: Queryable, slice: BookSlice): Promise<BookRow[]> {
  const { text, values, isPrepared } = await choosePage(db, slice);
  return db.query<BookRow>(text, values, isPrepared ? {} : composed);
}

/** The fastest statement for a page of this slice. */
export async function choosePage(db: Queryable, slice: BookSlice): Promise<ReturnType<typeof bookPage>> {
  const found = await findSubjects(db, slice);
  if (found) return bookPage(slice, { found });
  if (await isNarrowed(db, slice)) return bookPage(slice, 'sort');
  return bookPage(slice, slice.filters.q ? { merge: await findBuckets(db, slice) } : 'walk');
}

export async function findBuckets(db: Queryable, segment: BookSegment): Promise<number[]> {
  const { text, values } = bucketsToMerge(segment);
  const rows = await db.query<{ facetBucket: number }>(text, values);
  return rows.map(({ facetBucket }) => facetBucket);
}

/** An index lookup of this many candidates takes longer than a walk to a page of them. */
const MAX_CANDIDATES = 20_000;

/** The subjects that `q` finds, if they are few. */
export async function findSubjects(db: Queryable, segment: BookSegment): Promise<Found> {
  if (!segment.filters.q || bucketsPassing(segment.filters).length === 0) return null;
  if ((await estimatedRows(db, foundEstimate(segment))) > MAX_CANDIDATES) return null;
  const { text, values } = foundSubjects(segment);
  const rows = await db.query<{ subjectId: string }>(text, values, composed);
  return rows.length > MAX_FOUND ? null : rows.map(({ subjectId }) => subjectId);
}

/**
 * Sorting this many rows takes about 10 ms. A walk that looks for few rows among many could take
 * ten times as long.
 */
const MAX_SORTED_ROWS = 80_000;

/** An estimate. Either plan returns the same rows. */
async function isNarrowed(db: Queryable, slice: BookSlice): Promise<boolean> {
  const estimate = narrowedRowsEstimate(slice);
  return estimate !== null && (await estimatedRows(db, estimate)) < MAX_SORTED_ROWS;
}

async function estimatedRows(db: Queryable, { text, values }: Statement): Promise<number> {
  const [explained] = await db.query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    text,
    values,
    composed,
  );
  return explained?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? Number.POSITIVE_INFINITY;
}

/** How many subjects pass the filters. */
interface BookSize {
  scored: number;
  unscored: number;
}

/** Exact: index-only scans. */
export async function countBook(db: Queryable, segment: BookSegment, found: Found): Promise<BookSize> {
  const { text, values } = bookSize(segment, found);
  const [size] = await db.query<BookSize>(text, values, composed);
  return size ?? { scored: 0, unscored: 0 };
}

/** At most 10 001 rows, one for each score that occurs, ordered by score. */
function readScoreCounts(db: Queryable, segment: BookSegment, found: Found): Promise<ScoreCount[]> {
  const { text, values } = bookScores(segment, found);
  return db.query(text, values, composed);
}
