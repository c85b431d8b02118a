import { eventKindOf, model, outcomeClassOf } from './model.js';
import { ratio } from './rounding.js';
import type { Day, Tally } from './tally.js';

/** Sums of event weights over one half of a record, the verified or the unverified one. docs/FORMULA.md "The sums". */
export interface HalfSums {
  /** P */
  positive: number;
  /** B, severity included */
  breach: number;
  /** X */
  contested: number;
  /** N */
  outcomes: number;
  timed: number;
  onTime: number;
  /** disp */
  disputed: number;
  /** off */
  offset: number;
  /** D: positive outcomes except disputes decided for the subject */
  delivered: number;
}

/** A weighed half: its sums, its four factors (0 to 1), its quality (0 to 100) and its gate. */
export interface Half {
  sums: HalfSums;
  /** M: the weight of the half in the score */
  mass: number;
  /** E: the decided part of the mass */
  evidence: number;
  completion: number;
  timeliness: number;
  disputes: number;
  verification: number;
  quality: number;
  /** g, 0 to 1: how far the half's mass moves the score towards its quality */
  gate: number;
}

/** A record weighed on one day. */
export interface Weighed {
  verified: Half;
  unverified: Half;
  /** share of delivered weight that is verified */
  depth: number;
  totalEvents: number;
  verifiedEvents: number;
}

/** Weighs canonical tallies (sorted, no duplicates) on a day. Throws RangeError for a negative or fractional count. */
export function weigh(tallies: readonly Tally[], asOf: Day): Weighed {
  const verifiedSums = emptySums();
  const unverifiedSums = emptySums();
  let totalEvents = 0;
  let verifiedEvents = 0;
  for (const tally of tallies) {
    assertCount(tally.count);
    if (eventKindOf(tally.eventType) !== 'outcome') continue;
    totalEvents += tally.count;
    if (tally.isVerified) verifiedEvents += tally.count;
    addTally(tally.isVerified ? verifiedSums : unverifiedSums, tally, asOf);
  }
  const depth = ratio(verifiedSums.delivered, verifiedSums.delivered + unverifiedSums.delivered);
  const verified = judge(verifiedSums, depth, verifiedGateOf);
  const unverified = judge(unverifiedSums, 0, unverifiedGateOf);
  return { verified, unverified, depth, totalEvents, verifiedEvents };
}

/** The half that components and reason codes describe: the verified one if it holds evidence. */
export function leadingHalf(weighed: Weighed): Half {
  return weighed.verified.evidence > 0 ? weighed.verified : weighed.unverified;
}

export function emptySums(): HalfSums {
  return {
    positive: 0,
    breach: 0,
    contested: 0,
    outcomes: 0,
    timed: 0,
    onTime: 0,
    disputed: 0,
    offset: 0,
    delivered: 0,
  };
}

/** Adds a tally's weight to each sum it belongs to. */
export function addTally(sums: HalfSums, tally: Tally, asOf: Day): void {
  const outcomeClass = outcomeClassOf(tally.eventType);
  if (outcomeClass === 'none') return;
  const weight = tally.count * weightOf(tally, asOf);
  sums.outcomes += weight;
  if (outcomeClass === 'positive') addPositive(sums, tally, weight);
  else sums.disputed += weight;
  if (outcomeClass === 'breach') sums.breach += model.breachSeverity * weight;
  if (outcomeClass === 'contested') sums.contested += weight;
}

function addPositive(sums: HalfSums, tally: Tally, weight: number): void {
  sums.positive += weight;
  if (tally.eventType === 'DISPUTE_RESOLVED_FOR_USER') sums.offset += weight;
  else sums.delivered += weight;
  if (tally.timeliness !== 'untimed') sums.timed += weight;
  if (tally.timeliness === 'on_time') sums.onTime += weight;
}

/** Completion C of a set of outcomes. 0 without outcomes. */
export function completionOf(sums: HalfSums): number {
  return ratio(sums.positive, massOf(sums));
}

function massOf({ positive, breach, contested }: HalfSums): number {
  return positive + breach + contested;
}

function judge(sums: HalfSums, depth: number, gateOf: (mass: number) => number): Half {
  const { weights, timelinessPrior } = model;
  const mass = massOf(sums);
  const completion = completionOf(sums);
  const timeliness = (completion * (sums.onTime + timelinessPrior / 2)) / (sums.timed + timelinessPrior);
  const disputes = disputesOf(sums);
  const verification = completion * depth;
  const quality =
    100 *
    (weights.completion * completion +
      weights.timeliness * timeliness +
      weights.disputes * disputes +
      weights.verification * verification);
  const evidence = sums.positive + sums.breach;
  return {
    sums,
    mass,
    evidence,
    completion,
    timeliness,
    disputes,
    verification,
    quality,
    gate: gateOf(mass),
  };
}

function disputesOf(sums: HalfSums): number {
  if (sums.outcomes === 0) return 0;
  const open = Math.max(0, sums.disputed - model.disputeOffset * sums.offset);
  return 1 - Math.min(1, (model.disputeMultiplier * open) / sums.outcomes);
}

function verifiedGateOf(mass: number): number {
  return mass / (mass + model.evidenceHalf);
}

function unverifiedGateOf(mass: number): number {
  return (model.unverifiedGateMax * mass) / (mass + model.unverifiedHalf);
}

/** Weight b of one event of a tally: stake × tier × 2^(−age / half-life). Age in whole days, at least 0. */
function weightOf(tally: Tally, asOf: Day): number {
  const age = Math.max(0, asOf - tally.day);
  return model.stakeWeights[tally.stakeLevel] * model.tierMultipliers[tally.platformTier] * decay(age);
}

function decay(ageDays: number): number {
  const halvings = Math.floor(ageDays / model.halfLifeDays);
  return (decayWithinHalfLife[ageDays % model.halfLifeDays] ?? 1) * 2 ** -halvings;
}

// ECMAScript does not fix the last bits of fractional powers. IEEE 754 fixes the four basic operations, so the exponential series
// gives the same bits in every engine and version. Whole powers of two are exact anyway.
const decayWithinHalfLife: readonly number[] = Array.from({ length: model.halfLifeDays }, (_, day) => {
  const exponent = (-day / model.halfLifeDays) * Math.LN2;
  let series = 1;
  for (let term = 24; term >= 1; term -= 1) series = 1 + (exponent / term) * series;
  return series;
});

function assertCount(count: number): void {
  if (!Number.isSafeInteger(count) || count < 0)
    throw new RangeError(`The count of a tally must be a whole number, at least 0, not ${count}`);
}
