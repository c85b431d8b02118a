import type { EventType, StakeLevel } from '@reliability/scoring';
import { isAutoImported, type OutcomeEvent } from '../../domain/outcomeEvent.js';

/** An event as answers show it (DECISIONS 3). */
export interface EventRecord {
  id: string;
  userId: string;
  eventType: EventType;
  stakeLevel: StakeLevel;
  isVerified: boolean;
  transactionValue: number | null;
  dueDate: Date | null;
  completedAt: Date | null;
  metadata: Readonly<Record<string, unknown>> | null;
  autoImported: boolean;
  livemode: boolean;
  createdAt: Date;
}

/** The record of an event that has just been written. */
export function eventRecordOf(
  event: OutcomeEvent,
  written: { eventId: string; livemode: boolean; createdAt: Date },
): EventRecord {
  const { externalId, eventType, stakeLevel, isVerified, transactionValue, dueDate, completedAt, metadata } =
    event;
  return {
    id: written.eventId,
    userId: externalId,
    eventType,
    stakeLevel,
    isVerified,
    transactionValue,
    dueDate,
    completedAt,
    metadata,
    autoImported: isAutoImported(metadata),
    livemode: written.livemode,
    createdAt: written.createdAt,
  };
}
