import { type OutcomeFacts, occurredAt, type Tally, tallyCodeOf, tallyKeyOf } from '@reliability/scoring';
import type { RowReader } from './auditReader.js';
import type { AuditedEvent } from './auditStore.js';

/** One subject's ledger folded up to a position, which only moves forward. */
export interface LedgerCursor {
  /** Takes in all events up to and with this position. */
  advanceTo(position: number): Promise<void>;
  /** The furthest position asked for. */
  readonly position: number;
  readonly eventCount: number;
  readonly verifiedCount: number;
  readonly lastActivityAt: Date | null;
  /** The first place where positions do not count 1, 2, 3 …; null while they do. */
  readonly gap: string | null;
  /** By `tallyName`. */
  readonly tallies: ReadonlyMap<string, Tally>;
}

/** @param events a reader whose next event is the subject's first, if it has any. */
export function createLedgerCursor(subjectId: string, events: RowReader<AuditedEvent>): LedgerCursor {
  const tallies = new Map<string, Tally>();
  const cursor = {
    position: 0,
    eventCount: 0,
    verifiedCount: 0,
    lastActivityAt: null as Date | null,
    gap: null as string | null,
    tallies,
    async advanceTo(position: number): Promise<void> {
      cursor.position = Math.max(cursor.position, position);
      for (;;) {
        const event = await events.peek();
        if (event?.subject_id !== subjectId || event.position > position) return;
        take(event);
        events.skip();
      }
    },
  };
  return cursor;

  function take(event: AuditedEvent): void {
    cursor.eventCount += 1;
    if (event.position !== cursor.eventCount) {
      cursor.gap ??= `event ${event.event_id} has position ${event.position}, where ${cursor.eventCount} is due`;
    }
    if (event.is_verified) cursor.verifiedCount += 1;
    const facts = factsOf(event);
    const occurred = occurredAt(facts);
    if (!cursor.lastActivityAt || occurred > cursor.lastActivityAt) cursor.lastActivityAt = occurred;
    const key = tallyKeyOf(facts);
    const name = tallyName(key.day, tallyCodeOf(key));
    const known = tallies.get(name);
    if (known) known.count += 1;
    else tallies.set(name, { ...key, count: 1 });
  }
}

function factsOf(event: AuditedEvent): OutcomeFacts {
  return {
    eventType: event.event_type,
    stakeLevel: event.stake_level,
    platformTier: event.platform_tier,
    isVerified: event.is_verified,
    createdAt: event.created_at,
    completedAt: event.completed_at,
    dueDate: event.due_date,
  };
}

/** Names one row of the table `tally` within its subject. */
export function tallyName(day: number, code: number): string {
  return `${day}/${code}`;
}
