import type { Queryable, Tx } from '#kit/db/database.js';
import { insertInto, rowsOf, sql } from '#kit/db/rows.js';
import type { PackedTallies } from '../recompute/packedTallies.js';

/** What other groups know about a member of a record: what its group's published score counts. */
export interface MemberState {
  subjectId: string;
  recordId: string;
  /** The position of its ledger up to which the tallies count. */
  position: number;
  verifiedEvents: number;
  lastActivityAt: Date | null;
  tallies: PackedTallies;
}

export interface RemoteMember extends MemberState {
  groupId: number;
  platformId: string;
  subjectType: 'PERSON' | 'AGENT' | 'ORGANIZATION';
  registeredAt: Date;
}

export function findRemoteMembers(db: Queryable, recordIds: readonly string[]): Promise<RemoteMember[]> {
  return db.query<RemoteMember>(
    `select subject_id, record_id, group_id, platform_id, subject_type, registered_at, position, verified_events,
       last_activity_at, tallies
     from remote_member where record_id = any($1::uuid[]) order by record_id, subject_id`,
    [recordIds],
  );
}

export function findRemoteGroups(
  db: Queryable,
  recordIds: readonly string[],
): Promise<{ recordId: string; groupId: number }[]> {
  return db.query(
    'select distinct record_id, group_id from remote_member where record_id = any($1::uuid[]) order by group_id',
    [recordIds],
  );
}

const memberColumns = rowsOf<RemoteMember>({
  uuid: ['subjectId', 'recordId', 'platformId'],
  integer: ['groupId', 'position', 'verifiedEvents'],
  text: ['subjectType'],
  timestamptz: ['registeredAt', 'lastActivityAt'],
  json: ['tallies'],
});

export async function insertRemoteMembers(tx: Tx, members: readonly RemoteMember[]): Promise<void> {
  if (members.length > 0) await insertInto('remote_member', memberColumns, members).execute(tx);
}

/** Deletes what a group knows of the members of a record in other groups, and what waits for them. */
export async function deleteRemote(tx: Tx, recordId: string): Promise<void> {
  for (const table of ['remote_member', 'tally_outbox', 'record_freeze']) {
    await tx.execute(`delete from ${table} where record_id = $1`, [recordId]);
  }
}

export interface RecordFreeze {
  freezeNo: number;
  frozenAt: Date | null;
  endedAt: Date | null;
}

export const NEVER_FROZEN: RecordFreeze = { freezeNo: 0, frozenAt: null, endedAt: null };

export async function findRecordFreezes(
  db: Queryable,
  recordIds: readonly string[],
): Promise<Map<string, RecordFreeze>> {
  const rows = await db.query<RecordFreeze & { recordId: string }>(
    'select record_id, freeze_no, frozen_at, ended_at from record_freeze where record_id = any($1::uuid[])',
    [recordIds],
  );
  return new Map(rows.map(({ recordId, ...freeze }) => [recordId, freeze]));
}

/** Stores a state of a record, if none is newer. Lock the record first. */
export async function upsertRecordFreeze(tx: Tx, recordId: string, freeze: RecordFreeze): Promise<void> {
  await tx.execute(
    `insert into record_freeze as known (record_id, freeze_no, frozen_at, ended_at) values ($1, $2, $3, $4)
     on conflict (record_id) do update
     set freeze_no = excluded.freeze_no, frozen_at = excluded.frozen_at, ended_at = excluded.ended_at
     where known.freeze_no < excluded.freeze_no`,
    [recordId, freeze.freezeNo, freeze.frozenAt, freeze.endedAt],
  );
}

export interface OutboxRow extends MemberState, RecordFreeze {
  outboxId: number;
}

const stateColumns = rowsOf<MemberState & RecordFreeze>({
  uuid: ['subjectId', 'recordId'],
  integer: ['position', 'verifiedEvents', 'freezeNo'],
  timestamptz: ['lastActivityAt', 'frozenAt', 'endedAt'],
  json: ['tallies'],
});

/** Queues the state of members for the other groups. It replaces what still waits about them. */
export async function queueForOthers(tx: Tx, rows: readonly (MemberState & RecordFreeze)[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.execute('delete from tally_outbox where subject_id = any($1::uuid[])', [
    rows.map((row) => row.subjectId),
  ]);
  await insertInto('tally_outbox', stateColumns, rows).execute(tx);
}

export function findOutbox(db: Queryable, afterId: number, limit: number): Promise<OutboxRow[]> {
  return db.query<OutboxRow>(
    `select outbox_id, subject_id, record_id, position, verified_events, last_activity_at, tallies, freeze_no, frozen_at,
       ended_at
     from tally_outbox where outbox_id > $1 order by outbox_id limit $2`,
    [afterId, limit],
  );
}

export async function deleteOutbox(db: Queryable, outboxIds: readonly number[]): Promise<void> {
  await db.execute('delete from tally_outbox where outbox_id = any($1::bigint[])', [outboxIds]);
}

export async function hasRemoteMembers(db: Queryable): Promise<boolean> {
  return (await db.query('select 1 from remote_member limit 1')).length > 0;
}

/**
 * Takes the states of members over in another group, and queues the records that they change. A
 * state that is older than the known one changes nothing, nor does one of a record that the member
 * has left. Returns whether any record was queued.
 */
export async function takeStates(tx: Tx, rows: readonly OutboxRow[], now: Date): Promise<boolean> {
  const [row] = await sql`with sent as (
       select * from ${stateColumns.as('sent', rows)}
     ), moved as (
       update remote_member known
       set position = sent.position, verified_events = sent.verified_events, last_activity_at = sent.last_activity_at,
         tallies = sent.tallies
       from sent where known.subject_id = sent.subject_id and known.record_id = sent.record_id
         and known.position < sent.position
       returning known.record_id
     ), frozen as (
       insert into record_freeze as known (record_id, freeze_no, frozen_at, ended_at)
       select distinct on (record_id) record_id, freeze_no, frozen_at, ended_at from sent
       where freeze_no > 0 and exists (
         select from remote_member m where m.subject_id = sent.subject_id and m.record_id = sent.record_id
       )
       order by record_id, freeze_no desc
       on conflict (record_id) do update
       set freeze_no = excluded.freeze_no, frozen_at = excluded.frozen_at, ended_at = excluded.ended_at
       where known.freeze_no < excluded.freeze_no
       returning record_id
     ), queued as (
       insert into recompute_queue (record_id, enqueued_at)
       select record_id, ${now}::timestamptz from (
         select record_id from moved union select record_id from frozen
       ) as changed
       returning 1
     )
     select count(*)::integer as queued from queued`.query<{ queued: number }>(tx);
  return (row?.queued ?? 0) > 0;
}
