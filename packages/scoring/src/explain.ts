import { countFacts, type RecordFacts } from './facts.js';
import { leadingHalf, type Weighed, weigh } from './halves.js';
import { type Factor, factorNames, model } from './model.js';
import { reasonCodeCatalog } from './reasonCodeCatalog.js';
import { adverseReasons, type Reason, supportingReasons } from './reasons.js';
import { ratio } from './rounding.js';
import { scoreOf } from './score.js';
import { canonical, type Day, type Tally } from './tally.js';

export interface FactorShare {
  name: Factor;
  /** points above or below the anchor, 2 decimals. The five sum to finalScore − anchor exactly */
  contribution: number;
  description: string;
}

export interface Explanation {
  /** the four weighted factors and the gate, in that order */
  factors: FactorShare[];
  reasonCodes: {
    /** largest cost first, complete */
    adverseActionReasons: Reason[];
    supportingFactors: Reason[];
    disclosures: string[];
  };
}

/**
 * Explains the score of a record on a UTC day: the contribution of each factor with a sentence of facts, and the reason codes
 * that apply. `frozen` says whether the velocity guard holds the score. `null` for a record without any event.
 * docs/FORMULA.md "Attribution", "Reason codes".
 */
export function explain(
  tallies: readonly Tally[],
  asOf: Day,
  { frozen }: { frozen: boolean },
): Explanation | null {
  const sorted = canonical(tallies);
  const weighed = weigh(sorted, asOf);
  const result = scoreOf(weighed);
  if (result === null) return null;
  const facts = countFacts(sorted, weighed);
  const subject = { tallies: sorted, asOf, weighed, facts, frozen };
  return {
    factors: factorNames.map((name) => ({
      name,
      contribution: result.factors[name],
      description: describe[name](facts, weighed, result.factors[name]),
    })),
    reasonCodes: {
      adverseActionReasons: adverseReasons(subject),
      supportingFactors: supportingReasons(subject),
      disclosures: [...reasonCodeCatalog.disclosures],
    },
  };
}

const describe: Record<Factor, (facts: RecordFacts, weighed: Weighed, points: number) => string> = {
  completion: ({ half }, weighed) =>
    half.outcomes === 0
      ? 'No outcomes yet, so no completion rate.'
      : `${half.completed} of ${outcomes(half)} completed; ${percent(leadingHalf(weighed).completion)} by weight.`,
  timeliness: ({ half }, weighed) =>
    half.dated === 0
      ? 'No completed outcome has both a due date and a completion date.'
      : `${half.onTime} of ${half.dated} completed ${plural(half.dated, 'outcome')} with both dates on time; ${percent(onTimeRate(weighed))} by weight.`,
  disputes: ({ contested, disputesLost }) =>
    contested + disputesLost === 0
      ? 'No outcome is contested and no dispute was decided against the subject.'
      : `${contested} contested ${plural(contested, 'outcome')} and ${disputesLost} ${plural(disputesLost, 'dispute')} decided against the subject.`,
  verification: ({ delivered, verifiedDelivered }, weighed) =>
    delivered === 0
      ? 'No completed outcomes that another party could have confirmed.'
      : `${verifiedDelivered} of ${delivered} completed ${plural(delivered, 'outcome')} confirmed by another party; ${percent(weighed.depth)} by weight.`,
  gate: (_facts, _weighed, points) => `${gateEffect(points)} ${gateRules}`,
};

const gateRules =
  `Unverified outcomes lift a score to ${model.fairCeiling} at most; ` +
  `only verified breaches lower it below ${model.anchor}.`;

function gateEffect(points: number): string {
  if (points === 0) return 'Floor and ceiling changed nothing.';
  return points > 0
    ? `The floor added ${points.toFixed(2)} points.`
    : `The ceiling took ${(-points).toFixed(2)} points.`;
}

function onTimeRate(weighed: Weighed): number {
  const { onTime, timed } = leadingHalf(weighed).sums;
  return ratio(onTime, timed);
}

function outcomes(half: RecordFacts['half']): string {
  return `${half.outcomes} ${half.isVerified ? 'verified' : 'unverified'} ${plural(half.outcomes, 'outcome')}`;
}

function plural(count: number, noun: string): string {
  return count === 1 ? noun : `${noun}s`;
}

/** Whole percent, half up, for display. The evidence of the reason codes has the exact rates. */
function percent(share: number): string {
  return `${Math.floor(share * 100 + 0.5 + model.rounding.tolerance)} %`;
}
