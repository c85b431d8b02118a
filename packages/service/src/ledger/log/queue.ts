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

/** A queue row, with where the subject is in the log and in the ledger. */
export interface QueuedSubject {
  /** The place of the row; nothing updates rows, so it stays the same until the row is deleted. */
  ctid: string;
  subjectId: string;
  kinds: number;
  eventPosition: number;
  eventId: string | null;
  head: Buffer | null;
  snapshotNo: number;
  /** Length of the subject's ledger; 0 for the log itself. */
  eventCount: number;
}

export function readQueue(tx: Tx, limit: number): Promise<QueuedSubject[]> {
  return tx.query<QueuedSubject>(
    `select q.ctid::text as ctid, q.subject_id, q.kinds, coalesce(l.event_position, 0) as event_position, l.event_id, l.head,
       coalesce(l.snapshot_no, 0) as snapshot_no, coalesce(s.event_count, 0) as event_count
     from (select ctid, subject_id, kinds from log_queue limit $1) q
     left join log_subject l using (subject_id) left join subject s using (subject_id)`,
    [limit],
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
