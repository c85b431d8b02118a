import { histogramOf, type ScoreCount } from '#domain/points.js';
import type { Database, Queryable, Tx } from '#kit/db/database.js';
import { platformIdsOf } from '#ledger/groups/platforms.js';
import type { Book } from '#ledger/reads/publishedScores.js';
import { inSlices, type Sweep } from '#ledger/sweep.js';

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

/** The books of this ledger group with a score that was published since they were counted. */
async function findChangedBooks(db: Queryable): Promise<Book[]> {
  return db.query<Book>(
    `select p.platform_id, livemode from unnest($1::uuid[]) as p (platform_id)
     cross join (values (true), (false)) as mode (livemode)
     left join book_histogram h using (platform_id, livemode)
     where exists (
       select from score_snapshot n where n.platform_id = p.platform_id and n.livemode = mode.livemode
         and n.computed_at > coalesce(h.counted_at, '-infinity')
     )
     order by platform_id, livemode`,
    [await platformIdsOf(db)],
  );
}

/** Whether a book has more scores than `limit`. Reads no more of an index. */
async function hasMoreScores(db: Queryable, { platformId, livemode }: Book, limit: number): Promise<boolean> {
  const [row] = await db.query<{ seen: number }>(
    `select count(*)::integer as seen from (
       select from score where platform_id = $1 and livemode = $2 limit $3
     ) as scored`,
    [platformId, livemode, limit + 1],
  );
  return (row?.seen ?? 0) > limit;
}

/** Counts a book and stores its histogram. */
async function saveHistogram(tx: Tx, { platformId, livemode }: Book, now: Date): Promise<void> {
  const points = await tx.query<ScoreCount>(
    `select floor(final_score)::integer as final_score, count(*)::integer as count from score
     where platform_id = $1 and livemode = $2 group by 1`,
    [platformId, livemode],
  );
  await tx.execute(
    `insert into book_histogram (platform_id, livemode, counts, counted_at) values ($1, $2, $3::integer[], $4)
     on conflict (platform_id, livemode) do update set counts = excluded.counts, counted_at = excluded.counted_at`,
    [platformId, livemode, histogramOf(points), now],
  );
}
