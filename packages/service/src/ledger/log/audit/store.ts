import { LATE_AFTER_MS } from '@reliability/proof';
import { DAY_MS } from '../../../domain/timestamp.js';
import type { Queryable } from '../../../kit/db/database.js';
import { DECAY_SNAPSHOT_DAYS } from '../../sweep.js';
import { remainsOf, textOf } from '../../text/eventText.js';
import { LOGGED_EVENT_COLUMNS, SNAPSHOT_FACT_COLUMNS } from '../factStore.js';
import type { EventFactRow, SnapshotFactRow } from '../facts.js';
import { factKinds } from '../kinds.js';
import { eventIsCommitted, snapshotIsCommitted } from './factTexts.js';

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
  /** Commitment and chain of the event before. */
  previous: Buffer | null;
  previousChain: Buffer | null;
  chain: Buffer | null;
  completeUntil: Date | null;
}

/** Facts with their leaves, of which the database found some to be what their leaves hold. */
export interface Page<Pair> {
  /** How many the database found to be. */
  confirmed: number;
  /** All others, in the order of subject and number. */
  open: Pair[];
}

/** As its leaf commits to it, in time and in its chain. */
const EVENT_IS_CONFIRMED = `${eventIsCommitted('f.previous')}
  and f.complete_until - e.created_at <= interval '${LATE_AFTER_MS} milliseconds'
  and f.chain = sha256(coalesce(f.previous_chain, decode(repeat('00', 32), 'hex')) || f.d)`;

/**
 * Events of a range, a window of positions at a time.
 * @param isHashed false: the database confirms none, for rows of which it can make no fact.
 */
export async function readEventPairs(
  db: Queryable,
  { afterId, upToId }: SubjectRange,
  afterPosition: number,
  positions: number,
  isHashed = true,
): Promise<Page<EventPair>> {
  const rows = await db.query<EventPair & Counted>(
    `with pair as materialized (
       select ${LOGGED_EVENT_COLUMNS}, coalesce(e.subject_id, f.subject_id) as paired_id, coalesce(e.position, f.ref) as ref,
         e.event_id is not null as is_stored, f.leaf_index, f.salt, f.d, f.previous, f.previous_chain, f.chain, f.complete_until,
         ${isHashed ? EVENT_IS_CONFIRMED : 'false'} as is_confirmed
       from (
         select * from event
         where livemode and subject_id > $1 and subject_id <= $2 and position > $3 and position <= $3::integer + $4
       ) e
       full join (
         select *, ${ofEventBefore('d')} as previous, ${ofEventBefore('chain')} as previous_chain from log_fact leaf
         where kind = ${factKinds.event} and subject_id > $1 and subject_id <= $2 and ref > $3 and ref <= $3::integer + $4
         window ledger as (partition by subject_id order by ref)
       ) f on f.subject_id = e.subject_id and f.ref = e.position
       ${textOf('e')} ${remainsOf('e')}
     ) ${openPairs('ref')}`,
    [afterId, upToId, afterPosition, positions],
  );
  return pageOf(rows);
}

/** In the window `ledger` of leaves from the position $3 on. */
function ofEventBefore(column: string): string {
  return `case ref when $3::integer + 1 then (
      select p.${column} from log_fact p where p.subject_id = leaf.subject_id and p.kind = ${factKinds.event} and p.ref = $3
    ) else case lag(ref) over ledger when ref - 1 then lag(${column}) over ledger end end`;
}

/** All pairs that are not confirmed, each with the number of those that are; without any, one row. */
function openPairs(order: string): string {
  return `select pair.*, counted.* from (select count(*) filter (where is_confirmed) as confirmed from pair) counted
     left join pair on pair.is_confirmed is not true order by paired_id, ${order}`;
}

interface Counted {
  /** Null: the row is there for its count. */
  pairedId: string | null;
  confirmed: number;
}

function pageOf<Pair extends PairedLeaf>(rows: readonly (Pair & Counted)[]): Page<Pair> {
  const open = rows.flatMap((row) => (row.pairedId === null ? [] : [{ ...row, subjectId: row.pairedId }]));
  return { confirmed: rows[0]?.confirmed ?? 0, open };
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
}

/** The next snapshots of a range. `last`: where the next page begins; null: there is none. */
export async function readSnapshotPairs(
  db: Queryable,
  { upToId }: SubjectRange,
  after: { subjectId: string; ref: number },
  limit: number,
  isHashed = true,
): Promise<Page<SnapshotPair> & { last: { subjectId: string; ref: number } | null }> {
  const rows = await db.query<SnapshotPair & Counted & { seen: number; lastId: string; lastRef: number }>(
    `with pair as materialized (
     select ${SNAPSHOT_FACT_COLUMNS}, coalesce(n.subject_id, f.subject_id) as paired_id, coalesce(n.snapshot_no, f.ref) as ref,
       n.subject_id is not null as is_stored, f.leaf_index, f.salt, f.d,
       ${isHashed ? snapshotIsCommitted() : 'false'} as is_confirmed
     from (
       select * from score_snapshot where livemode and subject_id >= $1 and subject_id <= $2
         and (subject_id, snapshot_no) > ($1::uuid, $3::bigint)
     ) n
     full join (
       select * from log_fact where kind = ${factKinds.snapshot} and subject_id >= $1 and subject_id <= $2
         and (subject_id, ref) > ($1::uuid, $3::bigint)
     ) f on f.subject_id = n.subject_id and f.ref = n.snapshot_no
     order by coalesce(n.subject_id, f.subject_id), coalesce(n.snapshot_no, f.ref) limit $4
     ), last as (
       select paired_id as last_id, ref as last_ref from pair order by paired_id desc, ref desc limit 1
     )
     select pair.*, counted.*, last.* from (
       select count(*) filter (where is_confirmed) as confirmed, count(*) as seen from pair
     ) counted left join last on true left join pair on pair.is_confirmed is not true
     order by paired_id, ref`,
    [after.subjectId, upToId, after.ref, limit],
  );
  const [{ seen, lastId, lastRef } = { seen: 0, lastId: '', lastRef: 0 }] = rows;
  return { ...pageOf(rows), last: seen === limit ? { subjectId: lastId, ref: lastRef } : null };
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
    `select distinct id as subject_id from log_queue
     cross join lateral unnest(coalesce(subject_ids, array[subject_id])) id
     where ($1::uuid is null or id > $1) and id <= $2`,
    [afterId, upToId],
  );
  return new Set(rows.map(({ subjectId }) => subjectId));
}

/** Of an erased subject: the number of its events by its erasure, and that of its event leaves. */
export interface ErasedEvents {
  events: number;
  leaves: number;
}

/** Subjects of a range with an erasure on record: only their leaves may lack a salt. */
export async function readErased(
  db: Queryable,
  { afterId, upToId }: SubjectRange,
): Promise<ReadonlyMap<string, ErasedEvents>> {
  const rows = await db.query<ErasedEvents & { subjectId: string }>(
    `select subject_id, events, (
       select count(*) from log_fact f where f.subject_id = e.subject_id and f.kind = ${factKinds.event}
     ) as leaves
     from erasure e where livemode and ($1::uuid is null or subject_id > $1) and subject_id <= $2`,
    [afterId, upToId],
  );
  return new Map(rows.map((row) => [row.subjectId, row]));
}

/** Whether a leaf is old enough for its snapshot to have been thinned, by the time of its first checkpoint. */
export async function isBeforeThinning(db: Queryable, leafIndex: number, now: Date): Promise<boolean> {
  const [row] = await db.query<{ signedAt: Date }>(
    'select signed_at from log_checkpoint where tree_size > $1 order by tree_size limit 1',
    [leafIndex],
  );
  return row !== undefined && row.signedAt.getTime() < now.getTime() - DECAY_SNAPSHOT_DAYS * DAY_MS;
}
