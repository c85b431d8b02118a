import type { ScoreBand } from '@reliability/scoring';
import type { subjectTypes } from '../../../domain/catalogues/enums.js';
import type { ScoreCount } from '../../../domain/scoreSpread.js';
import type { Queryable } from '../../../kit/db/database.js';
import type { BookSegment, BookSlice } from './bookSlice.js';
import { bookPage, bookScores, bookSize, narrowedRowsEstimate, type Statement } from './bookStore.js';

export interface BookRow {
  subjectId: string;
  externalId: string;
  subjectType: (typeof subjectTypes)[number];
  registeredAt: Date;
  finalScore: number | null;
  scoreBand: ScoreBand | null;
  confidence: number | null;
  eventCount: number;
  verifiedEventCount: number;
  lastActivityAt: Date | null;
  scoreFrozen: boolean;
}

// Composed of what is asked for, so there are thousands of texts: planned for their values, never kept under a name.
const composed = { isPlannedAnew: true };

/** Subjects of one platform and mode that pass the filters, in order. */
export async function readBook(db: Queryable, slice: BookSlice): Promise<BookRow[]> {
  const { text, values } = await choosePage(db, slice);
  return db.query<BookRow>(text, values, composed);
}

/** The statement that reads a page of this slice of this book soonest. */
export async function choosePage(db: Queryable, slice: BookSlice): Promise<Statement> {
  return bookPage(slice, (await isNarrowed(db, slice)) ? 'gather' : 'walk');
}

/** So many rows are gathered and sorted in a hundredth of a second; a walk in search of few among many could take ten times that. */
const MAX_BATCHED = 80_000;

/** A guess of the planner. Either answer gives the same rows. */
async function isNarrowed(db: Queryable, slice: BookSlice): Promise<boolean> {
  const estimate = narrowedRowsEstimate(slice);
  if (!estimate) return false;
  const [explained] = await db.query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    estimate.text,
    estimate.values,
    composed,
  );
  return (explained?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? MAX_BATCHED) < MAX_BATCHED;
}

/** How many subjects pass the filters. */
export interface BookSize {
  scored: number;
  unscored: number;
}

/** Counted row by row, in indexes alone. */
export async function countBook(db: Queryable, segment: BookSegment): Promise<BookSize> {
  const { text, values } = bookSize(segment);
  const [size] = await db.query<BookSize>(text, values, composed);
  return size ?? { scored: 0, unscored: 0 };
}

/** At most ten thousand and one rows, one for each score that occurs, in the order of scores. */
export function readScoreCounts(db: Queryable, segment: BookSegment): Promise<ScoreCount[]> {
  const { text, values } = bookScores(segment);
  return db.query(text, values, composed);
}
