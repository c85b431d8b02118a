import { leadingHalf, type Weighed } from './halves.js';
import { outcomeClassOf } from './model.js';
import type { Day, Tally } from './tally.js';

/** Plain counts behind the weighted sums, for sentences and evidence. */
export interface RecordFacts {
  outcomes: number;
  verifiedOutcomes: number;
  /** positive outcomes, either half */
  positive: number;
  /** positive outcomes without the disputes decided for the subject */
  delivered: number;
  verifiedDelivered: number;
  contested: number;
  disputesLost: number;
  lastOutcomeDay: Day | null;
  /** the leading half, which completion and timeliness codes describe */
  half: { isVerified: boolean; outcomes: number; completed: number; dated: number; onTime: number };
}

/** Counts canonical tallies. */
export function countFacts(tallies: readonly Tally[], weighed: Weighed): RecordFacts {
  const facts: RecordFacts = {
    outcomes: 0,
    verifiedOutcomes: 0,
    positive: 0,
    delivered: 0,
    verifiedDelivered: 0,
    contested: 0,
    disputesLost: 0,
    lastOutcomeDay: null,
    half: {
      isVerified: leadingHalf(weighed) === weighed.verified,
      outcomes: 0,
      completed: 0,
      dated: 0,
      onTime: 0,
    },
  };
  for (const tally of tallies) {
    if (outcomeClassOf(tally.eventType) === 'none') continue;
    countInRecord(facts, tally);
    if (tally.isVerified === facts.half.isVerified) countInHalf(facts.half, tally);
  }
  return facts;
}

function countInRecord(facts: RecordFacts, { day, eventType, isVerified, count }: Tally): void {
  const outcomeClass = outcomeClassOf(eventType);
  facts.outcomes += count;
  facts.lastOutcomeDay = Math.max(facts.lastOutcomeDay ?? day, day);
  if (isVerified) facts.verifiedOutcomes += count;
  if (outcomeClass === 'contested') facts.contested += count;
  if (eventType === 'DISPUTE_RESOLVED_AGAINST_USER') facts.disputesLost += count;
  if (outcomeClass !== 'positive') return;
  facts.positive += count;
  if (eventType === 'DISPUTE_RESOLVED_FOR_USER') return;
  facts.delivered += count;
  if (isVerified) facts.verifiedDelivered += count;
}

function countInHalf(half: RecordFacts['half'], { eventType, timeliness, count }: Tally): void {
  half.outcomes += count;
  if (outcomeClassOf(eventType) !== 'positive') return;
  half.completed += count;
  if (timeliness !== 'untimed') half.dated += count;
  if (timeliness === 'on_time') half.onTime += count;
}
