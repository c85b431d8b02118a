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
}

/** `metadata.autoImported: true` marks activity that no person reported (DECISIONS 3). */
export function isAutoImported(metadata: Readonly<Record<string, unknown>> | null): boolean {
  return metadata?.autoImported === true;
}
