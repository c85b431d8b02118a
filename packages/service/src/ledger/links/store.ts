import type { Queryable, Tx } from '../../kit/db/database.js';
import { raw, rowsOf, sql } from '../../kit/db/rows.js';
import type { IdSource } from '../../kit/ids.js';
import { queueForLog } from '../log/queue.js';

/** A subject that is a member of a record. */
export interface Member {
  subjectId: string;
  recordId: string;
  platformId: string;
  livemode: boolean;
  subjectType: 'PERSON' | 'AGENT' | 'ORGANIZATION';
  eventCount: number;
  isFrozen: boolean;
}

/** The records of these subjects. Omits ids without a subject. */
export function findRecordIds(
  db: Queryable,
  subjectIds: readonly string[],
): Promise<{ subjectId: string; recordId: string }[]> {
  return db.query('select subject_id, record_id from subject where subject_id = any($1::uuid[])', [
    subjectIds,
  ]);
}

/** Takes the locks of recompute workers, and waits for workers that hold them. @param recordIds in order. */
export async function lockRecordIds(tx: Tx, recordIds: readonly string[]): Promise<void> {
  await tx.query(
    'select pg_advisory_xact_lock(hashtextextended(record_id::text, $2)) from unnest($1::uuid[]) as wanted (record_id)',
    [recordIds, tx.ledgers.own],
  );
}

/**
 * Locks the rows of all members, in the order of ids as appends do, and returns the members.
 * Appends to these subjects wait and then see the new record. Lock the records first
 * (lockRecord.ts).
 */
export async function lockMembers(tx: Tx, recordIds: readonly string[]): Promise<Member[]> {
  const rows = await tx.query<MemberRow>(
    `select subject_id, record_id, platform_id, livemode, subject_type, event_count
     from subject where record_id = any($1::uuid[]) order by subject_id for no key update`,
    [recordIds],
  );
  const frozen = await tx.query<{ subjectId: string }>(
    'select subject_id from score where subject_id = any($1::uuid[]) and frozen_at is not null',
    [rows.map((row) => row.subjectId)],
  );
  const frozenIds = new Set(frozen.map((row) => row.subjectId));
  return rows.map((row) => ({
    subjectId: row.subjectId,
    recordId: row.recordId,
    platformId: row.platformId,
    livemode: row.livemode,
    subjectType: row.subjectType,
    eventCount: row.eventCount,
    isFrozen: frozenIds.has(row.subjectId),
  }));
}

interface MemberRow {
  subjectId: string;
  recordId: string;
  platformId: string;
  livemode: boolean;
  subjectType: Member['subjectType'];
  eventCount: number;
}

/** Moves subjects and their scores to the given records. */
export async function moveSubjects(tx: Tx, moves: ReadonlyMap<string, string>): Promise<void> {
  for (const table of ['subject', 'score'] as const) {
    await sql`update ${raw(table)} stored set record_id = moved.record_id from ${moveColumns.as('moved', [...moves])}
      where stored.subject_id = moved.subject_id`.execute(tx);
  }
}

const moveColumns = rowsOf<readonly [subjectId: string, recordId: string]>(
  {},
  { subjectId: ['uuid', ([subjectId]) => subjectId], recordId: ['uuid', ([, recordId]) => recordId] },
);

/**
 * For subjects that remain in a record without events: there is nothing to compute a score from.
 */
export async function dropScores(tx: Tx, subjectIds: readonly string[]): Promise<void> {
  await tx.execute(
    `with dropped as (delete from score where subject_id = any($1::uuid[]))
     update subject set is_scored = false where subject_id = any($1::uuid[])`,
    [subjectIds],
  );
}

export interface LinkFacts {
  subjectIds: readonly string[];
  action: 'linked' | 'unlinked';
  /** The record that was joined or left. */
  recordId: string;
  at: Date;
}

/** Writes one link fact per subject. Lock their records first. */
export async function insertFacts(
  tx: Tx,
  ids: IdSource,
  { subjectIds, action, recordId, at }: LinkFacts,
): Promise<void> {
  await sql`insert into subject_link (subject_id, position, link_id, platform_id, record_id, action, snapshot_no, at)
    select s.subject_id,
      coalesce((select max(position) from subject_link before where before.subject_id = s.subject_id), 0) + 1,
      fact.link_id, s.platform_id, ${recordId}::uuid, ${action}::text,
      coalesce((select max(snapshot_no) from score_snapshot n where n.subject_id = s.subject_id), 0),
      ${at}::timestamptz
    from unnest(${subjectIds}::uuid[], ${subjectIds.map(() => ids.at(at))}::uuid[]) as fact (subject_id, link_id)
    join subject s using (subject_id)`.execute(tx);
  await queueForLog(tx, subjectIds, at);
}

export async function queueRecords(
  tx: Tx,
  recordIds: readonly string[],
  reason: LinkFacts['action'],
  now: Date,
): Promise<void> {
  await tx.execute(
    `insert into recompute_queue (record_id, reason, enqueued_at)
     select record_id, $2::text, $3::timestamptz from unnest($1::uuid[]) as touched (record_id)`,
    [recordIds, reason, now],
  );
}
