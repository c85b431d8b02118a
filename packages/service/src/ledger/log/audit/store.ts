import { DAY_MS } from '../../../domain/timestamp.js';
import type { Queryable } from '../../../kit/db/database.js';
import { remainsOf, textOf } from '../../text/eventText.js';
import { LOGGED_EVENT_COLUMNS, SNAPSHOT_FACT_COLUMNS } from '../factStore.js';
import type { EventFactRow, SnapshotFactRow } from '../facts.js';
import { factKinds } from '../kinds.js';

/** Subjects by id: after the first (null: from the lowest id on) and up to the second. */
export interface SubjectRange {
  afterId: string | null;
  upToId: string;
}

/** A fact and its leaf. One of the two may be missing. */
export interface PairedLeaf {
  subjectId: string;
  /** The row that the fact is made of exists. */
  isStored: boolean;
  leafIndex: number | null;
  salt: Buffer | null;
  d: Buffer | null;
}

export interface EventPair extends EventFactRow, PairedLeaf {
  ref: number;
  /** Of the event before. */
  previous: Buffer | null;
}

/** Events of a range with their leaves, in the order of subject and position, a window of positions at a time. */
export function readEventPairs(
  db: Queryable,
  { afterId, upToId }: SubjectRange,
  afterPosition: number,
  positions: number,
): Promise<EventPair[]> {
  return db.query<EventPair>(
    `select ${LOGGED_EVENT_COLUMNS}, coalesce(e.subject_id, f.subject_id) as subject_id, coalesce(e.position, f.ref) as ref,
       e.event_id is not null as is_stored, f.leaf_index, f.salt, f.d,
       case when coalesce(e.position, f.ref) = $3::integer + 1 then (
         select p.d from log_fact p where p.subject_id = e.subject_id and p.kind = ${factKinds.event} and p.ref = $3
       ) end as previous
     from (
       select * from event where livemode and subject_id > $1 and subject_id <= $2 and position > $3 and position <= $3::integer + $4
     ) e
     full join (
       select * from log_fact where kind = ${factKinds.event} and subject_id > $1 and subject_id <= $2 and ref > $3
         and ref <= $3::integer + $4
     ) f on f.subject_id = e.subject_id and f.ref = e.position
     ${textOf('e')} ${remainsOf('e')}
     order by coalesce(e.subject_id, f.subject_id), coalesce(e.position, f.ref)`,
    [afterId, upToId, afterPosition, positions],
  );
}

/** The highest position that the log knows in a range: the ledger may have lost its tail. */
export async function readMaxPosition(db: Queryable, { afterId, upToId }: SubjectRange): Promise<number> {
  const [row] = await db.query<{ position: number }>(
    `select coalesce(max(ref), 0) as position from log_fact
     where kind = ${factKinds.event} and subject_id > $1 and subject_id <= $2`,
    [afterId, upToId],
  );
  return row?.position ?? 0;
}

export interface SnapshotPair extends SnapshotFactRow, PairedLeaf {
  ref: number;
  head: Buffer | null;
}

export function readSnapshotPairs(
  db: Queryable,
  { upToId }: SubjectRange,
  after: { subjectId: string; ref: number },
  limit: number,
): Promise<SnapshotPair[]> {
  return db.query<SnapshotPair>(
    `select ${SNAPSHOT_FACT_COLUMNS}, coalesce(n.subject_id, f.subject_id) as subject_id, coalesce(n.snapshot_no, f.ref) as ref,
       n.subject_id is not null as is_stored, f.leaf_index, f.salt, f.d, h.d as head
     from (
       select * from score_snapshot where livemode and subject_id >= $1 and subject_id <= $2
         and (subject_id, snapshot_no) > ($1::uuid, $3::bigint)
     ) n
     full join (
       select * from log_fact where kind = ${factKinds.snapshot} and subject_id >= $1 and subject_id <= $2
         and (subject_id, ref) > ($1::uuid, $3::bigint)
     ) f on f.subject_id = n.subject_id and f.ref = n.snapshot_no
     left join log_fact h on h.subject_id = n.subject_id and h.kind = ${factKinds.event}
       and h.ref = (n.positions ->> n.subject_id::text)::bigint
     order by coalesce(n.subject_id, f.subject_id), coalesce(n.snapshot_no, f.ref) limit $4`,
    [after.subjectId, upToId, after.ref, limit],
  );
}

interface OtherLeaf {
  subjectId: string;
  kind: number;
  ref: number;
  leafIndex: number;
  salt: Buffer | null;
  d: Buffer;
}

export function readOtherLeaves(db: Queryable, { afterId, upToId }: SubjectRange): Promise<OtherLeaf[]> {
  return db.query<OtherLeaf>(
    `select subject_id, kind, ref, leaf_index, salt, d from log_fact
     where ($1::uuid is null or subject_id > $1) and subject_id <= $2 and kind > ${factKinds.snapshot}`,
    [afterId, upToId],
  );
}

/** Subjects of a range that wait in the queue. Null: the first walk is under way, and any subject may wait. */
export async function readQueued(
  db: Queryable,
  { afterId, upToId }: SubjectRange,
): Promise<Set<string> | null> {
  const [state] = await db.query<{ isLedgerQueued: boolean }>('select is_ledger_queued from log_state');
  if (!state?.isLedgerQueued) return null;
  const rows = await db.query<{ subjectId: string }>(
    `select distinct subject_id from log_queue where ($1::uuid is null or subject_id > $1) and subject_id <= $2`,
    [afterId, upToId],
  );
  return new Set(rows.map(({ subjectId }) => subjectId));
}

/** Retention thins decay snapshots after so long (RULES O3). */
const THINNED_AFTER_DAYS = 30;

/** Whether a leaf is old enough for its snapshot to have been thinned, by the time of its first checkpoint. */
export async function isBeforeThinning(db: Queryable, leafIndex: number, now: Date): Promise<boolean> {
  const [row] = await db.query<{ signedAt: Date }>(
    'select signed_at from log_checkpoint where tree_size > $1 order by tree_size limit 1',
    [leafIndex],
  );
  return row !== undefined && row.signedAt.getTime() < now.getTime() - THINNED_AFTER_DAYS * DAY_MS;
}
