import { type CappedConcentration, cappedConcentrationOf } from '../../domain/concentration.js';
import type { Queryable } from '../../kit/db/database.js';
import type { ErasedSubjects } from '../erasure/erasedSubjects.js';
import { readsOfMembers } from '../links/recordReads.js';
import { findTalliesByAttester, type ScoreBasis } from './concentrationStore.js';
import { createMemory } from './memory.js';

/** Null: the record has too many different outcomes to compare (`MAX_GROUPS`). */
export type LoadConcentration = (basis: ScoreBasis) => Promise<CappedConcentration | null>;

/**
 * Reading all events of a record costs time, and anonymous callers ask for it. The result follows
 * from what the score rests on, so it is remembered by that.
 */
export function createConcentrationLoader(
  db: Queryable,
  erased: Pick<ErasedSubjects, 'onErased'>,
): LoadConcentration {
  const remember = createMemory<CappedConcentration | null>(erased);
  return (basis) => remember(JSON.stringify(basis), () => load(db, basis));
}

async function load(db: Queryable, basis: ScoreBasis): Promise<CappedConcentration | null> {
  const reads = await readsOfMembers(
    db,
    basis.members.map(({ subjectId }) => subjectId),
  );
  const tallies = await findTalliesByAttester(reads, basis);
  return tallies && cappedConcentrationOf(tallies, basis.asOf);
}
