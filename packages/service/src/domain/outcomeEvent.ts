import type { EventType, PlatformTier, StakeLevel } from '@reliability/scoring';

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
  readonly isVerified: boolean;
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

/** For which dispute an event was written, and the filing that it takes out of the fold. */
export interface EngineMark {
  readonly disputeId: string;
  readonly closes: Filing | null;
}

/** A DISPUTE_FILED event, with all that its tally was counted by. */
export interface Filing {
  readonly eventId: string;
  readonly stakeLevel: StakeLevel;
  readonly isVerified: boolean;
  readonly platformTier: PlatformTier;
  readonly createdAt: Date;
}

/** `metadata.autoImported: true` marks activity that no person reported (DECISIONS 3). */
export function isAutoImported(metadata: Readonly<Record<string, unknown>> | null): boolean {
  return metadata?.autoImported === true;
}

/** Auto-imported activity stays below HIGH (INTERFACE 2.1). */
export function isStakeCapped(
  stakeLevel: StakeLevel | null | undefined,
  metadata: Readonly<Record<string, unknown>> | null,
): boolean {
  return stakeLevel === 'HIGH' && isAutoImported(metadata);
}
