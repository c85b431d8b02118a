import {
  type OutcomeFacts,
  occurredAt,
  outcomeClassOf,
  type Tally,
  tallyCodeOf,
  tallyKeyOf,
} from '@reliability/scoring';
import type { RowReader } from './reader.js';
import type { Report } from './report.js';
import type { AuditedEvent } from './store.js';
import { readable, StoredEvent } from './storedRows.js';

/** The fold of one subject's ledger up to a position. It only moves forward. */
export interface LedgerCursor {
  readonly subjectId: string;
  /** Folds all events up to and including this position. */
  advanceTo(position: number): Promise<void>;
  /** The last position passed to `advanceTo`. */
  readonly position: number;
  /** Number of events up to here. */
  readonly eventCount: number;
  /** Of these, the events that count: contested events whose dispute has ended are excluded. */
  readonly foldedCount: number;
  readonly foldedVerifiedCount: number;
  readonly lastActivityAt: Date | null;
  /** When the newest of them was recorded. */
  readonly lastRecordedAt: Date | null;
  /**
   * The first violation: a gap in the positions, or an outcome that closes an absent event. Null:
   * none so far.
   */
  readonly error: string | null;
  /** By `tallyName`. */
  readonly tallies: ReadonlyMap<string, Tally>;
  /** Dispute ids by the ids of the events that the dispute engine wrote. */
  readonly engineEvents: ReadonlyMap<string, string>;
}

interface CursorListeners {
  /**
   * Set by the audit: events that cannot be read are reported here, and have a position and no weight.
   * Null: they are reported where their own subject is audited.
   */
  onUnreadable?: Report | null;
  /** Called with each event as it is folded. */
  onEvent?(event: AuditedEvent): void;
}

/** @param events a reader positioned at the subject's first event. */
export function createLedgerCursor(
  subjectId: string,
  events: RowReader<AuditedEvent>,
  listeners: CursorListeners = {},
): LedgerCursor {
  const tallies = new Map<string, Tally>();
  const engineEvents = new Map<string, string>();
  const contested = new Map<string, AuditedEvent>();
  const cursor = {
    subjectId,
    position: 0,
    eventCount: 0,
    foldedCount: 0,
    foldedVerifiedCount: 0,
    lastActivityAt: null as Date | null,
    lastRecordedAt: null as Date | null,
    error: null as string | null,
    tallies,
    engineEvents,
    async advanceTo(position: number): Promise<void> {
      cursor.position = Math.max(cursor.position, position);
      for (;;) {
        const event = await events.peek();
        if (event?.subjectId !== subjectId || event.position > position) return;
        take(event);
        events.skip();
      }
    },
  };
  return cursor;

  function take(event: AuditedEvent): void {
    cursor.eventCount += 1;
    if (event.position !== cursor.eventCount) {
      cursor.error ??= `event ${event.eventId} has position ${event.position}, but ${cursor.eventCount} is expected`;
    }
    if (!isReadable(event)) return;
    listeners.onEvent?.(event);
    const occurred = occurredAt(factsOf(event));
    if (!cursor.lastActivityAt || occurred > cursor.lastActivityAt) cursor.lastActivityAt = occurred;
    fold(event, 1);
    if (!cursor.lastRecordedAt || event.createdAt > cursor.lastRecordedAt)
      cursor.lastRecordedAt = event.createdAt;
    if (outcomeClassOf(event.eventType) === 'contested') contested.set(event.eventId, event);
    if (event.disputeId !== null) engineEvents.set(event.eventId, event.disputeId);
    if (event.closesEventId !== null) close(event, event.closesEventId);
  }

  function isReadable(event: AuditedEvent): boolean {
    const { onUnreadable } = listeners;
    if (onUnreadable === undefined) return true;
    return readable(StoredEvent, event, (what) => onUnreadable?.(`event ${event.eventId}: ${what}`)) !== null;
  }

  /**
   * Excludes the contested event from here on. A disputed transaction names no dispute, because it
   * is older than its dispute, which names it.
   */
  function close(by: AuditedEvent, closedId: string): void {
    const closed = contested.get(closedId);
    const isOfDispute = closed?.eventType === 'DISPUTE_FILED' ? closed.disputeId === by.disputeId : true;
    if (closed && isOfDispute) fold(closed, -1);
    else
      cursor.error ??= `event ${by.eventId} closes ${closedId}, which is not a contested event of its dispute`;
    contested.delete(closedId);
  }

  function fold(event: AuditedEvent, by: 1 | -1): void {
    cursor.foldedCount += by;
    if (event.isVerified) cursor.foldedVerifiedCount += by;
    const key = tallyKeyOf(factsOf(event));
    const name = tallyName(key.day, tallyCodeOf(key));
    const known = tallies.get(name);
    if (known) known.count += by;
    else tallies.set(name, { ...key, count: by });
  }
}

function factsOf(event: AuditedEvent): OutcomeFacts {
  return {
    eventType: event.eventType,
    stakeLevel: event.stakeLevel,
    platformTier: event.platformTier,
    isVerified: event.isVerified,
    createdAt: event.createdAt,
    completedAt: event.completedAt,
    dueDate: event.dueDate,
  };
}

/** The key of a `tally` row within its subject. */
export function tallyName(day: number, code: number): string {
  return `${day}/${code}`;
}
