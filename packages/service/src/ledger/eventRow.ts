import type { EventType, StakeLevel } from '@reliability/scoring';
import type { EventRecord } from '../domain/eventRecord.js';
import { parseExact } from '../domain/exactInteger.js';
import { isAutoImported } from '../domain/outcomeEvent.js';

/** What is selected of an event to show it. */
export interface EventRow {
  event_id: string;
  external_id: string;
  event_type: EventType;
  stake_level: StakeLevel;
  is_verified: boolean;
  attester: string | null;
  transaction_value: number | null;
  due_date: Date | null;
  completed_at: Date | null;
  /** JSON. */
  metadata: string | null;
  livemode: boolean;
  created_at: Date;
}

/** The columns of `EventRow`, of `event e join subject s using (subject_id)`. */
export const EVENT_COLUMNS = `e.event_id, s.external_id, e.event_type, e.stake_level, e.is_verified, e.attester, e.transaction_value,
  e.due_date, e.completed_at, e.metadata::text, e.livemode, e.created_at`;

export function eventRecordOfRow(row: EventRow): EventRecord {
  const metadata = metadataOf(row.metadata);
  return {
    id: row.event_id,
    userId: row.external_id,
    eventType: row.event_type,
    stakeLevel: row.stake_level,
    isVerified: row.is_verified,
    transactionValue: row.transaction_value,
    dueDate: row.due_date,
    completedAt: row.completed_at,
    metadata,
    autoImported: isAutoImported(metadata),
    livemode: row.livemode,
    createdAt: row.created_at,
    attester: row.attester,
  };
}

/** What a caller stored, to the digit. @param text JSON. */
export function metadataOf(text: string | null): Record<string, unknown> | null {
  return text === null ? null : (parseExact(text) as Record<string, unknown>);
}
