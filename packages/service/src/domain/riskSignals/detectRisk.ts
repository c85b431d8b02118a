import texts from '../../../data/riskSignals.json' with { type: 'json' };
import { dormantThenActive, lowBeforeHigh, positivesWithinMinutes, velocityBurst } from './paceSignals.js';
import {
  backdatedAdverse,
  bulkSameInstant,
  dueDateAtCompletion,
  identicalOutcomes,
} from './reportSignals.js';
import { type Finding, type RiskFacts, type Severity, type Signal, severities } from './riskFacts.js';
import {
  answeredByAsker,
  reciprocalConfirmation,
  selfAttestedShare,
  sharedWitnessRing,
  singleWitness,
} from './witnessSignals.js';

/** Signals of the same severity are listed in this order. */
const riskSignals = {
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
} as const satisfies Record<string, Signal>;
export type RiskSignalCode = keyof typeof riskSignals;
export const riskSignalCodes = Object.keys(riskSignals) as RiskSignalCode[];

export const riskTexts: Readonly<Record<RiskSignalCode, { title: string; description: string }>> = texts;

interface RiskSignal extends Finding {
  readonly code: RiskSignalCode;
  readonly title: string;
  readonly description: string;
}

export const riskLevels = ['none', ...severities] as const;
export type RiskLevel = (typeof riskLevels)[number];

/** Advice for people, which never affects a score (RULES R6). Most severe first, then by code. */
export function detectRisk(facts: RiskFacts): { level: RiskLevel; signals: RiskSignal[] } {
  const lookedAt = { eventsLookedAt: facts.events.length, eventsOnRecord: facts.eventsOnRecord };
  const found = riskSignalCodes.flatMap((code): RiskSignal[] => {
    const finding = facts.events.length === 0 ? null : riskSignals[code](facts);
    if (!finding) return [];
    const { severity, evidence } = finding;
    return [{ code, severity, ...riskTexts[code], evidence: { ...evidence, ...lookedAt } }];
  });
  const rankOf = (severity: Severity) => severities.indexOf(severity);
  const signals = found.sort((left, right) => rankOf(right.severity) - rankOf(left.severity));
  return { level: signals[0]?.severity ?? 'none', signals };
}
