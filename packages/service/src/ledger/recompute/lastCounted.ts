import { tallyCodeOf } from '@reliability/scoring';
import type { Tx } from '../../kit/db/database.js';
import { createLedgerCursor } from '../audit/cursor.js';
import { eventReader } from '../audit/reader.js';
import type { MemberRow } from './store.js';

/**
 * Members of a frozen record with their tallies as their scores count them: what came after is counted once the freeze
 * ends. Reads the ledgers up to there, since tallies know no positions: rare enough. Where no member's score counts an
 * event of its own (it had another member's alone) the members are answered as they are, so that there is a score.
 */
export async function asLastCounted(tx: Tx, members: readonly MemberRow[]): Promise<readonly MemberRow[]> {
  if (members.every(({ position }) => !position)) return members;
  const counted: MemberRow[] = [];
  for (const member of members) counted.push(await rewind(tx, member));
  return counted;
}

async function rewind(tx: Tx, member: MemberRow): Promise<MemberRow> {
  const position = member.position ?? 0;
  if (position === member.eventCount) return member;
  const ledger = createLedgerCursor(member.subjectId, eventReader(tx, [member.subjectId]));
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
