import { type Half, type Weighed, weigh } from './halves.js';
import {
  type ConfidenceLabel,
  confidenceLabelOf,
  type Factor,
  model,
  type ScoreBand,
  scoreBandOf,
  weightedFactors,
} from './model.js';
import { apportion, hundredths, ratio, reaches, round2, round4 } from './rounding.js';
import { canonical, type Day, type Tally } from './tally.js';

export interface Score {
  /** 0 to 100, 2 decimals */
  finalScore: number;
  scoreBand: ScoreBand;
  /** 0 to 1, 4 decimals */
  confidence: number;
  confidenceLabel: ConfidenceLabel;
  /** 0 to 100, 2 decimals: the quality of the leading half before any gate */
  behavioralQuality: number;
  /** outcome events, cancelled ones among them */
  totalEvents: number;
  verifiedEvents: number;
  /** points each factor moved the score away from the anchor; in hundredths they sum to finalScore − anchor exactly */
  factors: Record<Factor, number>;
}

/**
 * The score of a record on a UTC day: a pure function of its tallies (any order, duplicates allowed) and that day. `null` for
 * a record without any event. Throws RangeError for a negative or fractional count. SCORING.
 */
export function score(tallies: readonly Tally[], asOf: Day): Score | null {
  return scoreOf(weigh(canonical(tallies), asOf));
}

/** The score of a record that is weighed already. */
export function scoreOf(weighed: Weighed): Score | null {
  if (weighed.totalEvents === 0) return null;
  const { verified, unverified, totalEvents, verifiedEvents } = weighed;
  const exact = exactScore(weighed);
  const finalScore = round2(exact);
  const confidence = round4(ratio(verified.evidence, verified.evidence + model.confidenceHalf));
  return {
    finalScore,
    scoreBand: scoreBandOf(finalScore),
    confidence,
    confidenceLabel: confidenceLabelOf(confidence),
    behavioralQuality: round2(verified.evidence > 0 ? verified.quality : unverified.quality),
    totalEvents,
    verifiedEvents,
    factors: attribute(weighed, exact),
  };
}

/** The score before it is rounded. */
export function exactScore(weighed: Weighed): number {
  const { verified, hasVerifiedBreach } = weighed;
  const supported = supportedScore(weighed);
  let points = ungatedScore(weighed);
  if (!hasVerifiedBreach) points = Math.max(points, model.anchor);
  if (verified.evidence === 0) points = Math.min(points, model.unprovenCeiling);
  if (!reaches(supported, model.fairCeilingBelow)) points = Math.min(points, model.fairCeiling);
  return Math.min(Math.max(points, model.scoreMinimum), model.scoreMaximum);
}

/** What the verified half alone supports. */
function supportedScore({ verified }: Weighed): number {
  return model.anchor + (verified.quality - model.anchor) * verified.gate;
}

function ungatedScore(weighed: Weighed): number {
  return supportedScore(weighed) + (weighed.unverified.quality - model.anchor) * unverifiedReach(weighed);
}

/** How much of the unverified half's distance from the anchor enters: its gate, in the room verified evidence leaves. */
function unverifiedReach({ verifiedGate, unverified }: Weighed): number {
  return (1 - verifiedGate) * unverified.gate;
}

function attribute(weighed: Weighed, exact: number): Record<Factor, number> {
  const { verified, unverified } = weighed;
  const points = weightedFactors.map((factor) => {
    const offAnchor = (half: Half) => 100 * model.weights[factor] * (half[factor] - model.anchor / 100);
    return offAnchor(verified) * verified.gate + offAnchor(unverified) * unverifiedReach(weighed);
  });
  const gate = exact - ungatedScore(weighed);
  const shares = apportion([...points, gate], hundredths(exact) - hundredths(model.anchor));
  const [completion = 0, timeliness = 0, disputes = 0, verification = 0, gatePoints = 0] = shares.map(
    (share) => share / 100,
  );
  return { completion, timeliness, disputes, verification, gate: gatePoints };
}
