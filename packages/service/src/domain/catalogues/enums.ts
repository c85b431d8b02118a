import type { EventType } from '@reliability/scoring';
import witnessTexts from '../../../data/witnessTypes.json' with { type: 'json' };

/** The types a platform may report through `POST /events` (RULES E5). */
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

/** The types a counterparty can be asked to confirm, and a template can suggest (RULES A13). */
export type ConfirmableEventType = Exclude<IngestibleEventType, 'DISPUTE_RESOLVED_FOR_USER'>;
export const confirmableEventTypes: readonly ConfirmableEventType[] = ingestibleEventTypes.filter(
  (type) => type !== 'DISPUTE_RESOLVED_FOR_USER',
);

export const disputeStatuses = ['OPEN', 'RESOLVED_FOR_USER', 'RESOLVED_AGAINST_USER'] as const;
export const disputeOutcomes = ['FOR_USER', 'AGAINST_USER'] as const;

/** An open review is not a dispute: no rule decides it, a person answers. */
export const reviewStatuses = ['OPEN', 'ANSWERED', 'WITHDRAWN'] as const;
export const reviewOutcomes = ['UPHELD', 'CORRECTED', 'PARTLY'] as const;

export const requestStatuses = ['PENDING', 'CONFIRMED', 'DECLINED', 'EXPIRED', 'CANCELLED'] as const;
export const requestDecisions = ['confirm', 'decline'] as const;
export const reminderStages = ['awaiting_response', 'expiring_soon'] as const;

/** Of imports, screenings and backtests. The last two are final. */
export const jobStatuses = ['QUEUED', 'RUNNING', 'COMPLETED', 'FAILED'] as const;

export const itemStatuses = ['created', 'skipped', 'duplicate', 'failed'] as const;

export const deliveryStatuses = ['succeeded', 'failed'] as const;

export const disabledReasons = ['gone', 'failing'] as const;

export const channelTypes = ['slack', 'email'] as const;

export const qualificationStatuses = ['current', 'expired'] as const;

export const keyModes = ['live', 'test'] as const;

/** Of people who sign in to the console. */
export const userRoles = ['viewer', 'support', 'admin'] as const;
export type UserRole = (typeof userRoles)[number];

/** A label only: the formula is the same for each. The first is the default. */
export const subjectTypes = ['PERSON', 'AGENT', 'ORGANIZATION'] as const;
export type SubjectType = (typeof subjectTypes)[number];

export const warningCodes = [
  'VERIFICATION_DOWNGRADED',
  'STAKE_CAPPED',
  'UNKNOWN_FIELD',
  'IDEMPOTENCY_KEY_REUSED',
  'KEY_EXPIRY_CLAMPED',
  'KEY_OPENS_CONFIRMATIONS',
  'RECEIPT_PENDING',
  'TEST_MODE_NOT_ALLOWED',
] as const;

export function isIngestible(value: string): value is IngestibleEventType {
  return (ingestibleEventTypes as readonly string[]).includes(value);
}

/** Who besides the worker can know of an outcome. No type weighs more than another (RULES V13). */
export type WitnessType = keyof typeof witnessTexts;
export const witnessTypes = Object.entries(witnessTexts).map(([value, texts]) => ({
  value: value as WitnessType,
  ...texts,
}));
