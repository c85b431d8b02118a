import type { EventType, StakeLevel } from '@reliability/scoring';
import type { disputeOutcomes, disputeStatuses } from './catalogues/enums.js';
import type { ContestedEvent, OutcomeEvent } from './outcomeEvent.js';

export type DisputeStatus = (typeof disputeStatuses)[number];
export type DisputeOutcome = (typeof disputeOutcomes)[number];

export interface Ruling {
  readonly outcome: DisputeOutcome;
  readonly status: Exclude<DisputeStatus, 'OPEN'>;
  readonly lapsed: boolean;
}

export interface DisputedEvent {
  readonly externalId: string;
  readonly eventType: EventType;
  readonly stakeLevel: StakeLevel;
  readonly isVerified: boolean;
}

export function opensDispute(eventType: EventType): boolean {
  return eventType === 'TRANSACTION_DISPUTED';
}

/** Events of the engine cannot be disputed, or resolutions could be disputed without end. */
export function isDisputable(eventType: EventType): boolean {
  return eventType === 'CONTRACT_BREACHED' || opensDispute(eventType);
}

/** The ruling at `now`, from stored facts alone (RULES D2). After the window, every ruling is a lapse. */
export function rulingOf(dispute: { isVerified: boolean; respondBy: Date }, now: Date): Ruling {
  const lapsed = dispute.respondBy <= now;
  return dispute.isVerified && !lapsed
    ? { outcome: 'AGAINST_USER', status: 'RESOLVED_AGAINST_USER', lapsed }
    : { outcome: 'FOR_USER', status: 'RESOLVED_FOR_USER', lapsed };
}

/** Null while the dispute is open. */
export function outcomeOf(status: DisputeStatus): DisputeOutcome | null {
  if (status === 'OPEN') return null;
  return status === 'RESOLVED_FOR_USER' ? 'FOR_USER' : 'AGAINST_USER';
}

/** The event of a filed dispute. It weighs as much as the disputed event while the dispute is open. */
export function filingEvent(disputed: DisputedEvent, disputeId: string, reason: string | null): OutcomeEvent {
  const metadata = reason === null ? { disputeId } : { disputeId, reason };
  return engineEvent(disputed, 'DISPUTE_FILED', metadata, { disputeId, closes: null });
}

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
    metadata,
    engine,
    attester: null,
    transactionValue: null,
    dueDate: null,
    completedAt: null,
    itemKey: null,
    imported: false,
  };
}
