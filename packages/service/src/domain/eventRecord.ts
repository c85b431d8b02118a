import { type EventType, eventTypes, type StakeLevel, stakeLevels } from '@reliability/scoring';
import { z } from 'zod';
import { isAutoImported, type OutcomeEvent } from './outcomeEvent.js';

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

export const EVENT_EXAMPLE = {
  id: '0199a3c2-7b1e-7c40-8d21-5f0c9b7a1e34',
  userId: 'worker-4711',
  eventType: 'CONTRACT_FULFILLED',
  stakeLevel: 'HIGH',
  isVerified: true,
  transactionValue: 480,
  dueDate: '2026-03-01T17:00:00.000Z',
  completedAt: '2026-03-01T15:42:10.000Z',
  metadata: { orderId: 'A-1009' },
  autoImported: false,
  livemode: true,
  createdAt: '2026-03-01T15:45:02.118Z',
};

/** The same for the API reference. */
export const EventRecordSchema = z
  .object({
    id: z.uuid(),
    userId: z.string(),
    eventType: z.enum(eventTypes),
    stakeLevel: z.enum(stakeLevels),
    isVerified: z.boolean(),
    transactionValue: z.number().nullable(),
    dueDate: z.iso.datetime().nullable(),
    completedAt: z.iso.datetime().nullable(),
    metadata: z.record(z.string(), z.unknown()).nullable(),
    autoImported: z.boolean(),
    livemode: z.boolean(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'EventRecord', description: 'An event as the ledger holds it.', example: EVENT_EXAMPLE });
