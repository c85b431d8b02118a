import { type CappedConcentration, cappedConcentrationOf } from '../../domain/concentration.js';
import type { Queryable } from '../../kit/db/database.js';
import type { ErasedSubjects } from '../erasure/erasedSubjects.js';
import { readsOfMembers } from '../links/recordReads.js';
import { findTalliesByAttester, type ScoreBasis } from './concentrationStore.js';

/** Null: the record has too many different outcomes to compare (`MAX_GROUPS`). */
export type LoadConcentration = (basis: ScoreBasis) => Promise<CappedConcentration | null>;

/** Half a kilobyte each. */
const MAX_REMEMBERED = 4_000;

/**
 * Reading all events of a record costs time, and anonymous callers ask for it. The result follows
 * from what the score rests on, so it is cached by that and never stale.
 */
export function createConcentrationLoader(
  db: Queryable,
  erased: Pick<ErasedSubjects, 'onErased'>,
): LoadConcentration {
  const remembered = new Map<string, Promise<CappedConcentration | null>>();
  erased.onErased(() => remembered.clear());
  return (basis) => {
    const key = JSON.stringify(basis);
    const known = remembered.get(key);
    if (known) return known;
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    const loading = load(db, basis);
    remembered.set(key, loading);
    loading.catch(() => remembered.delete(key));
    return loading;
  };
}

async function load(db: Queryable, basis: ScoreBasis): Promise<CappedConcentration | null> {
  const reads = await readsOfMembers(
    db,
    basis.members.map(({ subjectId }) => subjectId),
  );
  const tallies = await findTalliesByAttester(reads, basis);
  return tallies && cappedConcentrationOf(tallies, basis.asOf);
}
