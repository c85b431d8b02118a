import {
  type OutcomeFacts,
  occurredAt,
  outcomeClassOf,
  type Tally,
  tallyCodeOf,
  tallyKeyOf,
} from '@reliability/scoring';
import type { RowReader } from './reader.js';
import type { AuditedEvent } from './store.js';

/** One subject's ledger folded up to a position, which only moves forward. */
export interface LedgerCursor {
  /** Takes in all events up to and with this position. */
  advanceTo(position: number): Promise<void>;
  /** The furthest position asked for. */
  readonly position: number;
  /** Length of the ledger up to here. */
  readonly eventCount: number;
  /** Of these, what the fold holds: contested events whose dispute has ended by now are left out. */
  readonly foldedCount: number;
  readonly foldedVerifiedCount: number;
  readonly lastActivityAt: Date | null;
  /** The first thing that no ledger may hold: a gap in the positions, a closing of nothing. Null while there is none. */
  readonly fault: string | null;
  /** By `tallyName`. */
  readonly tallies: ReadonlyMap<string, Tally>;
  /** What the dispute engine wrote: ids of events with that of their dispute. */
  readonly engineEvents: ReadonlyMap<string, string>;
}

/**
 * @param events a reader whose next event is the subject's first, if it has any.
 * @param onEvent called with each event as it is taken in.
 */
export function createLedgerCursor(
  subjectId: string,
  events: RowReader<AuditedEvent>,
  onEvent: (event: AuditedEvent) => void = () => {},
): LedgerCursor {
  const tallies = new Map<string, Tally>();
  const engineEvents = new Map<string, string>();
  const contested = new Map<string, AuditedEvent>();
  const cursor = {
    position: 0,
    eventCount: 0,
    foldedCount: 0,
    foldedVerifiedCount: 0,
    lastActivityAt: null as Date | null,
    fault: null as string | null,
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
    onEvent(event);
    cursor.eventCount += 1;
    if (event.position !== cursor.eventCount) {
      cursor.fault ??= `event ${event.eventId} has position ${event.position}, where ${cursor.eventCount} is due`;
    }
    const occurred = occurredAt(factsOf(event));
    if (!cursor.lastActivityAt || occurred > cursor.lastActivityAt) cursor.lastActivityAt = occurred;
    fold(event, 1);
    if (outcomeClassOf(event.eventType) === 'contested') contested.set(event.eventId, event);
    if (event.disputeId !== null) engineEvents.set(event.eventId, event.disputeId);
    if (event.closesEventId !== null) close(event, event.closesEventId);
  }

  /**
   * From here on the contested event is left out, as if it had never been. A disputed transaction names no dispute: it was there
   * first, and the dispute names it.
   */
  function close(by: AuditedEvent, closedId: string): void {
    const closed = contested.get(closedId);
    const isOfDispute = closed?.eventType === 'DISPUTE_FILED' ? closed.disputeId === by.disputeId : true;
    if (closed && isOfDispute) fold(closed, -1);
    else
      cursor.fault ??= `event ${by.eventId} closes ${closedId}, which is no contested event of its dispute`;
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

/** Names one row of the table `tally` within its subject. */
export function tallyName(day: number, code: number): string {
  return `${day}/${code}`;
}
