import type { RecordFacts } from './facts.js';
import { leadingHalf, type Weighed, weigh } from './halves.js';
import { model, type WeightedFactor } from './model.js';
import { type ReasonCode, type ReasonFactor, reasonCodeCatalog } from './reasonCodeCatalog.js';
import { ratio, reaches, round2, round4 } from './rounding.js';
import { exactScore } from './score.js';
import type { Day, Tally } from './tally.js';

/** A reason code that applies, with its catalogue text and the counts and rates behind it. */
export interface Reason {
  code: ReasonCode;
  factor: ReasonFactor;
  title: string;
  description: string;
  evidence: Record<string, number | null>;
}

/** A record on a day, weighed and counted. */
export interface Subject {
  tallies: readonly Tally[];
  asOf: Day;
  weighed: Weighed;
  facts: RecordFacts;
  frozen: boolean;
}

interface Finding {
  code: ReasonCode;
  evidence: Reason['evidence'];
  /** points that an adverse finding costs, 0 for a supporting one */
  cost: number;
}

const limits = model.reasonCodes;

/** The adverse reasons that apply, largest cost first, equal costs by code. The list is complete. docs/FORMULA.md "Reason codes". */
export function adverseReasons(subject: Subject): Reason[] {
  return applicable(subject, 'adverse')
    .sort((a, b) => micropoints(b.cost) - micropoints(a.cost) || (a.code < b.code ? -1 : 1))
    .map(toReason);
}

/** The supporting reasons that apply, in the order of the catalogue. */
export function supportingReasons(subject: Subject): Reason[] {
  return applicable(subject, 'supporting').map(toReason);
}

function applicable(subject: Subject, direction: 'adverse' | 'supporting'): Finding[] {
  return reasonCodeCatalog.codes
    .filter((entry) => entry.direction === direction)
    .flatMap(({ code }) => {
      const { applies, evidence, cost } = rules[code](subject);
      return applies ? [{ code, evidence, cost: cost?.() ?? 0 }] : [];
    });
}

// Equal costs are ordered by code, so costs that differ only in the last bits must compare as equal.
function micropoints(cost: number): number {
  return cost === Number.POSITIVE_INFINITY ? Number.MAX_SAFE_INTEGER : Math.round(cost * 1e6);
}

function toReason({ code, evidence }: Finding): Reason {
  const { factor, title, description } = textOf(code);
  return { code, factor, title, description, evidence };
}

function textOf(code: ReasonCode) {
  const entry = reasonCodeCatalog.codes.find((candidate) => candidate.code === code);
  if (!entry) throw new Error(`reason code ${code} is not in the catalogue`);
  return entry;
}

type Rule = (subject: Subject) => { applies: boolean; evidence: Reason['evidence']; cost?: () => number };

const rules: Record<ReasonCode, Rule> = {
  NO_VERIFIED_HISTORY: (subject) => ({
    applies: subject.weighed.verified.evidence === 0,
    evidence: historyEvidence(subject),
    cost: () => evidenceCost(subject),
  }),
  LIMITED_VERIFIED_HISTORY: (subject) => ({
    applies: hasEvidence(subject) && !reaches(subject.weighed.verified.evidence, limits.limitedEvidenceBelow),
    evidence: historyEvidence(subject),
    cost: () => evidenceCost(subject),
  }),
  ESTABLISHED_VERIFIED_HISTORY: (subject) => ({
    applies: reaches(subject.weighed.verified.evidence, limits.establishedEvidenceFrom),
    evidence: historyEvidence(subject),
  }),
  LOW_COMPLETION_RATE: (subject) => ({
    applies:
      subject.facts.outcomes > 0 &&
      !reaches(leadingHalf(subject.weighed).completion, limits.lowCompletionBelow),
    evidence: completionEvidence(subject),
    cost: () => factorCost(subject, 'completion'),
  }),
  STRONG_COMPLETION_RATE: (subject) => ({
    applies:
      hasEvidence(subject) && reaches(leadingHalf(subject.weighed).completion, limits.strongCompletionFrom),
    evidence: completionEvidence(subject),
  }),
  LOW_ONTIME_RATE: (subject) => ({
    applies: hasDates(subject) && !reaches(onTimeRate(subject), limits.lowOnTimeBelow),
    evidence: onTimeEvidence(subject),
    cost: () => factorCost(subject, 'timeliness'),
  }),
  STRONG_ONTIME_RATE: (subject) => ({
    applies:
      hasEvidence(subject) && hasDates(subject) && reaches(onTimeRate(subject), limits.strongOnTimeFrom),
    evidence: onTimeEvidence(subject),
  }),
  DISPUTED_OUTCOMES_ON_RECORD: (subject) => ({
    applies: isDisputed(subject),
    evidence: disputeEvidence(subject),
    cost: () => factorCost(subject, 'disputes'),
  }),
  CLEAN_DISPUTE_RECORD: (subject) => ({
    applies: hasEvidence(subject) && !isDisputed(subject),
    evidence: disputeEvidence(subject),
  }),
  LOW_VERIFICATION_DEPTH: (subject) => ({
    applies: subject.facts.positive > 0 && !reaches(subject.weighed.depth, limits.lowDepthBelow),
    evidence: depthEvidence(subject),
    cost: () => factorCost(subject, 'verification'),
  }),
  INDEPENDENTLY_VERIFIED_RECORD: (subject) => ({
    applies: subject.facts.positive > 0 && reaches(subject.weighed.depth, limits.independentDepthFrom),
    evidence: depthEvidence(subject),
  }),
  INACTIVE_RECORD: (subject) => ({
    applies: daysSinceLastOutcome(subject) > limits.inactiveAfterDays,
    evidence: {
      daysSinceLastOutcome: daysSinceLastOutcome(subject),
      thresholdDays: limits.inactiveAfterDays,
    },
    cost: () => inactivityCost(subject),
  }),
  RECORD_UNDER_VELOCITY_REVIEW: (subject) => ({
    applies: subject.frozen,
    evidence: { totalEvents: subject.weighed.totalEvents },
    cost: () => Number.POSITIVE_INFINITY,
  }),
};

function hasEvidence({ weighed }: Subject): boolean {
  return weighed.verified.evidence > 0;
}

function hasDates({ weighed }: Subject): boolean {
  return leadingHalf(weighed).sums.timed > 0;
}

function isDisputed({ facts }: Subject): boolean {
  return facts.contested + facts.disputesLost > 0;
}

function onTimeRate({ weighed }: Subject): number {
  const { onTime, timed } = leadingHalf(weighed).sums;
  return ratio(onTime, timed);
}

/** 0 for a record without outcomes: it cannot be inactive. */
function daysSinceLastOutcome({ facts, asOf }: Subject): number {
  return facts.lastOutcomeDay === null ? 0 : Math.max(0, asOf - facts.lastOutcomeDay);
}

function factorCost({ weighed }: Subject, factor: WeightedFactor): number {
  const half = leadingHalf(weighed);
  return 100 * model.weights[factor] * (1 - half[factor]) * half.gate;
}

function evidenceCost({ weighed }: Subject): number {
  return Math.max(0, (leadingHalf(weighed).quality - model.anchor) * (1 - weighed.verified.gate));
}

/** The points the score would gain if the latest outcome were of today and all others younger by as many days. */
function inactivityCost({ tallies, asOf, weighed, facts }: Subject): number {
  return exactScore(weigh(tallies, facts.lastOutcomeDay ?? asOf)) - exactScore(weighed);
}

function historyEvidence({ weighed, facts }: Subject) {
  return {
    verifiedOutcomes: facts.verifiedOutcomes,
    unverifiedOutcomes: facts.outcomes - facts.verifiedOutcomes,
    verifiedEvidence: round2(weighed.verified.evidence),
  };
}

function completionEvidence({ weighed, facts }: Subject) {
  const { completed, outcomes } = facts.half;
  const completionRate = outcomes === 0 ? null : round4(leadingHalf(weighed).completion);
  return { completionRate, completedOutcomes: completed, outcomes };
}

function onTimeEvidence(subject: Subject) {
  const { onTime, dated } = subject.facts.half;
  return { onTimeRate: round4(onTimeRate(subject)), onTimeOutcomes: onTime, datedOutcomes: dated };
}

function disputeEvidence({ facts }: Subject) {
  return {
    contestedOutcomes: facts.contested,
    disputesDecidedAgainst: facts.disputesLost,
    outcomes: facts.outcomes,
  };
}

function depthEvidence({ weighed, facts }: Subject) {
  return {
    verificationDepth: round4(weighed.depth),
    verifiedCompletedOutcomes: facts.verifiedDelivered,
    completedOutcomes: facts.delivered,
  };
}
