import type { Database, Queryable } from '../../../kit/db/database.js';
import type { PreviewedSlice, PreviewRow, PreviewSlice } from './previewStore.js';

/** Counts of all subjects of a platform and mode. */
export interface PreviewCounts {
  scored: number;
  past: number;
  crossed: number;
  crossings: number;
}

/** Checks the next subjects of a book. */
export type ReadSlice = (db: Queryable, slice: PreviewSlice) => Promise<PreviewedSlice>;

interface Walk {
  readSlice: ReadSlice;
  /** Only subjects with a greater external id. */
  after: string;
  /** Matches to find. */
  limit: number;
  /** Walks to the end, whatever the number of matches, and counts. */
  isCounting: boolean;
}

interface Walked {
  matches: PreviewRow[];
  /** Null unless `isCounting`. */
  counts: PreviewCounts | null;
  /** Start of the next page; null: there is none. */
  next: string | null;
}

/**
 * Slices are separate statements, so that others run between them: the embedded database has one
 * connection.
 */
const SLICE_SUBJECTS = 1000;
/**
 * A page ends after so many subjects for each match that it may have, even if it finds fewer. So a
 * small page is answered soon, however rare the condition is.
 */
const SUBJECTS_PER_MATCH = 200;
/** The same for the events that were replayed. */
const EVENTS_PER_MATCH = 5000;

/**
 * Walks through the subjects by external id until a page is full or its limit is reached, or to the
 * end when counting.
 */
export async function walkBook(
  db: Database,
  book: Omit<PreviewSlice, 'afterExternalId' | 'size'>,
  { readSlice, after, limit, isCounting }: Walk,
): Promise<Walked> {
  const matches: PreviewRow[] = [];
  const counts: PreviewCounts = { scored: 0, past: 0, crossed: 0, crossings: 0 };
  let events = 0;
  let last: string | null = after;
  // Most conditions fill a page with a few subjects.
  let size = isCounting ? SLICE_SUBJECTS : Math.min(SLICE_SUBJECTS, 2 * limit);
  while (last !== null) {
    const slice = await readSlice(db, { ...book, afterExternalId: last, size });
    size = Math.min(SLICE_SUBJECTS, 2 * size);
    last = slice.lastExternalId;
    matches.push(...slice.matches.slice(0, limit + 1 - matches.length));
    addTo(counts, slice.checked, slice.matches);
    events += slice.events;
    const isEnough =
      matches.length > limit ||
      counts.scored >= SUBJECTS_PER_MATCH * limit ||
      events >= EVENTS_PER_MATCH * limit;
    if (isEnough && !isCounting) break;
  }
  const page = matches.slice(0, limit);
  const next = matches.length > limit ? (page.at(-1)?.externalId ?? null) : last;
  return { matches: page, counts: isCounting ? counts : null, next };
}

function addTo(counts: PreviewCounts, checked: number, matches: readonly PreviewRow[]): void {
  counts.scored += checked;
  for (const match of matches) {
    if (match.isPast) counts.past += 1;
    if (match.crossings > 0) counts.crossed += 1;
    counts.crossings += match.crossings;
  }
}
