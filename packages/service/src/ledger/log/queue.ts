import type { Queryable, Tx } from '#kit/db/database.js';
import { type Fact, LOG_ITSELF } from './facts.js';

/** What a queue row announces, as bits of `log_queue.kinds`. */
export const queuedKinds = { events: 1, snapshots: 2, others: 4, all: 7 } as const;

/**
 * Tells the sequencer that these subjects have new facts other than events and snapshots, whose
 * statements queue their subjects themselves. Omits test subjects: the log holds live facts only.
 */
export async function queueForLog(tx: Tx, subjectIds: readonly string[], now: Date): Promise<void> {
  await tx.execute(
    `insert into log_queue (subject_ids, kinds, queued_at)
     select array_agg(subject_id), ${queuedKinds.others}, $2::timestamptz from subject
     where subject_id = any($1::uuid[]) and livemode having count(*) > 0`,
    [subjectIds, now],
  );
}

export interface QueueRow {
  /** The place of the row; nothing updates rows, so it stays the same until the row is deleted. */
  ctid: string;
  subjectIds: string[];
  kinds: number;
}

export const QUEUE_START = '(0,0)';

/**
 * Rows from a place on, of `limit` subjects at most if the first alone has no more. Deleted rows stay until the next vacuum:
 * reading each batch from the beginning would pass over all of them each time.
 */
export async function readQueue(tx: Tx, from: string, limit: number) {
  const rows = await tx.query<QueueRow & { found: number }>(
    `select ctid, subject_ids, kinds, found from (
       select ctid::text as ctid, subject_ids, kinds, count(*) over () as found,
         sum(cardinality(subject_ids)) over (rows unbounded preceding) as total, row_number() over () as place
       from (
         select ctid, * from log_queue where ctid >= $1::tid limit $2
       ) next
     ) counted where total <= $2 or place = 1`,
    [from, limit],
  );
  const found = rows[0]?.found ?? 0;
  return { rows, hasMore: found === limit || rows.length < found };
}

/** Takes these subjects out of the queue. Others that share a row with them stay. */
export async function dropQueued(db: Queryable, subjectIds: readonly string[]): Promise<void> {
  await db.execute(
    `with taken as (delete from log_queue where subject_ids && $1::uuid[] returning *)
     insert into log_queue (subject_ids, kinds, queued_at)
     select array(select unnest(subject_ids) except select unnest($1::uuid[])), kinds, queued_at from taken
     where not subject_ids <@ $1::uuid[]`,
    [subjectIds],
  );
}

/** Notes are numbered one after another. */
export async function lockNotes(tx: Tx): Promise<void> {
  await tx.execute('select 1 from log_state for update');
}

/** Writes a fact about the log itself, which becomes a leaf like any other. */
export async function insertNote(tx: Tx, fact: Fact, now: Date): Promise<void> {
  await lockNotes(tx);
  await tx.execute(
    `with noted as (insert into log_note (number, fact) select coalesce(max(number), 0) + 1, $1::json from log_note)
     insert into log_queue (subject_ids, kinds, queued_at) values (array['${LOG_ITSELF}'::uuid], ${queuedKinds.others}, $2)`,
    [{ ...fact, at: now.toISOString() }, now],
  );
}
