import { tallyCodeOf } from '@reliability/scoring';
import type { Tx } from '#kit/db/database.js';
import { ledgerOf } from '../audit/cursor.js';
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

/** What a ledger group knows of a record's members in other groups: nothing if it has none. */
export interface Elsewhere {
  members: readonly RemoteMember[];
  freeze: RecordFreeze;
}

/** Costs nothing if no subject is linked. */
export async function readElsewhere(tx: Tx, members: readonly MemberRow[]) {
  const linked = members.filter(({ subjectId, recordId }) => subjectId !== recordId);
  const recordIds = [...new Set(linked.map(({ recordId }) => recordId))];
  if (recordIds.length === 0) return () => ({ members: [], freeze: NEVER_FROZEN });
  const reads = [findRemoteMembers(tx, recordIds), findRecordFreezes(tx, recordIds)] as const;
  const [remote, freezes] = await Promise.all(reads);
  return (recordId: string): Elsewhere => {
    const others = remote.filter((member) => member.recordId === recordId);
    return { members: others, freeze: (others.length > 0 && freezes.get(recordId)) || NEVER_FROZEN };
  };
}

/**
 * Whether other groups count more of their members than the published scores of these members do.
 * That can be so for a frozen record: a group learns of the freeze after others have published.
 */
export async function isCountedElsewhere(tx: Tx, members: readonly MemberRow[], elsewhere: Elsewhere) {
  if (elsewhere.members.length === 0) return false;
  const rows = await tx.query<{ elsewhere: Record<string, number> | null }>(
    `select detail -> 'elsewhere' as elsewhere from score where subject_id = any($1::uuid[])`,
    [members.map(({ subjectId }) => subjectId)],
  );
  const due = Object.entries(positionsOf(elsewhere.members));
  return rows.some((row) => due.some(([id, position]) => row.elsewhere?.[id] !== position));
}

export type StateForOthers = MemberState & RecordFreeze;

/** What is sent to other groups about these members. @param members as the published score counts them. */
export function statesOf(members: readonly MemberRow[], freeze: RecordFreeze): StateForOthers[] {
  return members.map((member) => ({ ...stateOf(member), ...freeze }));
}

export function stateOf(member: MemberRow): MemberState {
  const { subjectId, recordId, eventCount: position, lastActivityAt, days, codes, counts } = member;
  const verified = unpackTallies(member).filter(({ isVerified }) => isVerified);
  const verifiedEvents = verified.reduce((sum, { count }) => sum + count, 0);
  return { subjectId, recordId, position, verifiedEvents, lastActivityAt, tallies: { days, codes, counts } };
}

/**
 * The members of a frozen record with their tallies as their scores count them: later events count
 * once the freeze ends. Reads the ledgers up to that position, since tallies have no positions;
 * this is rare. If no member's score counts an event of its own (only another member's), returns
 * the members unchanged, so that there is a score.
 * @param hasOthers there are members in other groups, whose events give a score.
 */
export async function asLastCounted(tx: Tx, members: readonly MemberRow[], hasOthers: boolean) {
  if (!hasOthers && members.every(({ position }) => !position)) return members;
  const counted: MemberRow[] = [];
  for (const member of members) counted.push(await rewind(tx, member));
  return counted;
}

async function rewind(tx: Tx, member: MemberRow): Promise<MemberRow> {
  if (member.externalId === null) return member; // erased: it has no score, and gets no events
  const position = member.position ?? 0;
  if (position === member.eventCount) return member;
  const ledger = ledgerOf(tx, member.subjectId);
  await ledger.advanceTo(position);
  const tallies = [...ledger.tallies.values()];
  return {
    ...member,
    eventCount: position,
    lastActivityAt: ledger.lastActivityAt,
    days: tallies.map(({ day }) => day),
    codes: tallies.map(tallyCodeOf),
    counts: tallies.map(({ count }) => count),
  };
}
