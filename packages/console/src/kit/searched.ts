import type { Pages } from './Query.tsx';

/** A search looks through this many rows at most: each page is a request. */
const MAX_SEARCHED = 3000;

/**
 * The rows with every word of a search, in any case. The table asks for more pages until it is full.
 * @param shownOf a row as stored, and in the words that are shown
 */
export function searched<Row>(
  pages: Pages<Row>,
  wanted: string,
  shownOf: (row: Row) => readonly unknown[],
): Pages<Row> {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return pages;
  const rows = pages.rows.filter((row) => {
    const text = JSON.stringify(shownOf(row)).toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return { ...pages, rows, hasMore: pages.hasMore && pages.rows.length < MAX_SEARCHED };
}
