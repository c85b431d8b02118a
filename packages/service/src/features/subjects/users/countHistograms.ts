import type { Database } from '../../../kit/db/database.js';
import { inSlices, type Sweep } from '../../../ledger/sweep.js';
import { findChangedBooks, hasMoreScores, saveHistogram } from './histogramStore.js';

/** Published scores commit within this time of their stamp. Books that changed in it are counted again. */
const SETTLED_MS = 60_000;

/**
 * Counts the books that are too large to be counted by a read (RULES Q4). Returns the number of
 * books.
 */
export function countHistograms(db: Database, bookSummaryMax: number): Sweep {
  return async (now, until) => {
    const countedAt = new Date(now.getTime() - SETTLED_MS);
    let affected = 0;
    for (const book of await findChangedBooks(db)) {
      if (until.aborted) break;
      if (!(await hasMoreScores(db, book, bookSummaryMax))) continue;
      affected += await inSlices(db, `histogram of ${book.platformId}`, until, async (tx) => {
        await saveHistogram(tx, book, countedAt);
        return { affected: 1, isLast: true };
      });
    }
    return affected;
  };
}
