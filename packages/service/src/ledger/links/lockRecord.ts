import type { Tx } from '../../kit/db/database.js';
import { findRemoteGroups } from './remoteStore.js';
import { findRecordIds, lockMembers, lockRecordIds, type Member } from './store.js';

/** A subject and the ledger group in which it lives. */
export interface Placed {
  subjectId: string;
  group: number;
}

export interface PlacedMember extends Member {
  group: number;
}

/**
 * Takes the locks of recompute workers (recompute/store.ts) on the records of these subjects, in
 * every ledger group with members, and locks and returns these members. Until the transaction ends,
 * no other transaction computes or freezes these records or changes their members. Omits subjects
 * that do not exist.
 *
 * A subject may move to another record during the wait. Then all locks are released and taken again,
 * so that every transaction takes its locks in one order, by group and record, and none deadlock.
 */
export async function lockRecord(tx: Tx, subjects: readonly Placed[]): Promise<PlacedMember[]> {
  for (;;) {
    const found = await findRecords(tx, subjects);
    const members = await lockAll(tx, found);
    if (members) return members;
  }
}

interface FoundRecords {
  subjectIds: readonly string[];
  /** In order. */
  recordIds: readonly string[];
  /** In order. */
  groups: readonly number[];
}

async function findRecords(tx: Tx, subjects: readonly Placed[]): Promise<FoundRecords> {
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
  { subjectIds, recordIds, groups }: FoundRecords,
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
