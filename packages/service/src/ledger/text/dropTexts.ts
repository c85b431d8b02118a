import { DAY_MS } from '#domain/timestamp.js';
import type { Database, Queryable, Tx } from '#kit/db/database.js';
import { rowsOf, sql } from '#kit/db/rows.js';
import { LOWEST_ID, lowestIdAt } from '#kit/ids.js';
import { type EventFactRow, factKinds, textHashOf } from '../log/facts.js';
import { inSlices, SLICE_ROWS, type Sweep } from '../sweep.js';
import { attesterHashOf, readPartySalt } from './eventText.js';

/**
 * Deletes the texts of these subjects, also what is left of those that were dropped by age. Call it
 * while their events exist. Afterwards nothing gives the `textHash` of their leaves: for a live
 * subject, erase the salts in the same transaction, or the audit reports the events as changed.
 */
export async function deleteTexts(tx: Tx, subjectIds: readonly string[]): Promise<void> {
  await tx.execute(deletionFrom('event_text'), [subjectIds]);
  await tx.execute(deletionFrom('event_text_hash'), [subjectIds]);
}

/** By way of the events: the tables' keys begin with the event. */
function deletionFrom(table: 'event_text' | 'event_text_hash'): string {
  return `delete from ${table} t using event e
    where e.subject_id = any($1::uuid[]) and t.subject_id = e.subject_id and t.event_id = e.event_id`;
}

/** A range of event ids: ids carry the time of recording. */
export interface TextRange {
  /** Exclusive. */
  afterId: string;
  /** Exclusive. */
  beforeId: string;
}

export interface DroppableText extends Pick<EventFactRow, 'metadata' | 'transactionValue' | 'attester'> {
  subjectId: string;
  eventId: string;
  salt: Buffer | null;
}

/**
 * Drops up to `limit` texts of a range, oldest first, and keeps the hash that the event's leaf
 * commits to. Texts of live events that are not in the log yet stay. Returns the number of dropped
 * texts and the last event looked at; null: the end of the range.
 */
export async function dropTexts(
  tx: Tx,
  range: TextRange,
  limit: number,
): Promise<{ dropped: number; lastId: string | null }> {
  const rows = await readDroppable(tx, range, limit);
  if (rows.length > 0) {
    const salt = await readPartySalt(tx);
    await replaceTexts(tx, rows, ({ attester }) =>
      attester === null ? null : attesterHashOf(salt, attester),
    );
  }
  return { dropped: rows.length, lastId: rows.length < limit ? null : (rows.at(-1)?.eventId ?? null) };
}

function readDroppable(
  db: Queryable,
  { afterId, beforeId }: TextRange,
  limit: number,
): Promise<DroppableText[]> {
  return db.query<DroppableText>(
    `select t.subject_id, t.event_id, t.metadata::text as metadata, t.transaction_value, t.attester, f.salt
     from event_text t join event e on e.subject_id = t.subject_id and e.event_id = t.event_id
     left join log_fact f on f.subject_id = e.subject_id and f.kind = ${factKinds.event} and f.ref = e.position
     where t.event_id > $1 and t.event_id < $2 and (not e.livemode or f.leaf_index is not null)
     order by t.event_id limit $3`,
    [afterId, beforeId, limit],
  );
}

export type HashOfAttester = (row: DroppableText) => Buffer | null;

/** Deletes texts, and keeps the hashes that the leaves of their events commit to. */
export async function replaceTexts(
  tx: Tx,
  rows: readonly DroppableText[],
  hashOf: HashOfAttester,
): Promise<void> {
  const remains = rowsOf<DroppableText>(
    { uuid: ['subjectId', 'eventId'] },
    { textHash: ['bytea', (row) => row.salt && textHashOf(row, row.salt)], attesterHash: ['bytea', hashOf] },
  );
  // Only what this statement deletes: an erasure may have been quicker.
  await sql`with remains as (
      select * from ${remains.as('row', rows)}
    ), dropped as (
      delete from event_text t using remains where t.event_id = remains.event_id and t.subject_id = remains.subject_id
      returning remains.*
    )
    insert into event_text_hash (${remains.columns}) select * from dropped`.execute(tx);
}

export function removeOldTexts(db: Database, days: number): Sweep {
  return (now, until) => {
    const range = { afterId: LOWEST_ID, beforeId: lowestIdAt(new Date(now.getTime() - days * DAY_MS)) };
    return inSlices(db, 'texts', until, async (tx) => {
      const { dropped, lastId } = await dropTexts(tx, range, SLICE_ROWS);
      // Behind the texts that have to wait for the log, each slice would look at them again.
      range.afterId = lastId ?? range.afterId;
      return { affected: dropped, isLast: lastId === null };
    });
  };
}
