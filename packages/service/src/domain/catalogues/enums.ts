import {
  type EventKind,
  type EventType,
  eventKindOf,
  eventTypes,
  model,
  platformTiers,
  stakeLevels,
} from '@reliability/scoring';
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
export type SubjectType = (typeof subjectTypes)[number];

/** What an answer to a write can warn of while still doing its work (DECISIONS 0 and 3). */
export const warningCodes = [
  'VERIFICATION_DOWNGRADED',
  'STAKE_CAPPED',
  'UNKNOWN_FIELD',
  'IDEMPOTENCY_KEY_REUSED',
] as const;
export type WarningCode = (typeof warningCodes)[number];

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

const effects: Record<EventType, string> = {
  TRANSACTION_COMPLETED: 'Counts as a positive completed outcome.',
  TRANSACTION_DISPUTED:
    'Counts against behavioural quality and opens a dispute; while unresolved it is no breach in the dispatch read.',
  TRANSACTION_CANCELLED: 'Neutral: enters no sum of the formula.',
  REVIEW_VERIFIED: 'Counts as a positive completed outcome: a review found the work in order.',
  CONTRACT_FULFILLED: 'Counts as a positive completed outcome: what was agreed was delivered.',
  CONTRACT_CANCELLED: 'Neutral: the agreement ended without a failure of the subject.',
  CONTRACT_BREACHED: 'The heaviest negative signal: an obligation was not met.',
  DISPUTE_FILED: 'Weighs on the dispute rate until the dispute is resolved. Written by the service.',
  DISPUTE_RESOLVED_FOR_USER:
    'Positive, and partly offsets the dispute rate. The dispute engine writes it when a dispute ends for the subject.',
  DISPUTE_RESOLVED_AGAINST_USER:
    'As adverse as a breach. Written only by the dispute engine, when a dispute ends against the subject.',
  EDUCATION_VERIFIED: 'A degree or course for the verified profile; never scored.',
  SKILL_VERIFIED: 'A skill for the verified profile; never scored.',
  CERTIFICATION_VERIFIED: 'A certificate or licence for the verified profile; never scored.',
  EMPLOYMENT_VERIFIED: 'A period of employment for the verified profile; never scored.',
  PROJECT_LOGGED: 'A link to own work, as its owner presents it; never scored and never fetched.',
};

const subjectTypeDescriptions: Record<SubjectType, string> = {
  PERSON: 'A human being; the type of a subject of which nothing else was said.',
  AGENT: 'A software agent, with an operator who answers for it.',
  ORGANIZATION: 'A business or another body with a declared identity.',
};

const warningDescriptions: Record<WarningCode, string> = {
  VERIFICATION_DOWNGRADED:
    'isVerified was recorded as false: no party independent of the subject stood behind it.',
  STAKE_CAPPED: 'HIGH was recorded as MEDIUM, because imported activity does not carry the highest stake.',
  UNKNOWN_FIELD:
    'A field that no event has was left out. Look for a misspelling: the ledger is not edited later.',
  IDEMPOTENCY_KEY_REUSED:
    'The item key was used before with other content. The first event stands and nothing was written.',
};

/** The body of `GET /enums`: every closed set with what its values mean. Sets and values are added to, never removed. */
export const enumsCatalog = {
  eventType: eventTypes.map((value) => ({
    value,
    kind: eventKindOf(value),
    ingestible: isIngestible(value),
    effect: effects[value],
  })),
  stakeLevel: stakeLevels.map((value) => ({ value, weight: model.stakeWeights[value] })),
  scoreBand: model.bands.map(({ band, minimum }) => ({ value: band, minimum })),
  confidenceLabel: model.confidenceLabels.map(({ label, minimum }) => ({ value: label, minimum })),
  disputeStatus: disputeStatuses.map((value) => ({ value, terminal: value !== 'OPEN' })),
  confirmationRequestStatus: describeRequestStatuses('outcome event'),
  referenceRequestStatus: describeRequestStatuses('qualification'),
  subjectType: subjectTypes.map((value) => ({ value, description: subjectTypeDescriptions[value] })),
  platformTier: platformTiers.map((value) => ({ value, trustMultiplier: model.tierMultipliers[value] })),
  planTier: plans.map(({ key, name }) => ({ value: key, name })),
  witnessType: witnessTypes,
  warningCode: warningCodes.map((value) => ({ value, description: warningDescriptions[value] })),
};

/** Only a confirmed request writes something; `writes` names it and is null for every other status. */
function describeRequestStatuses(written: string) {
  return requestStatuses.map((value) => ({
    value,
    terminal: value !== 'PENDING',
    writes: value === 'CONFIRMED' ? written : null,
  }));
}
