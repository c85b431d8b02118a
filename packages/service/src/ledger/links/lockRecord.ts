import type { Tx } from '../../kit/db/database.js';
import { ConflictError } from '../../kit/db/errors.js';
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
 * A subject may move to another record during the wait. Then the transaction is run again, so that
 * every transaction takes its locks in one order, by group and record, and none deadlock.
 */
export async function lockRecord(tx: Tx, subjects: readonly Placed[]): Promise<PlacedMember[]> {
  const { subjectIds, recordIds, groups } = await findRecords(tx, subjects);
  const members: PlacedMember[] = [];
  for (const group of groups) {
    await tx.inLedger(group, async (tx) => {
      await lockRecordIds(tx, recordIds);
      for (const member of await lockMembers(tx, recordIds)) members.push({ ...member, group });
      // After the lock: a member may have joined from a group that is not locked.
      const remote = await findRemoteGroups(tx, recordIds);
      if (remote.some(({ groupId }) => !groups.includes(groupId))) throw new ConflictError(MOVED);
    });
  }
  const lockedIds = new Set(members.map(({ subjectId }) => subjectId));
  if (!subjectIds.every((id) => lockedIds.has(id))) throw new ConflictError(MOVED);
  return members;
}

const MOVED = 'the record of a subject changed while its lock was awaited';

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

/** The same in the group of one subject alone. Returns its record; null: there is no such subject. */
export async function lockRecordOf(tx: Tx, subjectId: string): Promise<string | null> {
  const [found] = await findRecordIds(tx, [subjectId]);
  if (!found) return null;
  await lockRecordIds(tx, [found.recordId]);
  // A separate statement, so that it sees commits from during the wait.
  const [now] = await findRecordIds(tx, [subjectId]);
  if (now?.recordId !== found.recordId) throw new ConflictError(MOVED);
  return found.recordId;
}
