import { tallyCodeOf } from '@reliability/scoring';
import type { Tx } from '../../kit/db/database.js';
import { ledgerOf } from '../audit/cursor.js';
import type { MemberRow } from './store.js';

/**
 * The members of a frozen record with their tallies as their scores count them: later events count
 * once the freeze ends. Reads the ledgers up to that position, since tallies have no positions;
 * this is rare. If no member's score counts an event of its own (only another member's), returns
 * the members unchanged, so that there is a score.
 * @param hasOthers there are members in other groups, whose events give a score.
 */
export async function asLastCounted(
  tx: Tx,
  members: readonly MemberRow[],
  hasOthers = false,
): Promise<readonly MemberRow[]> {
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
