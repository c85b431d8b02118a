import {
  type Day,
  isoFromDay,
  mergeTallies,
  type ReplayEntry,
  score,
  type Tally,
} from '@reliability/scoring';
import { pointsBetween } from '#domain/points.js';
import type { LinkedShare } from './schemas.js';

/**
 * All that a platform's page and file may say of records at other platforms: how many outcomes, since when,
 * and by how many points they move the score on a day. Null: the subject is not linked.
 * @param members of the record (readMemberEntries)
 * @param published without one, or while it is frozen, no points: they would reveal what the freeze withholds
 */
export function linkedShareOf(
  members: ReadonlyMap<string, readonly ReplayEntry[]>,
  subjectId: string,
  published: { readonly frozen: boolean } | null,
  day: Day,
): LinkedShare | null {
  if (members.size < 2) return null;
  const own = members.get(subjectId) ?? [];
  const linked = mergeTallies([...members].flatMap(([id, entries]) => (id === subjectId ? [] : entries)));
  const outcomes = linked.reduce((sum, { count }) => sum + count, 0);
  const first = linked.reduce(
    (least, { day: on, count }) => (count > 0 ? Math.min(least, on) : least),
    Infinity,
  );
  const scoreOf = (tallies: readonly Tally[]) => score(mergeTallies(tallies), day)?.finalScore ?? 0;
  return {
    platforms: members.size - 1,
    outcomes,
    since: first === Infinity ? null : isoFromDay(first),
    points: published && !published.frozen ? pointsBetween(scoreOf(own), scoreOf([...own, ...linked])) : null,
  };
}
