import type { Queryable } from '../../kit/db/database.js';

/** A platform in one mode. */
export interface Book {
  readonly platformId: string;
  readonly livemode: boolean;
}

export interface KeptHistogram {
  /** Subjects by whole points, from 0 to 100. */
  readonly counts: readonly number[];
  readonly countedAt: Date;
}

/** The histogram as the sweep last counted it. */
export async function findHistogram(
  db: Queryable,
  { platformId, livemode }: Book,
): Promise<KeptHistogram | null> {
  const [row] = await db.query<KeptHistogram>(
    'select counts, counted_at from book_histogram where platform_id = $1 and livemode = $2',
    [platformId, livemode],
  );
  return row ?? null;
}
