import type { EventType, StakeLevel } from '@reliability/scoring';
import { parseExact } from '#domain/exactInteger.js';
import { type EventRecord, isAutoImported } from '#domain/outcomeEvent.js';
import { textOf } from '../text/eventText.js';

export interface EventRow {
  eventId: string;
  externalId: string;
  eventType: EventType;
  stakeLevel: StakeLevel;
  isVerified: boolean;
  attester: string | null;
  transactionValue: number | null;
  dueDate: Date | null;
  completedAt: Date | null;
  metadata: string | null;
  imported: boolean;
  livemode: boolean;
  createdAt: Date;
  reportedBy: string | null;
}

export const EVENT_COLUMNS = `e.event_id, s.external_id, e.event_type, e.stake_level, e.is_verified, t.attester, t.transaction_value,
  e.due_date, e.completed_at, t.metadata::text, e.imported, e.livemode, e.created_at, e.reported_by`;

export const EVENT_ROWS = `event e join subject s on s.subject_id = e.subject_id ${textOf('e')}`;

export function eventRecordOfRow(row: EventRow): EventRecord {
  const metadata = metadataOf(row.metadata);
  return {
    id: row.eventId,
    userId: row.externalId,
    eventType: row.eventType,
    stakeLevel: row.stakeLevel,
    isVerified: row.isVerified,
    transactionValue: row.transactionValue,
    dueDate: row.dueDate,
    completedAt: row.completedAt,
    metadata,
    // Imports say it in the metadata, which may have been dropped.
    autoImported: row.imported || isAutoImported(metadata),
    livemode: row.livemode,
    createdAt: row.createdAt,
    attester: row.attester,
    reportedBy: row.reportedBy,
  };
}

/** Keeps integers past 2^53 exact. @param text JSON. */
export function metadataOf(text: string | null): Record<string, unknown> | null {
  return text === null ? null : (parseExact(text) as Record<string, unknown>);
}

/** `occurredAt` of @reliability/scoring as SQL. @param row the alias of table `event`. */
export function occurredAtOf(row: string): string {
  return `least(coalesce(${row}.completed_at, ${row}.due_date, ${row}.created_at), ${row}.created_at)`;
}

/** `dayOf` of @reliability/scoring as SQL: whole days since 1970-01-01, in UTC. */
export function dayOfTime(timestamp: string): string {
  return `((${timestamp} at time zone 'UTC')::date - date '1970-01-01')`;
}
