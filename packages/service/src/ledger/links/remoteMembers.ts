import type { Tx } from '#kit/db/database.js';
import { pick } from '#kit/db/rows.js';
import { groupBy } from '#kit/lists.js';
import { asLastCounted, stateOf } from '../recompute/elsewhere.js';
import { freezeScores, unfreezeScores } from '../recompute/freezes.js';
import { readMembers } from '../recompute/store.js';
import type { PlacedMember } from './lockRecord.js';
import {
  deleteRemote,
  findRecordFreezes,
  insertRemoteMembers,
  NEVER_FROZEN,
  type RecordFreeze,
  type RemoteMember,
  upsertRecordFreeze,
} from './remoteStore.js';

/**
 * Gives each ledger group of a record what it has to know of the members in other groups: as their
 * published scores count them, so that positions never go back. Lock the record first.
 * @param members those that the record has from now on; empty: it is dissolved.
 * @param before those that it had, in addition to `members`.
 */
export async function shareMembers(
  tx: Tx,
  recordId: string,
  members: readonly PlacedMember[],
  before: readonly PlacedMember[] = [],
): Promise<void> {
  const numbers = groupsOf([...members, ...before]);
  if (numbers.length === 1) return;
  const all: RemoteMember[] = [];
  if (groupsOf(members).length > 1) {
    for (const group of groupsOf(members)) all.push(...(await readStates(tx, recordId, group)));
  }
  for (const group of numbers) {
    const isIn = members.some((member) => member.group === group);
    const freeze = isIn && all.length > 0 ? await readFreeze(tx, recordId, group) : null;
    await tx.inLedger(group, async (tx) => {
      await deleteRemote(tx, recordId);
      if (!isIn) return;
      const others = all.filter(({ groupId }) => groupId !== group);
      await insertRemoteMembers(tx, others);
      if (freeze) await upsertRecordFreeze(tx, recordId, freeze);
    });
  }
}

function readStates(tx: Tx, recordId: string, group: number): Promise<RemoteMember[]> {
  return tx.inLedger(group, async (tx) => {
    const members = await readMembers(tx, [recordId]);
    const counted = await asLastCounted(tx, members, true);
    return counted.map((member) => ({
      ...stateOf(member),
      ...pick(member, 'platformId', 'subjectType', 'registeredAt'),
      groupId: group,
    }));
  });
}

/** A freeze reaches groups one after the other: applies the newest state in all of them. */
export async function alignFreeze(
  tx: Tx,
  now: Date,
  recordId: string,
  members: readonly PlacedMember[],
): Promise<PlacedMember[]> {
  const newest = await newestFreeze(tx, recordId, members);
  if (newest.freezeNo === 0) return [...members];
  const isFrozen = newest.frozenAt !== null;
  for (const [group, own] of groupBy(members, (member) => member.group)) {
    await tx.inLedger(group, async (tx) => {
      await upsertRecordFreeze(tx, recordId, newest);
      if (!own.some((member) => member.isFrozen !== isFrozen)) return;
      const ownIds = own.map(({ subjectId }) => subjectId);
      if (newest.frozenAt) await freezeScores(tx, [recordId], newest.frozenAt);
      else await unfreezeScores(tx, ownIds, now);
    });
  }
  return members.map((member) => ({ ...member, isFrozen }));
}

/**
 * Stores whether what is left of a record is frozen.
 * @param endedAt set if its freeze has just ended.
 */
export async function noteFreeze(
  tx: Tx,
  recordId: string,
  members: readonly PlacedMember[],
  endedAt: Date | null,
): Promise<void> {
  const numbers = groupsOf(members);
  if (numbers.length < 2) return;
  const known = await newestFreeze(tx, recordId, members);
  if (known.freezeNo === 0) return;
  const freezeNo = known.freezeNo + 1;
  const state = endedAt ? { freezeNo, frozenAt: null, endedAt } : { ...known, freezeNo };
  for (const group of numbers) await tx.inLedger(group, (tx) => upsertRecordFreeze(tx, recordId, state));
}

async function newestFreeze(
  tx: Tx,
  recordId: string,
  members: readonly PlacedMember[],
): Promise<RecordFreeze> {
  let newest = NEVER_FROZEN;
  for (const group of groupsOf(members)) {
    const freeze = await readFreeze(tx, recordId, group);
    if (freeze && freeze.freezeNo > newest.freezeNo) newest = freeze;
  }
  return newest;
}

function readFreeze(tx: Tx, recordId: string, group: number): Promise<RecordFreeze | null> {
  return tx.inLedger(group, async (tx) => (await findRecordFreezes(tx, [recordId])).get(recordId) ?? null);
}

export function groupsOf(members: readonly PlacedMember[]): number[] {
  return [...new Set(members.map(({ group }) => group))].sort((left, right) => left - right);
}
