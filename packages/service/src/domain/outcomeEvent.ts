import {
  type EventType,
  eventTypes,
  type OutcomeFacts,
  type PlatformTier,
  type StakeLevel,
  stakeLevels,
} from '@reliability/scoring';
import { z } from 'zod';
import { instant } from './scoreFields.js';

export interface Reporter {
  readonly platformId: string;
  readonly livemode: boolean;
  readonly trustTier: PlatformTier;
  /** The key, or the user of the console, that reports. Null or left out: the service itself. */
  readonly keyId?: string | null;
}

export interface OutcomeEvent {
  readonly externalId: string;
  readonly eventType: EventType;
  readonly stakeLevel: StakeLevel;
  /** As reported. The append decides how it is recorded. */
  readonly isVerified: boolean;
  readonly attester: string | null;
  readonly transactionValue: number | null;
  readonly dueDate: Date | null;
  readonly completedAt: Date | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
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

export function eventRecordOf(
  event: OutcomeEvent,
  written: { eventId: string; isVerified: boolean; livemode: boolean; createdAt: Date; reportedBy: string },
): EventRecord {
  const { externalId, eventType, stakeLevel, transactionValue, dueDate, completedAt, metadata } = event;
  return {
    id: written.eventId,
    userId: externalId,
    eventType,
    stakeLevel,
    isVerified: written.isVerified,
    transactionValue,
    dueDate,
    completedAt,
    metadata,
    autoImported: isAutoImported(metadata),
    livemode: written.livemode,
    createdAt: written.createdAt,
    attester: null,
    reportedBy: written.reportedBy,
  };
}

export type EventRecord = z.output<typeof EventRecordSchema>;
export const EventRecordSchema = z
  .object({
    id: z.uuid(),
    userId: z.string(),
    eventType: z.enum(eventTypes),
    stakeLevel: z.enum(stakeLevels),
    isVerified: z.boolean(),
    transactionValue: z.number().nullable(),
    dueDate: instant.nullable(),
    completedAt: instant.nullable(),
    metadata: z.record(z.string(), z.unknown()).nullable(),
    autoImported: z.boolean(),
    livemode: z.boolean(),
    createdAt: instant,
    attester: z
      .string()
      .nullable()
      .meta({
        description:
          'Who confirmed the outcome: the counterparty of a confirmation, or the `verifiedBy` of an ingested or imported record. ' +
          'Null if it is not verified, only your platform says so, or the text was dropped by age. Only the service writes it.',
      }),
    reportedBy: z.uuid().nullable(),
  })
  .meta({ id: 'EventRecord' });
