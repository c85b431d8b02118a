import type { EventType, StakeLevel } from '@reliability/scoring';
import type { disputeOutcomes, disputeStatuses } from './catalogues/enums.js';
import { assertNever } from './errors.js';
import type { ContestedEvent, OutcomeEvent } from './outcomeEvent.js';

export type DisputeStatus = (typeof disputeStatuses)[number];
export type DisputeOutcome = (typeof disputeOutcomes)[number];

/** How a dispute ends. */
export interface Ruling {
  readonly outcome: DisputeOutcome;
  readonly status: Exclude<DisputeStatus, 'OPEN'>;
  /** Nobody asked before the window ended. */
  readonly lapsed: boolean;
}

/** What a ruling, and the events that the engine writes, follow from: the disputed event, as the ledger has it. */
export interface DisputedEvent {
  readonly externalId: string;
  readonly eventType: EventType;
  readonly stakeLevel: StakeLevel;
  readonly isVerified: boolean;
}

/** This type opens a dispute by itself when it is recorded. */
export function opensDispute(eventType: EventType): boolean {
  return eventType === 'TRANSACTION_DISPUTED';
}

/**
 * Whether `POST /disputes` takes an event of this type: a reported breach, or a disputed outcome. What the engine wrote is the
 * end of a dispute or the beginning of one, and no matter for another: else a resolution could be disputed without end.
 */
export function isDisputable(eventType: EventType): boolean {
  return eventType === 'CONTRACT_BREACHED' || opensDispute(eventType);
}

/** The end of a dispute at `now`, from the record alone (RULES D2). Once the window has ended it is a lapse, whoever asks. */
export function rulingOf(dispute: { isVerified: boolean; respondBy: Date }, now: Date): Ruling {
  const lapsed = dispute.respondBy <= now;
  return dispute.isVerified && !lapsed
    ? { outcome: 'AGAINST_USER', status: 'RESOLVED_AGAINST_USER', lapsed }
    : { outcome: 'FOR_USER', status: 'RESOLVED_FOR_USER', lapsed };
}

/** Null while the dispute is open. */
export function outcomeOf(status: DisputeStatus): DisputeOutcome | null {
  switch (status) {
    case 'OPEN':
      return null;
    case 'RESOLVED_FOR_USER':
      return 'FOR_USER';
    case 'RESOLVED_AGAINST_USER':
      return 'AGAINST_USER';
    default:
      return assertNever(status);
  }
}

/** The event that says that a result is contested. It weighs as much as that result, and no longer than the dispute is open. */
export function filingEvent(disputed: DisputedEvent, disputeId: string, reason: string | null): OutcomeEvent {
  const metadata = reason === null ? { disputeId } : { disputeId, reason };
  return engineEvent(disputed, 'DISPUTE_FILED', metadata, { disputeId, closes: null });
}

/** The event that a dispute ends with: from it on the contested event is left out of the score, and this one replaces it. */
export function outcomeEvent(
  disputed: DisputedEvent,
  disputeId: string,
  { outcome }: Ruling,
  closes: ContestedEvent,
): OutcomeEvent {
  return engineEvent(disputed, `DISPUTE_RESOLVED_${outcome}`, { disputeId }, { disputeId, closes });
}

function engineEvent(
  { externalId, stakeLevel, isVerified }: DisputedEvent,
  eventType: EventType,
  metadata: OutcomeEvent['metadata'],
  engine: OutcomeEvent['engine'],
): OutcomeEvent {
  return {
    externalId,
    eventType,
    stakeLevel,
    isVerified,
    attester: null,
    transactionValue: null,
    dueDate: null,
    completedAt: null,
    metadata,
    itemKey: null,
    imported: false,
    engine,
  };
}
