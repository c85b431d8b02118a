import { answeredByAsker } from './answeredByAsker.js';
import { backdatedAdverse } from './backdatedAdverse.js';
import { bulkSameInstant } from './bulkSameInstant.js';
import { dormantThenActive } from './dormantThenActive.js';
import { dueDateAtCompletion } from './dueDateAtCompletion.js';
import { identicalOutcomes } from './identicalOutcomes.js';
import { lowBeforeHigh } from './lowBeforeHigh.js';
import { positivesWithinMinutes } from './positivesWithinMinutes.js';
import { reciprocalConfirmation } from './reciprocalConfirmation.js';
import { type Detector, type RiskEvidence, type RiskFacts, type Severity, severities } from './riskFacts.js';
import { riskTexts } from './riskTexts.js';
import { selfAttestedShare } from './selfAttestedShare.js';
import { sharedWitnessRing } from './sharedWitnessRing.js';
import { singleWitness } from './singleWitness.js';
import { velocityBurst } from './velocityBurst.js';

/** Signals of the same severity are listed in this order. */
export const riskSignalCodes = [
  'VELOCITY_BURST',
  'SINGLE_WITNESS',
  'RECIPROCAL_CONFIRMATION',
  'SHARED_WITNESS_RING',
  'SELF_ATTESTED_SHARE',
  'IDENTICAL_OUTCOMES',
  'BULK_SAME_INSTANT',
  'DORMANT_THEN_ACTIVE',
  'ANSWERED_BY_ASKER',
  'BACKDATED_ADVERSE',
  'LOW_BEFORE_HIGH',
  'POSITIVES_WITHIN_MINUTES',
  'DUE_DATE_AT_COMPLETION',
] as const;
export type RiskSignalCode = (typeof riskSignalCodes)[number];

export interface RiskSignal {
  readonly code: RiskSignalCode;
  readonly severity: Severity;
  readonly title: string;
  readonly description: string;
  readonly evidence: RiskEvidence;
}

export const riskLevels = ['none', ...severities] as const;
export type RiskLevel = (typeof riskLevels)[number];

/**
 * Signs of gaming in one subject's events: deterministic statistics, each with its figures. They
 * are advice for people and never affect a score (RULES R6). Most severe first, then by code.
 */
export function detectRisk(facts: RiskFacts): { level: RiskLevel; signals: RiskSignal[] } {
  const lookedAt = { eventsLookedAt: facts.events.length, eventsOnRecord: facts.eventsOnRecord };
  const found = riskSignalCodes.flatMap((code): RiskSignal[] => {
    const finding = facts.events.length === 0 ? null : detectors[code](facts);
    if (!finding) return [];
    const { severity, evidence } = finding;
    return [{ code, severity, ...riskTexts[code], evidence: { ...evidence, ...lookedAt } }];
  });
  const signals = found.sort((left, right) => rankOf(right) - rankOf(left));
  return { level: signals[0]?.severity ?? 'none', signals };
}

const detectors: Record<RiskSignalCode, Detector> = {
  VELOCITY_BURST: velocityBurst,
  SINGLE_WITNESS: singleWitness,
  RECIPROCAL_CONFIRMATION: reciprocalConfirmation,
  SHARED_WITNESS_RING: sharedWitnessRing,
  SELF_ATTESTED_SHARE: selfAttestedShare,
  IDENTICAL_OUTCOMES: identicalOutcomes,
  BULK_SAME_INSTANT: bulkSameInstant,
  DORMANT_THEN_ACTIVE: dormantThenActive,
  ANSWERED_BY_ASKER: answeredByAsker,
  BACKDATED_ADVERSE: backdatedAdverse,
  LOW_BEFORE_HIGH: lowBeforeHigh,
  POSITIVES_WITHIN_MINUTES: positivesWithinMinutes,
  DUE_DATE_AT_COMPLETION: dueDateAtCompletion,
};

function rankOf({ severity }: RiskSignal): number {
  return severities.indexOf(severity);
}
