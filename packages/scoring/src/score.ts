import { type Half, type Weighed, weigh } from './halves.js';
import {
  type ConfidenceLabel,
  confidenceLabelOf,
  type Factor,
  type FormulaConstants,
  model,
  type ScoreBand,
  scoreBandOf,
  weightedFactors,
} from './model.js';
import { apportion, hundredths, ratio, round2, round4 } from './rounding.js';
import { canonical, type Day, type Tally } from './tally.js';

export interface Score {
  /** 0 to 100, 2 decimals */
  finalScore: number;
  scoreBand: ScoreBand;
  /** 0 to 1, 4 decimals */
  confidence: number;
  confidenceLabel: ConfidenceLabel;
  /** 0 to 100, 2 decimals: the quality of the leading half without its gate */
  behavioralQuality: number;
  /** outcome events, including cancelled ones */
  totalEvents: number;
  verifiedEvents: number;
  /** points by which each factor moved the score from the anchor. In hundredths they sum to finalScore − anchor exactly */
  factors: Record<Factor, number>;
}

/**
 * The score of a record on a UTC day: a pure function of its tallies (any order, duplicates allowed) and that day. `null` for
 * a record without any event. Throws RangeError for a negative or fractional count. docs/FORMULA.md "The score".
 * @param constants other constants than those of the published formula, to compare the two.
 */
export function score(
  tallies: readonly Tally[],
  asOf: Day,
  constants: FormulaConstants = model,
): Score | null {
  return scoreOf(weigh(canonical(tallies), asOf, constants), constants);
}

/** The score of a weighed record. */
export function scoreOf(weighed: Weighed, constants: FormulaConstants = model): Score | null {
  if (weighed.totalEvents === 0) return null;
  const { verified, unverified, totalEvents, verifiedEvents } = weighed;
  const exact = exactScore(weighed, constants);
  const finalScore = round2(exact);
  const confidence = round4(ratio(verified.evidence, verified.evidence + constants.confidenceHalf));
  return {
    finalScore,
    scoreBand: scoreBandOf(finalScore, constants.bands),
    confidence,
    confidenceLabel: confidenceLabelOf(confidence),
    behavioralQuality: round2(verified.evidence > 0 ? verified.quality : unverified.quality),
    totalEvents,
    verifiedEvents,
    factors: attribute(weighed, exact, constants),
  };
}

/** Ageing alone moves a score by less than this in a day. docs/FORMULA.md "Age". */
export const AGEING_POINTS_A_DAY = 0.13;

/**
 * The score before rounding: a weighted mean of the verified quality and the start, limited by a ceiling for unverified outcomes and
 * a floor that only verified breaches lower. It is always within 0 and 100.
 */
export function exactScore(weighed: Weighed, constants: FormulaConstants = model): number {
  const { anchor, evidenceHalf, fairCeiling } = constants;
  const floor = (anchor * evidenceHalf) / (weighed.verified.sums.breach + evidenceHalf);
  return Math.max(
    Math.min(meanScore(weighed, constants), Math.max(ownScore(weighed, constants), fairCeiling)),
    floor,
  );
}

/** The same without ceiling and floor. */
export function meanScore(weighed: Weighed, { anchor }: FormulaConstants): number {
  const start = startOf(weighed, anchor);
  return start + (weighed.verified.quality - start) * weighed.verified.gate;
}

/** The start of a record, set by its unverified half: above 16 and below 34. */
function startOf({ unverified }: Weighed, anchor: number): number {
  return anchor + (unverified.quality - anchor) * unverified.gate;
}

/** The score of the verified half alone: from the anchor, and with everything delivered verified. */
function ownScore({ verified, depth }: Weighed, { anchor, weights }: FormulaConstants): number {
  const ownDepth = verified.sums.delivered > 0 ? 1 : 0;
  const quality = verified.quality + 100 * weights.verification * verified.completion * (ownDepth - depth);
  return anchor + (quality - anchor) * verified.gate;
}

function attribute(weighed: Weighed, exact: number, constants: FormulaConstants): Record<Factor, number> {
  const { verified, unverified } = weighed;
  const { anchor, weights } = constants;
  const unverifiedReach = (1 - verified.gate) * unverified.gate;
  const points = weightedFactors.map((factor) => {
    const offAnchor = (half: Half) => 100 * weights[factor] * (half[factor] - anchor / 100);
    return offAnchor(verified) * verified.gate + offAnchor(unverified) * unverifiedReach;
  });
  const gate = exact - meanScore(weighed, constants);
  const shares = apportion([...points, gate], hundredths(exact) - hundredths(anchor));
  const [completion = 0, timeliness = 0, disputes = 0, verification = 0, gatePoints = 0] = shares.map(
    (share) => share / 100,
  );
  return { completion, timeliness, disputes, verification, gate: gatePoints };
}
