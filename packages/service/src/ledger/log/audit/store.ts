import { LATE_AFTER_MS } from '@reliability/proof';
import { DAY_MS } from '#domain/timestamp.js';
import type { Queryable } from '#kit/db/database.js';
import type { Audit, SubjectRange } from '../../audit/report.js';
import { DECAY_SNAPSHOT_DAYS } from '../../sweep.js';
import { remainsOf, textOf } from '../../text/eventText.js';
import { LOGGED_EVENT_COLUMNS, SNAPSHOT_FACT_COLUMNS } from '../factStore.js';
import { type EventFactRow, factKinds, type SnapshotFactRow } from '../facts.js';

/**
 * SQL for the canonical JSON of facts as facts.ts makes them. The audit lets the database hash it, and
 * makes a fact again in this process only where the commitment differs: no other text gives the same
 * commitment, so a form that these texts do not know costs time and nothing else. Without them the audit
 * is half as fast (docs/benchmarks/tried.md).
 */

const quoted = (text: string) => `coalesce('"' || ${text} || '"', 'null')`;
/** Null for infinity, of which to_char makes null: it must not pass for a date that is missing. */
const moment = (time: string) =>
  `case when ${time} is null then 'null' when isfinite(${time})
     then to_char(${time} at time zone 'UTC', '"\\""YYYY-MM-DD"T"HH24:MI:SS.MS"Z\\""') end`;
const base64 = (bytes: string) => quoted(`encode(${bytes}, 'base64')`);
const plain = (number: string) => `trim_scale(${number})::text`;

function jsonOf(fields: readonly (readonly [name: string, text: string])[]): string {
  const texts = fields.map(([name, text], index) => `'${index === 0 ? '{' : ','}"${name}":' || ${text}`);
  return `${texts.join(' || ')} || '}'`;
}

/**
 * Metadata with its outer names in order. The service stores no white space, so most metadata is then
 * canonical; what is nested may not be.
 */
const metadata = `case json_typeof(t.metadata) when 'object' then coalesce(
    (select '{' || string_agg(to_json(m.key) || ':' || m.value, ',' order by m.key collate "C") || '}' from json_each(t.metadata) m),
    '{}'
  ) else t.metadata::text end`;

/** Of the text of an event `t`. */
const freeText = `'{' || concat_ws(',', '"attester":' || to_json(t.attester), '"metadata":' || ${metadata},
  '"transactionValue":' || ${plain('t.transaction_value')}) || '}'`;

/** Of the text of an event under the salt of `log_fact f`, or what is left of it as `r`. */
const textHash = `case when num_nulls(t.metadata, t.transaction_value, t.attester) = 3 then ${base64('r.text_hash')}
  else ${base64(`sha256(f.salt || convert_to(${freeText}, 'UTF8'))`)} end`;

/** Of `event e` and its leaf `f`. */
const eventText = jsonOf([
  ['at', moment('e.created_at')],
  ['closes', quoted('e.closes_event_id::text')],
  ['completeUntil', moment('f.complete_until')],
  ['completedAt', moment('e.completed_at')],
  ['dueDate', moment('e.due_date')],
  ['eventId', quoted('e.event_id::text')],
  ['eventType', quoted('e.event_type')],
  ['isVerified', 'e.is_verified::text'],
  ['kind', `'"event"'`],
  ['platformId', quoted('e.platform_id::text')],
  ['platformTier', quoted('e.platform_tier')],
  ['position', 'e.position::text'],
  ['previous', base64('f.previous')],
  ['stakeLevel', quoted('e.stake_level')],
  ['subject', quoted('e.subject_id::text')],
  ['textHash', textHash],
]);

/** Of the subjects that `score_snapshot n` counts. Without those in other ledger groups, so these are not certain. */
const members = `(
  select '[' || string_agg('{"chain":' || ${base64('counted.chain')} || ',"position":' || position || '}', ','
    order by encode(counted.chain, 'base64') collate "C", position::integer) || ']'
  from json_each_text(n.positions) as of_member (member_id, position) cross join lateral (
    select case position when '0' then decode(repeat('00', 32), 'hex') else (
      select h.chain from log_fact h
      where h.subject_id = member_id::uuid and h.kind = ${factKinds.event} and h.ref = position::integer
    ) end as chain
  ) counted
)`;

/** Of `score_snapshot n`. */
const snapshotText = jsonOf([
  ['asOf', quoted(`to_char(date '1970-01-01' + n.as_of, 'YYYY-MM-DD')`)],
  ['at', moment('n.computed_at')],
  ['confidence', plain('n.confidence')],
  ['finalScore', plain('n.final_score')],
  ['formulaVersion', quoted('n.formula_version')],
  ['kind', `'"snapshot"'`],
  ['members', members],
  ['scoreBand', quoted('n.score_band')],
  ['subject', quoted('n.subject_id::text')],
]);

/** Whether the commitment of `log_fact f` is to this text. Null or false: not certain. */
const isCommitted = (text: string) => `sha256(f.salt || convert_to(${text}, 'UTF8')) = f.d`;

export interface LogAuditSummary {
  leaves: number;
  checkpoints: number;
  /** Facts that were compared with their rows. */
  facts: number;
  /** Leaves of snapshots that retention has thinned. */
  thinned: number;
  /** Leaves whose salt was erased. */
  erased: number;
  /** Facts that wait for the log. */
  waiting: number;
  differences: number;
}

export type LogAudit = Audit<LogAuditSummary>;

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
  /** Commitment, as base64, and chain of the event before. */
  previous: string | null;
  previousChain: Buffer | null;
  chain: Buffer | null;
  completeUntil: Date | null;
}

export interface SnapshotPair extends SnapshotFactRow, PairedLeaf {
  ref: number;
}

/** Facts of one kind, and the rows that they are made of. */
interface PairedKind {
  kind: number;
  table: string;
  row: 'e' | 'n';
  /** Of the row: the number of the fact within its subject. */
  number: string;
  /** Of a row and its leaf `f`. */
  columns: string;
  /** Of the leaf. */
  leafColumns: string;
  joins: string;
  isConfirmed: string;
}

/** An event is confirmed as its leaf commits to it, in time and in its chain. */
export const EVENTS: PairedKind = {
  kind: factKinds.event,
  table: 'event',
  row: 'e',
  number: 'position',
  columns: `${LOGGED_EVENT_COLUMNS}, encode(f.previous, 'base64') as previous, f.previous_chain, f.chain, f.complete_until`,
  leafColumns: `, ${ofEventBefore('d')} as previous, ${ofEventBefore('chain')} as previous_chain`,
  joins: `${textOf('e')} ${remainsOf('e')}`,
  isConfirmed: `${isCommitted(eventText)}
    and f.complete_until - e.created_at <= interval '${LATE_AFTER_MS} milliseconds'
    and f.chain = sha256(coalesce(f.previous_chain, decode(repeat('00', 32), 'hex')) || f.d)`,
};

export const SNAPSHOTS: PairedKind = {
  kind: factKinds.snapshot,
  table: 'score_snapshot',
  row: 'n',
  number: 'snapshot_no',
  columns: SNAPSHOT_FACT_COLUMNS,
  leafColumns: '',
  joins: '',
  isConfirmed: isCommitted(snapshotText),
};

/** In the window of leaves from the position $3 on. */
function ofEventBefore(column: string): string {
  return `case ref when $3::integer + 1 then (
      select p.${column} from log_fact p where p.subject_id = leaf.subject_id and p.kind = ${factKinds.event} and p.ref = $3
    ) else case lag(ref) over ledger when ref - 1 then lag(${column}) over ledger end end`;
}

/** What is read of a range at once: the facts whose numbers are after this one, and so many numbers. */
export interface Window {
  after: number;
  size: number;
}

/**
 * Facts with their leaves: how many the database found to be what their leaves hold, and all others, `open`.
 * @param isHashed false: the database confirms none, for rows of which it can make no fact.
 */
export async function readPairs<Pair extends PairedLeaf>(
  db: Queryable,
  { kind, table, row, number, columns, leafColumns, joins, isConfirmed }: PairedKind,
  { afterId, upToId }: SubjectRange,
  { after, size }: Window,
  isHashed: boolean,
) {
  const within = (column: string) =>
    `subject_id > $1 and subject_id <= $2 and ${column} > $3 and ${column} <= $3::integer + $4`;
  // Without an open pair there is one row, for the count.
  const rows = await db.query<Pair & { pairedId: string | null; confirmed: number }>(
    `with pair as materialized (
       select ${columns}, coalesce(${row}.subject_id, f.subject_id) as paired_id, coalesce(${row}.${number}, f.ref) as ref,
         ${row}.subject_id is not null as is_stored, f.leaf_index, f.salt, f.d, ${isHashed ? isConfirmed : 'false'} as is_confirmed
       from (select * from ${table} where livemode and ${within(number)}) ${row}
       full join (
         select *${leafColumns} from log_fact leaf where kind = ${kind} and ${within('ref')}
         window ledger as (partition by subject_id order by ref)
       ) f on f.subject_id = ${row}.subject_id and f.ref = ${row}.${number} ${joins}
     )
     select pair.*, counted.* from (select count(*) filter (where is_confirmed) as confirmed from pair) counted
     left join pair on pair.is_confirmed is not true order by paired_id, ref`,
    [afterId, upToId, after, size],
  );
  const open = rows.flatMap((pair) =>
    pair.pairedId === null ? [] : [{ ...pair, subjectId: pair.pairedId }],
  );
  return { confirmed: rows[0]?.confirmed ?? 0, open };
}

/** The highest numbers in a range: the log may know a tail that the tables have lost. */
export async function readLastNumbers(db: Queryable, { afterId, upToId }: SubjectRange) {
  const [row] = await db.query<{ position: number; snapshotNo: number }>(
    `select coalesce(max(ref) filter (where kind = ${factKinds.event}), 0) as position, greatest(
       coalesce(max(ref) filter (where kind = ${factKinds.snapshot}), 0),
       (select max(snapshot_no) from score_snapshot where livemode and subject_id > $1 and subject_id <= $2)
     ) as snapshot_no
     from log_fact where subject_id > $1 and subject_id <= $2`,
    [afterId, upToId],
  );
  return row ?? { position: 0, snapshotNo: 0 };
}

type OtherLeaf = Omit<PairedLeaf, 'isStored'> & { kind: number; ref: number };

export function readOtherLeaves(db: Queryable, { afterId, upToId }: SubjectRange): Promise<OtherLeaf[]> {
  return db.query<OtherLeaf>(
    `select subject_id, kind, ref, leaf_index, salt, d from log_fact
     where ($1::uuid is null or subject_id > $1) and subject_id <= $2 and kind > ${factKinds.snapshot}`,
    [afterId, upToId],
  );
}

export async function readQueued(db: Queryable, { afterId, upToId }: SubjectRange): Promise<Set<string>> {
  const rows = await db.query<{ subjectId: string }>(
    `select distinct id as subject_id from log_queue cross join lateral unnest(subject_ids) id
     where ($1::uuid is null or id > $1) and id <= $2`,
    [afterId, upToId],
  );
  return new Set(rows.map(({ subjectId }) => subjectId));
}

/**
 * Subjects of a range with an erasure on record, with the number of their events by it, and that of their
 * event leaves: only these may lack a salt.
 */
export async function readErased(db: Queryable, { afterId, upToId }: SubjectRange) {
  const rows = await db.query<{ subjectId: string; events: number; leaves: number }>(
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
