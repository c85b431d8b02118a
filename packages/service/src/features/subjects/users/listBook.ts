import { z } from 'zod';
import { shareOf } from '../../../domain/share.js';
import { type CsvColumn, csvHeaders, csvStream } from '../../../kit/csv.js';
import { type Answer, ok } from '../../../kit/http/answer.js';
import { pageOf, positionOf } from '../../../kit/http/cursor.js';
import type { KeyAccess, RequestContext } from '../../../kit/http/route.js';
import type { BookPosition, BookSlice, BookSort, Direction } from './bookSlice.js';
import type { UserDeps } from './deps.js';
import type { BookListing } from './schemas.js';
import { type BookRow, readBook } from './store.js';

const CSV_PAGE_ROWS = 1000;

/** GET /users: the caller's own subjects, a page of JSON or all of them as CSV. */
export async function listBook(
  deps: UserDeps,
  { caller, query }: RequestContext<KeyAccess, undefined, BookListing, undefined>,
): Promise<Answer> {
  const { sort } = query;
  const direction = query.order ?? NATURAL_DIRECTION[sort];
  const slice = {
    platformId: caller.platformId,
    livemode: caller.livemode,
    filters: query,
    sort,
    direction,
    after: bookPositionOf(query.cursor, sort, direction),
  };
  if (query.format === 'csv') return exportBook(deps, { ...slice, after: null });
  const rows = await readBook(deps.db, { ...slice, limit: query.limit + 1 });
  const page = pageOf(rows, query.limit, (row) => [sort, direction, sortValueOf(row, sort), row.subjectId]);
  return ok({ users: page.rows.map(entryOf), nextCursor: page.nextCursor });
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

function sortValueOf(row: BookRow, sort: BookSort): string | number | null {
  switch (sort) {
    case 'score':
      return row.finalScore;
    case 'lastActivity':
      return row.lastActivityAt?.toISOString() ?? null;
    case 'registered':
      return row.registeredAt.toISOString();
    case 'externalId':
      return row.externalId;
  }
}

function entryOf(row: BookRow) {
  return {
    externalId: row.externalId,
    finalScore: row.finalScore,
    scoreBand: row.scoreBand,
    confidence: row.confidence,
    verificationDepth: shareOf(row.verifiedEventCount, row.eventCount),
    eventCount: row.eventCount,
    verifiedEventCount: row.verifiedEventCount,
    lastActivityAt: row.lastActivityAt,
    subjectType: row.subjectType,
    scoreFrozen: row.scoreFrozen,
    registeredAt: row.registeredAt,
  };
}

type BookEntry = ReturnType<typeof entryOf>;

/** By keyset pages: a statement held open while a slow reader takes its time would hold up the embedded database. */
function exportBook({ db, config }: UserDeps, slice: Omit<BookSlice, 'limit'>): Answer {
  const maxRows = config.bookExportMaxRows;
  async function* pages(): AsyncGenerator<BookEntry[]> {
    for (let after = slice.after, isLast = false; !isLast; ) {
      const rows: BookRow[] = await readBook(db, { ...slice, after, limit: CSV_PAGE_ROWS });
      yield rows.map(entryOf);
      const last = rows.at(-1);
      if (last) after = { value: sortValueOf(last, slice.sort), subjectId: last.subjectId };
      isLast = rows.length < CSV_PAGE_ROWS;
    }
  }
  const headers = csvHeaders('users.csv', maxRows);
  return { status: 200, body: csvStream(COLUMNS, pages(), { maxRows }), headers };
}

const COLUMNS: readonly CsvColumn<BookEntry>[] = [
  { name: 'externalId', value: (entry) => entry.externalId },
  { name: 'finalScore', value: (entry) => entry.finalScore },
  { name: 'scoreBand', value: (entry) => entry.scoreBand },
  { name: 'confidence', value: (entry) => entry.confidence },
  { name: 'verificationDepth', value: (entry) => entry.verificationDepth },
  { name: 'eventCount', value: (entry) => entry.eventCount },
  { name: 'verifiedEventCount', value: (entry) => entry.verifiedEventCount },
  { name: 'lastActivityAt', value: (entry) => entry.lastActivityAt },
  { name: 'subjectType', value: (entry) => entry.subjectType },
  { name: 'scoreFrozen', value: (entry) => entry.scoreFrozen },
  { name: 'registeredAt', value: (entry) => entry.registeredAt },
];
