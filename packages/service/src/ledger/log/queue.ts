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
  subjectId: string;
  kinds: number;
}

/** The beginning of the queue, as a place. */
export const QUEUE_START = '(0,0)';

/**
 * Rows from a place on. Deleted rows stay until the next vacuum: reading each batch from the
 * beginning would pass over all of them each time.
 */
export function readQueue(tx: Tx, from: string, limit: number): Promise<QueueRow[]> {
  return tx.query<QueueRow>(
    'select ctid::text as ctid, subject_id, kinds from log_queue where ctid >= $1::tid limit $2',
    [from, limit],
  );
}

/** Number of waiting rows, up to `max`, and since when the oldest of them waits. */
export async function queueState(db: Queryable, max: number): Promise<{ depth: number; since: Date | null }> {
  const [row] = await db.query<{ depth: number; since: Date | null }>(
    `select count(*) as depth, min(queued_at) as since
     from (select queued_at from log_queue limit $1) waiting`,
    [max],
  );
  return row ?? { depth: 0, since: null };
}

export async function dropQueued(db: Queryable, subjectIds: readonly string[]): Promise<void> {
  await db.execute('delete from log_queue where subject_id = any($1::uuid[])', [subjectIds]);
}
