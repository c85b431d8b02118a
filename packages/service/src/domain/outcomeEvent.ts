import type { EventType, OutcomeFacts, PlatformTier, StakeLevel } from '@reliability/scoring';

/** Who reports: what the ledger copies onto each event. */
export interface Reporter {
  readonly platformId: string;
  readonly livemode: boolean;
  readonly trustTier: PlatformTier;
}

/** An outcome as reported, checked and defaulted. */
export interface OutcomeEvent {
  readonly externalId: string;
  readonly eventType: EventType;
  readonly stakeLevel: StakeLevel;
  /** As reported: what it is recorded as is judged when it is written. */
  readonly isVerified: boolean;
  /** The party named as having confirmed it; null for nobody. */
  readonly attester: string | null;
  readonly transactionValue: number | null;
  readonly dueDate: Date | null;
  readonly completedAt: Date | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  /** Makes a repeat a no-op for as long as the event stands. */
  readonly itemKey: string | null;
  /** Came by POST /imports: the velocity guard leaves it out. */
  readonly imported: boolean;
  /** Set on what the dispute engine writes, and by nobody else. */
  readonly engine?: EngineMark | undefined;
}

/** For which dispute an event was written, and the contested event that it takes out of the fold. */
export interface EngineMark {
  readonly disputeId: string;
  readonly closes: ContestedEvent | null;
}

/** A DISPUTE_FILED or TRANSACTION_DISPUTED event, with all that its tally was counted by. */
export interface ContestedEvent extends Readonly<OutcomeFacts> {
  readonly eventId: string;
}

/** `metadata.autoImported: true` marks activity that no person reported (RULES E9). */
export function isAutoImported(metadata: Readonly<Record<string, unknown>> | null): boolean {
  return metadata?.autoImported === true;
}

/** Auto-imported activity stays below HIGH (RULES E9). */
export function isStakeCapped(
  stakeLevel: StakeLevel | null | undefined,
  metadata: Readonly<Record<string, unknown>> | null,
): boolean {
  return stakeLevel === 'HIGH' && isAutoImported(metadata);
}
