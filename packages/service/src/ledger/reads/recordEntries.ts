import { type Day, mergeTallies, type ReplayBy, type ReplayEntry } from '@reliability/scoring';
import type { Queryable } from '../../kit/db/database.js';
import { membersSql, readsOfAll, readsOfMembers } from '../links/recordReads.js';
import { findStaysBeside } from './recordStays.js';
import { readReplayEntries } from './replayEntries.js';

/**
 * The entries of the record of a subject, for a replay. Null for a subject that nobody knows.
 *
 * By outcome, these are the events of all present members of the record. By recorded, a linked
 * subject counts from the day on which it joined until the day on which it left, so that a replay
 * gives the scores that were published.
 */
export async function readRecordEntries(
  db: Queryable,
  subjectId: string,
  by: ReplayBy,
): Promise<ReplayEntry[] | null> {
  const memberIds = await findMemberIds(db, subjectId);
  if (memberIds.length === 0) return null;
  if (by === 'outcome') {
    const entries = await readReplayEntries(await readsOfMembers(db, memberIds), memberIds, by);
    return [...entries.values()].flat();
  }
  const stays = await findStaysBeside(db, subjectId);
  const reads = stays.length === 0 ? db : readsOfAll(db);
  const entries = await readReplayEntries(reads, [subjectId, ...stays.map((stay) => stay.subjectId)], by);
  const entriesOf = (id: string) => entries.get(id) ?? [];
  return [
    ...entriesOf(subjectId),
    ...stays.flatMap((stay) => during(entriesOf(stay.subjectId), stay.from, stay.until)),
  ];
}

async function findMemberIds(db: Queryable, subjectId: string): Promise<string[]> {
  const rows = await db.query<{ memberId: string }>(
    `select member.subject_id as member_id from subject asked cross join lateral (${membersSql('asked.record_id')}) as member
     where asked.subject_id = $1`,
    [subjectId],
  );
  return rows.map(({ memberId }) => memberId);
}

/**
 * Entries that count from one day until another: what was there before enters with the first, and
 * all leave with the second.
 */
function during(entries: readonly ReplayEntry[], from: Day, until: Day): ReplayEntry[] {
  const before = mergeTallies(entries.filter(({ entersOn }) => entersOn <= from));
  const meanwhile = entries.filter(({ entersOn }) => entersOn > from && entersOn < until);
  const left = until === Infinity ? [] : mergeTallies(entries.filter(({ entersOn }) => entersOn < until));
  return [
    ...before.map((tally) => ({ ...tally, entersOn: from })),
    ...meanwhile,
    ...left.map((tally) => ({ ...tally, count: -tally.count, entersOn: until })),
  ];
}
