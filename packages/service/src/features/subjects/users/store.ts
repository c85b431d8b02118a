import type { ScoreCount } from '../../../domain/points.js';
import type { Queryable } from '../../../kit/db/database.js';
import {
  type BookSegment,
  type BookSlice,
  bookPage,
  bookScores,
  bookSize,
  narrowedRowsEstimate,
  type Statement,
} from './bookStore.js';
import type { BookEntry } from './schemas.js';

export type BookRow = Omit<BookEntry, 'verificationDepth'> & { subjectId: string };

// Composed from the filters, so there are thousands of texts: planned for their values, never
// prepared.
const composed = { isUncached: true };

/** The subjects of a slice, in its order. */
export async function readBook(db: Queryable, slice: BookSlice): Promise<BookRow[]> {
  const { text, values } = await choosePage(db, slice);
  return db.query<BookRow>(text, values, composed);
}

/** The fastest statement for a page of this slice. */
export async function choosePage(db: Queryable, slice: BookSlice): Promise<Statement> {
  return bookPage(slice, (await isNarrowed(db, slice)) ? 'sort' : 'walk');
}

/**
 * Sorting this many rows takes about 10 ms. A walk that looks for few rows among many could take
 * ten times as long.
 */
const MAX_SORTED_ROWS = 80_000;

/** An estimate. Either plan returns the same rows. */
async function isNarrowed(db: Queryable, slice: BookSlice): Promise<boolean> {
  const estimate = narrowedRowsEstimate(slice);
  if (!estimate) return false;
  const [explained] = await db.query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    estimate.text,
    estimate.values,
    composed,
  );
  return (explained?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? MAX_SORTED_ROWS) < MAX_SORTED_ROWS;
}

/** How many subjects pass the filters. */
export interface BookSize {
  scored: number;
  unscored: number;
}

/** Exact: index-only scans. */
export async function countBook(db: Queryable, segment: BookSegment): Promise<BookSize> {
  const { text, values } = bookSize(segment);
  const [size] = await db.query<BookSize>(text, values, composed);
  return size ?? { scored: 0, unscored: 0 };
}

/** At most 10 001 rows, one for each score that occurs, ordered by score. */
export function readScoreCounts(db: Queryable, segment: BookSegment): Promise<ScoreCount[]> {
  const { text, values } = bookScores(segment);
  return db.query(text, values, composed);
}
