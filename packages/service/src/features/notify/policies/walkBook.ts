import type { Database } from '../../../kit/db/database.js';
import { type PreviewRow, type PreviewSlice, previewSlice } from './previewStore.js';

/** Of a whole book. */
export interface PreviewCounts {
  scored: number;
  past: number;
  crossed: number;
  crossings: number;
}

interface Walk {
  /** Only subjects behind this external id. */
  after: string;
  /** Matches wanted. */
  limit: number;
  /** Walk to the end, however many matches there are, and count them. */
  isCounting: boolean;
}

interface Walked {
  matches: PreviewRow[];
  /** Null where nobody wanted to know. */
  counts: PreviewCounts | null;
  /** Where the next page begins; null: there is none. */
  next: string | null;
}

/** Each slice is a statement of its own, so that others get their turn in between: the embedded database has one connection. */
const SLICE_SUBJECTS = 1000;
/** A page looks at no more than this, even if it finds less than it was asked for. */
const PAGE_SUBJECTS = 20_000;

/** Goes through a book by external id until it has found enough, has looked far enough, or, when it counts, to the end. */
export async function walkBook(
  db: Database,
  book: Omit<PreviewSlice, 'afterExternalId' | 'size'>,
  { after, limit, isCounting }: Walk,
): Promise<Walked> {
  const matches: PreviewRow[] = [];
  const counts: PreviewCounts = { scored: 0, past: 0, crossed: 0, crossings: 0 };
  let last: string | null = after;
  while (last !== null) {
    const slice = await previewSlice(db, { ...book, afterExternalId: last, size: SLICE_SUBJECTS });
    last = slice.lastExternalId;
    matches.push(...slice.matches.slice(0, limit + 1 - matches.length));
    addTo(counts, slice.looked, slice.matches);
    const isEnough = matches.length > limit || counts.scored >= PAGE_SUBJECTS;
    if (isEnough && !isCounting) break;
  }
  const page = matches.slice(0, limit);
  const next = matches.length > limit ? (page.at(-1)?.externalId ?? null) : last;
  return { matches: page, counts: isCounting ? counts : null, next };
}

function addTo(counts: PreviewCounts, looked: number, matches: readonly PreviewRow[]): void {
  counts.scored += looked;
  for (const match of matches) {
    if (match.isPast) counts.past += 1;
    if (match.crossings > 0) counts.crossed += 1;
    counts.crossings += match.crossings;
  }
}
