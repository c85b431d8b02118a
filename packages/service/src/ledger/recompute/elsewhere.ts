import type { Tx } from '../../kit/db/database.js';
import { groupBy } from '../../kit/groupBy.js';
import {
  findRecordFreezes,
  findRemoteMembers,
  type MemberState,
  NEVER_FROZEN,
  type RecordFreeze,
  type RemoteMember,
} from '../links/remoteStore.js';
import { positionsOf } from './evaluateRecord.js';
import { unpackTallies } from './packedTallies.js';
import type { MemberRow } from './store.js';

/** What a ledger group knows of a record with members in other groups. */
export interface Elsewhere {
  members: readonly RemoteMember[];
  freeze: RecordFreeze;
}

/** A record whose members are all in this group. */
export const NOT_ELSEWHERE: Elsewhere = { members: [], freeze: NEVER_FROZEN };

/** Records that have members in other groups. Costs nothing if no subject is linked. */
export async function readElsewhere(tx: Tx, members: readonly MemberRow[]): Promise<Map<string, Elsewhere>> {
  const linked = members.flatMap(({ subjectId, recordId }) => (subjectId === recordId ? [] : [recordId]));
  if (linked.length === 0) return new Map();
  const recordIds = [...new Set(linked)];
  const [remote, freezes] = await Promise.all([
    findRemoteMembers(tx, recordIds),
    findRecordFreezes(tx, recordIds),
  ]);
  return new Map(
    [...groupBy(remote, ({ recordId }) => recordId)].map(([recordId, others]) => [
      recordId,
      { members: others, freeze: freezes.get(recordId) ?? NEVER_FROZEN },
    ]),
  );
}

/**
 * Whether other groups count more of their members than the published scores of these members do.
 * That can be so for a frozen record: a group hears of the freeze after others have published.
 */
export async function isCountedElsewhere(
  tx: Tx,
  members: readonly MemberRow[],
  elsewhere: Elsewhere,
): Promise<boolean> {
  if (elsewhere.members.length === 0) return false;
  const rows = await tx.query<{ elsewhere: Record<string, number> | null }>(
    `select detail -> 'elsewhere' as elsewhere from score where subject_id = any($1::uuid[])`,
    [members.map(({ subjectId }) => subjectId)],
  );
  const due = Object.entries(positionsOf(elsewhere.members));
  return rows.some((row) => due.some(([id, position]) => row.elsewhere?.[id] !== position));
}

export type StateForOthers = MemberState & RecordFreeze;

/** What other groups get to know of these members. @param members as the published score counts them. */
export function statesOf(members: readonly MemberRow[], freeze: RecordFreeze): StateForOthers[] {
  return members.map((member) => ({ ...stateOf(member), ...freeze }));
}

export function stateOf(member: MemberRow): MemberState {
  const { subjectId, recordId, days, codes, counts } = member;
  const verified = unpackTallies(member).filter(({ isVerified }) => isVerified);
  return {
    subjectId,
    recordId,
    position: member.eventCount,
    verifiedEvents: verified.reduce((sum, { count }) => sum + count, 0),
    lastActivityAt: member.lastActivityAt,
    tallies: { days, codes, counts },
  };
}
