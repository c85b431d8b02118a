import { dayOf, isoFromDay, mergeTallies, score, type Tally } from '@reliability/scoring';
import type { Queryable } from '#kit/db/database.js';
import { readMemberEntries } from '#ledger/reads/recordEntries.js';
import type { LinkedShare } from './schemas.js';

/**
 * All that a platform's page may say of records at other platforms: how many outcomes, since when,
 * and by how many points they move the score today. Null: the subject is not linked.
 */
export async function readLinkedShare(
  db: Queryable,
  subjectId: string,
  now: Date,
): Promise<LinkedShare | null> {
  const members = await readMemberEntries(db, subjectId);
  if (!members || members.size < 2) return null;
  const own = members.get(subjectId) ?? [];
  const linked = mergeTallies([...members].flatMap(([id, entries]) => (id === subjectId ? [] : entries)));
  const outcomes = linked.reduce((sum, { count }) => sum + count, 0);
  const first = linked.reduce(
    (least, { day, count }) => (count > 0 ? Math.min(least, day) : least),
    Infinity,
  );
  const hundredths = (tallies: readonly Tally[]) =>
    Math.round((score(mergeTallies(tallies), dayOf(now))?.finalScore ?? 0) * 100);
  return {
    platforms: members.size - 1,
    outcomes,
    since: first === Infinity ? null : isoFromDay(first),
    points: (hundredths([...own, ...linked]) - hundredths(own)) / 100,
  };
}
