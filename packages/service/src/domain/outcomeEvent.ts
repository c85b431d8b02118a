import type { EventType, OutcomeFacts, PlatformTier, StakeLevel } from '@reliability/scoring';

/** The reporting platform, as the ledger copies it to each event. */
export interface Reporter {
  readonly platformId: string;
  readonly livemode: boolean;
  readonly trustTier: PlatformTier;
}

export interface OutcomeEvent {
  readonly externalId: string;
  readonly eventType: EventType;
  readonly stakeLevel: StakeLevel;
  /** As reported. The append decides how it is recorded. */
  readonly isVerified: boolean;
  /** The party named as attester; null: none. */
  readonly attester: string | null;
  readonly transactionValue: number | null;
  readonly dueDate: Date | null;
  readonly completedAt: Date | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  /** Makes a repeated report a no-op. */
  readonly itemKey: string | null;
  /** From POST /imports: the velocity guard does not count it. */
  readonly imported: boolean;
  readonly engine?: EngineMark | undefined;
}

/** The dispute that an event belongs to, and the contested event that it removes from the score. */
export interface EngineMark {
  readonly disputeId: string;
  readonly closes: ContestedEvent | null;
}

/** A DISPUTE_FILED or TRANSACTION_DISPUTED event with the fields that determine its tally. */
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
