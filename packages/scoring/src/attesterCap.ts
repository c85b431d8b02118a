import { addTally, emptySums, type HalfSums, judgeRecord, scaled } from './halves.js';
import { eventKindOf, model } from './model.js';
import { ratio } from './rounding.js';
import { type Score, scoreOf } from './score.js';
import type { Day, Tally } from './tally.js';

/**
 * φ: the weight that the verified outcomes of one attester keep if its word counts as three
 * outcomes at most. Continuous at 1, rising, below 3. docs/FORMULA.md "What if".
 */
export function cappedWeight(weight: number): number {
  return weight <= 1 ? weight : (3 * weight - 1) / (weight + 1);
}

/**
 * A what-if beside the score, never the score itself: every attester's verified outcomes are scaled
 * until their summed weight is `cappedWeight` of it. Null for a record without any event.
 * @param attesters the tallies of the verified outcomes, one list for each attester.
 * @param unverified all other tallies. They count as in the score.
 */
export function cappedScore(
  attesters: Iterable<readonly Tally[]>,
  unverified: readonly Tally[],
  asOf: Day,
): Score | null {
  let verified = emptySums();
  let verifiedEvents = 0;
  for (const tallies of attesters) {
    const own = sumsOf(tallies, asOf);
    verified = scaled(verified, scaled(own, NOTHING, ratio(cappedWeight(own.outcomes), own.outcomes)), 1);
    verifiedEvents += countOf(tallies);
  }
  const totalEvents = verifiedEvents + countOf(unverified);
  return scoreOf(
    judgeRecord({ verified, unverified: sumsOf(unverified, asOf), totalEvents, verifiedEvents }, model),
  );
}

const NOTHING = emptySums();

function sumsOf(tallies: readonly Tally[], asOf: Day): HalfSums {
  const sums = emptySums();
  for (const tally of tallies) addTally(sums, tally, asOf);
  return sums;
}

function countOf(tallies: readonly Tally[]): number {
  return tallies.reduce(
    (sum, { eventType, count }) => sum + (eventKindOf(eventType) === 'outcome' ? count : 0),
    0,
  );
}
