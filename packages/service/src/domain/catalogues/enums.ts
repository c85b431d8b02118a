import {
  type EventKind,
  type EventType,
  eventKindOf,
  eventTypes,
  model,
  platformTiers,
  stakeLevels,
} from '@reliability/scoring';
import { effects, enumTexts } from './enumTexts.js';
import { witnessTypes } from './outcomeTemplates/guidance.js';
import { plans } from './plans.js';

/** The types a platform may report through `POST /events` (INTERFACE 2.2). */
export const ingestibleEventTypes = [
  'TRANSACTION_COMPLETED',
  'TRANSACTION_DISPUTED',
  'TRANSACTION_CANCELLED',
  'REVIEW_VERIFIED',
  'CONTRACT_FULFILLED',
  'CONTRACT_CANCELLED',
  'CONTRACT_BREACHED',
  'DISPUTE_RESOLVED_FOR_USER',
] as const satisfies readonly EventType[];
export type IngestibleEventType = (typeof ingestibleEventTypes)[number];

/** The types a counterparty can be asked to confirm, and a template can suggest (DECISIONS 6). */
export type ConfirmableEventType = Exclude<IngestibleEventType, 'DISPUTE_RESOLVED_FOR_USER'>;
export const confirmableEventTypes: readonly ConfirmableEventType[] = ingestibleEventTypes.filter(
  (type) => type !== 'DISPUTE_RESOLVED_FOR_USER',
);

export const disputeStatuses = ['OPEN', 'RESOLVED_FOR_USER', 'RESOLVED_AGAINST_USER'] as const;

/** Of confirmation and reference requests alike. */
export const requestStatuses = ['PENDING', 'CONFIRMED', 'DECLINED', 'EXPIRED', 'CANCELLED'] as const;

/** A label only: the formula is the same for each. The first is the default. */
export const subjectTypes = ['PERSON', 'AGENT', 'ORGANIZATION'] as const;

/** What an answer to a write can warn of while still doing its work (DECISIONS 0 and 3). */
export const warningCodes = [
  'VERIFICATION_DOWNGRADED',
  'STAKE_CAPPED',
  'UNKNOWN_FIELD',
  'IDEMPOTENCY_KEY_REUSED',
] as const;

/** `outcome`, `qualification` or `project`; `undefined` for a value that is no event type. */
export function eventTypeKind(value: string): EventKind | undefined {
  return isEventType(value) ? eventKindOf(value) : undefined;
}

export function isEventType(value: string): value is EventType {
  return (eventTypes as readonly string[]).includes(value);
}

export function isIngestible(value: string): value is IngestibleEventType {
  return (ingestibleEventTypes as readonly string[]).includes(value);
}

/** The body of `GET /enums`: every closed set with what its values mean. Sets and values are added to, never removed. */
export const enumsCatalog = {
  eventType: eventTypes.map((value) => ({
    value,
    kind: eventKindOf(value),
    ingestible: isIngestible(value),
    effect: effects[value],
    description: enumTexts.eventType[value],
  })),
  stakeLevel: stakeLevels.map((value) => ({
    value,
    weight: model.stakeWeights[value],
    description: enumTexts.stakeLevel[value],
  })),
  scoreBand: model.bands.map(({ band, minimum }) => ({
    value: band,
    minimum,
    description: enumTexts.scoreBand[band],
  })),
  confidenceLabel: model.confidenceLabels.map(({ label, minimum }) => ({
    value: label,
    minimum,
    description: enumTexts.confidenceLabel[label],
  })),
  disputeStatus: disputeStatuses.map((value) => ({
    value,
    terminal: value !== 'OPEN',
    description: enumTexts.disputeStatus[value],
  })),
  confirmationRequestStatus: describeRequestStatuses('outcome event'),
  referenceRequestStatus: describeRequestStatuses('qualification'),
  subjectType: subjectTypes.map((value) => ({ value, description: enumTexts.subjectType[value] })),
  platformTier: platformTiers.map((value) => ({
    value,
    trustMultiplier: model.tierMultipliers[value],
    description: enumTexts.platformTier[value],
  })),
  planTier: plans.map(({ key, name }) => ({ value: key, name, description: enumTexts.planTier[key] })),
  witnessType: witnessTypes,
  warningCode: warningCodes.map((value) => ({ value, description: enumTexts.warningCode[value] })),
};

/** Only a confirmed request writes something; `writes` names it and is null for every other status. */
function describeRequestStatuses(written: string) {
  return requestStatuses.map((value) => ({
    value,
    terminal: value !== 'PENDING',
    writes: value === 'CONFIRMED' ? written : null,
    description: enumTexts.requestStatus[value],
  }));
}
