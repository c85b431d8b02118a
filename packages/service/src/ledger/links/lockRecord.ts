import type { Queryable, Tx } from '#kit/db/database.js';
import { insertRow, sql } from '#kit/db/rows.js';
import type { IdSource } from '#kit/ids.js';
import { queueForLog } from '../log/queue.js';
import { findRemoteGroups } from './remoteStore.js';

export interface Placed {
  subjectId: string;
  group: number;
}

export interface PlacedMember extends Member {
  group: number;
}

/**
 * Takes the locks of recompute workers (recompute/store.ts) on the records of these subjects, in every ledger
 * group with members, and locks and returns these members. Until the transaction ends, no other transaction
 * computes or freezes these records or changes their members. Omits subjects that do not exist.
 *
 * A subject may move to another record during the wait. Then all locks are released and taken again, so that
 * every transaction takes its locks in one order, by group and record, and none deadlock.
 */
export async function lockRecord(tx: Tx, subjects: readonly Placed[]): Promise<PlacedMember[]> {
  for (;;) {
    const found = await findRecords(tx, subjects);
    const members = await lockAll(tx, found);
    if (members) return members;
  }
}

async function findRecords(tx: Tx, subjects: readonly Placed[]) {
  const records = new Map<string, string>();
  const groups = new Set<number>();
  for (const { subjectId, group } of subjects) {
    await tx.inLedger(group, async (tx) => {
      const [found] = await findRecordIds(tx, [subjectId]);
      if (!found) return;
      records.set(subjectId, found.recordId);
      groups.add(group);
      for (const { groupId } of await findRemoteGroups(tx, [found.recordId])) groups.add(groupId);
    });
  }
  return {
    subjectIds: [...records.keys()],
    recordIds: [...new Set(records.values())].sort(),
    groups: [...groups].sort((left, right) => left - right),
  };
}

/** Null: the records have changed meanwhile, and no lock is held. */
async function lockAll(
  tx: Tx,
  { subjectIds, recordIds, groups }: Awaited<ReturnType<typeof findRecords>>,
): Promise<PlacedMember[] | null> {
  const members: PlacedMember[] = [];
  const locked: number[] = [];
  let hasMoved = false;
  for (const group of groups) {
    await tx.inLedger(group, async (tx) => {
      await tx.execute(`savepoint ${savepointOf(group)}`);
      locked.unshift(group);
      await lockRecordIds(tx, recordIds);
      for (const member of await lockMembers(tx, recordIds)) members.push({ ...member, group });
      // After the lock: a member may have joined from a group that is not locked.
      const remote = await findRemoteGroups(tx, recordIds);
      hasMoved ||= remote.some(({ groupId }) => !groups.includes(groupId));
    });
    if (hasMoved) break;
  }
  hasMoved ||= !subjectIds.every((id) => members.some(({ subjectId }) => subjectId === id));
  const end = hasMoved ? 'rollback to savepoint' : 'release savepoint';
  for (const group of locked) await tx.inLedger(group, (tx) => tx.execute(`${end} ${savepointOf(group)}`));
  return hasMoved ? null : members;
}

function savepointOf(group: number): string {
  return `record_locked_${group}`;
}

/** The same in the group of one subject alone. Returns its record; null: there is no such subject. */
export async function lockRecordOf(tx: Tx, subjectId: string): Promise<string | null> {
  await tx.execute('savepoint record_locked');
  for (;;) {
    const recordId = await findRecordId(tx, subjectId);
    await lockRecordIds(tx, recordId === null ? [] : [recordId]);
    // A separate statement, so that it sees commits from during the wait.
    if ((await findRecordId(tx, subjectId)) === recordId) {
      await tx.execute('release savepoint record_locked');
      return recordId;
    }
    await tx.execute('rollback to savepoint record_locked');
  }
}

async function findRecordId(tx: Tx, subjectId: string): Promise<string | null> {
  const [found] = await findRecordIds(tx, [subjectId]);
  return found?.recordId ?? null;
}

interface Member {
  subjectId: string;
  recordId: string;
  platformId: string;
  livemode: boolean;
  subjectType: 'PERSON' | 'AGENT' | 'ORGANIZATION';
  eventCount: number;
  isFrozen: boolean;
}

export function findRecordIds(
  db: Queryable,
  subjectIds: readonly string[],
): Promise<{ subjectId: string; recordId: string }[]> {
  return db.query('select subject_id, record_id from subject where subject_id = any($1::uuid[])', [
    subjectIds,
  ]);
}

/** Takes the locks of recompute workers, and waits for workers that hold them. @param recordIds in order. */
async function lockRecordIds(tx: Tx, recordIds: readonly string[]): Promise<void> {
  await tx.query(
    'select pg_advisory_xact_lock(hashtextextended(record_id::text, $2)) from unnest($1::uuid[]) as wanted (record_id)',
    [recordIds, tx.ledgers.own],
  );
}

/**
 * Locks the rows of all members, in the order of ids as appends do, and returns the members.
 * Appends to these subjects wait and then see the new record. Lock the records first
 * (lockRecord.ts): no freeze changes while this waits.
 */
function lockMembers(tx: Tx, recordIds: readonly string[]): Promise<Member[]> {
  return tx.query<Member>(
    `select subject_id, record_id, platform_id, livemode, subject_type, event_count, exists (
       select from score c where c.subject_id = s.subject_id and frozen_at is not null
     ) as is_frozen
     from subject s where record_id = any($1::uuid[]) order by subject_id for no key update of s`,
    [recordIds],
  );
}

/** Moves subjects and their scores to a record. @param recordId null: to the one of each alone. */
export async function moveSubjects(
  tx: Tx,
  subjectIds: readonly string[],
  recordId: string | null,
): Promise<void> {
  for (const table of ['subject', 'score']) {
    await tx.execute(
      `update ${table} set record_id = coalesce($2::uuid, subject_id) where subject_id = any($1::uuid[])`,
      [subjectIds, recordId],
    );
  }
}

/** For subjects that remain in a record without events: there is nothing to compute a score from. */
export async function dropScores(tx: Tx, subjectIds: readonly string[]): Promise<void> {
  await tx.execute(
    `with dropped as (delete from score where subject_id = any($1::uuid[]))
     update subject set is_scored = false where subject_id = any($1::uuid[])`,
    [subjectIds],
  );
}

interface LinkFacts {
  subjectIds: readonly string[];
  action: 'linked' | 'unlinked';
  recordId: string;
  at: Date;
}

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

export async function queueRecord(tx: Tx, recordId: string, reason: string, now: Date): Promise<void> {
  await insertRow(tx, 'recompute_queue', { recordId, reason, enqueuedAt: now });
}
