import type { Queryable, Tx } from '../../kit/db/database.js';

/** What a queue row announces, as bits of `log_queue.kinds`. */
export const queuedKinds = { events: 1, snapshots: 2, others: 4, all: 7 } as const;

/**
 * Tells the sequencer that these subjects have new facts other than events and snapshots, whose
 * statements queue their subjects themselves. Omits test subjects: the log holds live facts only.
 */
export async function queueForLog(tx: Tx, subjectIds: readonly string[], now: Date): Promise<void> {
  await tx.execute(
    `insert into log_queue (subject_id, kinds, queued_at)
     select subject_id, ${queuedKinds.others}, $2::timestamptz from subject
     where subject_id = any($1::uuid[]) and livemode`,
    [subjectIds, now],
  );
}

export interface QueueRow {
  /** The place of the row; nothing updates rows, so it stays the same until the row is deleted. */
  ctid: string;
  subjectIds: string[];
  /** The last position or number of each; null: not known. */
  numbers: number[] | null;
  kinds: number;
}

/** The beginning of the queue, as a place. */
export const QUEUE_START = '(0,0)';

/** The subjects of a row, and how many they are. */
const SUBJECTS = 'coalesce(subject_ids, array[subject_id])';
const SIZE = 'coalesce(cardinality(subject_ids), 1)';

/**
 * Rows from a place on, of `limit` subjects at most if the first alone has no more. Deleted rows stay until the next vacuum:
 * reading each batch from the beginning would pass over all of them each time.
 */
export async function readQueue(
  tx: Tx,
  from: string,
  limit: number,
): Promise<{ rows: QueueRow[]; hasMore: boolean }> {
  const rows = await tx.query<QueueRow & { found: number }>(
    `select ctid, subject_ids, numbers, kinds, found from (
       select ctid::text as ctid, ${SUBJECTS} as subject_ids, numbers, kinds, count(*) over () as found,
         sum(${SIZE}) over (rows unbounded preceding) as total, row_number() over () as place
       from (
         select ctid, * from log_queue where ctid >= $1::tid limit $2
       ) next
     ) counted where total <= $2 or place = 1`,
    [from, limit],
  );
  const found = rows[0]?.found ?? 0;
  return { rows, hasMore: found === limit || rows.length < found };
}

/** Number of waiting subjects, of up to `max` rows, and since when the oldest of them waits. */
export async function queueState(db: Queryable, max: number): Promise<{ depth: number; since: Date | null }> {
  const [row] = await db.query<{ depth: number; since: Date | null }>(
    `select coalesce(sum(${SIZE}), 0) as depth, min(queued_at) as since
     from (select subject_ids, queued_at from log_queue limit $1) waiting`,
    [max],
  );
  return row ?? { depth: 0, since: null };
}

/** Takes these subjects out of the queue. Others that share a row with them stay. */
export async function dropQueued(db: Queryable, subjectIds: readonly string[]): Promise<void> {
  await db.execute(
    `with taken as (
       delete from log_queue where subject_id = any($1::uuid[]) or subject_ids && $1::uuid[]
       returning ${SUBJECTS} as subject_ids, kinds, queued_at
     )
     insert into log_queue (subject_id, kinds, queued_at)
     select id, kinds, queued_at from taken cross join lateral unnest(subject_ids) id where id <> all($1::uuid[])`,
    [subjectIds],
  );
}
