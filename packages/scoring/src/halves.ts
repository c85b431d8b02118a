import { eventKindOf, type FormulaConstants, model, outcomeClassOf } from './model.js';
import { ratio } from './rounding.js';
import type { Day, Tally, TallyKey } from './tally.js';

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

/**
 * Weighs canonical tallies (sorted, no duplicates) on a day. Throws RangeError for a negative or fractional count.
 * @param constants other constants than those of the published formula, to compare the two.
 */
export function weigh(tallies: readonly Tally[], asOf: Day, constants: FormulaConstants = model): Weighed {
  const verified = emptySums();
  const unverified = emptySums();
  const decay = decayTable(constants.halfLifeDays);
  let totalEvents = 0;
  let verifiedEvents = 0;
  for (const tally of tallies) {
    assertCount(tally.count);
    if (eventKindOf(tally.eventType) !== 'outcome') continue;
    totalEvents += tally.count;
    if (tally.isVerified) verifiedEvents += tally.count;
    const weight = tally.count * baseWeightOf(tally, constants) * decay(Math.max(0, asOf - tally.day));
    addWeight(tally.isVerified ? verified : unverified, tally, weight, constants);
  }
  return judgeRecord({ verified, unverified, totalEvents, verifiedEvents }, constants);
}

/** The sums of both halves of a record on one day. */
export interface RecordSums {
  verified: HalfSums;
  unverified: HalfSums;
  totalEvents: number;
  verifiedEvents: number;
}

/** Factors, qualities and gates of a record from its sums. */
export function judgeRecord(sums: RecordSums, constants: FormulaConstants): Weighed {
  const { totalEvents, verifiedEvents } = sums;
  const { delivered } = sums.verified;
  const depth = ratio(delivered, delivered + sums.unverified.delivered);
  const verified = judge(sums.verified, depth, verifiedGateOf, constants);
  const unverified = judge(sums.unverified, 0, unverifiedGateOf, constants);
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

/** Adds a tally of the published formula to each sum it belongs to. */
export function addTally(sums: HalfSums, tally: Tally, asOf: Day): void {
  const decay = decayTable(model.halfLifeDays)(Math.max(0, asOf - tally.day));
  addWeight(sums, tally, tally.count * baseWeightOf(tally, model) * decay, model);
}

/** Adds the weight of a tally to each sum it belongs to. */
export function addWeight(
  sums: HalfSums,
  tally: TallyKey,
  weight: number,
  { breachSeverity }: FormulaConstants,
): void {
  const outcomeClass = outcomeClassOf(tally.eventType);
  if (outcomeClass === 'none') return;
  sums.outcomes += weight;
  if (outcomeClass === 'positive') addPositive(sums, tally, weight);
  else sums.disputed += weight;
  if (outcomeClass === 'breach') sums.breach += breachSeverity * weight;
  if (outcomeClass === 'contested') sums.contested += weight;
}

function addPositive(sums: HalfSums, tally: TallyKey, weight: number): void {
  sums.positive += weight;
  if (tally.eventType === 'DISPUTE_RESOLVED_FOR_USER') sums.offset += weight;
  else sums.delivered += weight;
  if (tally.timeliness !== 'untimed') sums.timed += weight;
  if (tally.timeliness === 'on_time') sums.onTime += weight;
}

/** Both sums together, times a factor. */
export function scaled(a: HalfSums, b: HalfSums, factor: number): HalfSums {
  return {
    positive: (a.positive + b.positive) * factor,
    breach: (a.breach + b.breach) * factor,
    contested: (a.contested + b.contested) * factor,
    outcomes: (a.outcomes + b.outcomes) * factor,
    timed: (a.timed + b.timed) * factor,
    onTime: (a.onTime + b.onTime) * factor,
    disputed: (a.disputed + b.disputed) * factor,
    offset: (a.offset + b.offset) * factor,
    delivered: (a.delivered + b.delivered) * factor,
  };
}

/** Completion C of a set of outcomes. 0 without outcomes. */
export function completionOf(sums: HalfSums): number {
  return ratio(sums.positive, massOf(sums));
}

function massOf({ positive, breach, contested }: HalfSums): number {
  return positive + breach + contested;
}

type GateOf = (mass: number, constants: FormulaConstants) => number;

function judge(sums: HalfSums, depth: number, gateOf: GateOf, constants: FormulaConstants): Half {
  const { weights, timelinessPrior } = constants;
  const mass = massOf(sums);
  const completion = completionOf(sums);
  const timeliness = (completion * (sums.onTime + timelinessPrior / 2)) / (sums.timed + timelinessPrior);
  const disputes = disputesOf(sums, constants);
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
    gate: gateOf(mass, constants),
  };
}

function disputesOf(sums: HalfSums, { disputeOffset, disputeMultiplier }: FormulaConstants): number {
  if (sums.outcomes === 0) return 0;
  const open = Math.max(0, sums.disputed - disputeOffset * sums.offset);
  return 1 - Math.min(1, (disputeMultiplier * open) / sums.outcomes);
}

function verifiedGateOf(mass: number, { evidenceHalf }: FormulaConstants): number {
  return mass / (mass + evidenceHalf);
}

function unverifiedGateOf(mass: number, { unverifiedGateMax, unverifiedHalf }: FormulaConstants): number {
  return (unverifiedGateMax * mass) / (mass + unverifiedHalf);
}

/** Weight of one event of a tally before it ages: stake × tier. */
export function baseWeightOf(tally: TallyKey, { stakeWeights, tierMultipliers }: FormulaConstants): number {
  return stakeWeights[tally.stakeLevel] * tierMultipliers[tally.platformTier];
}

/** `2^(−days / halfLife)` for whole days, at least 0. */
export type Decay = (ageDays: number) => number;

const decayTables = new Map<number, Decay>();

// ECMAScript does not fix the last bits of fractional powers. IEEE 754 fixes the four basic operations, so the exponential series
// gives the same bits in every engine and version. Whole powers of two are exact anyway.
export function decayTable(halfLifeDays: number): Decay {
  const known = decayTables.get(halfLifeDays);
  if (known) return known;
  const withinHalfLife = Array.from({ length: halfLifeDays }, (_, day) => {
    const exponent = (-day / halfLifeDays) * Math.LN2;
    let series = 1;
    for (let term = 24; term >= 1; term -= 1) series = 1 + (exponent / term) * series;
    return series;
  });
  const decay: Decay = (ageDays) =>
    (withinHalfLife[ageDays % halfLifeDays] ?? 1) * 2 ** -Math.floor(ageDays / halfLifeDays);
  decayTables.set(halfLifeDays, decay);
  return decay;
}

function assertCount(count: number): void {
  if (!Number.isSafeInteger(count) || count < 0)
    throw new RangeError(`The count of a tally must be a whole number, at least 0, not ${count}`);
}
