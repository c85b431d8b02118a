import { occurredAt, outcomeClassOf, type Tally, tallyCodeOf, tallyKeyOf } from '@reliability/scoring';
import type { z } from 'zod';
import type { Queryable } from '#kit/db/database.js';
import { LOWEST_ID } from '#kit/ids.js';
import { remainsOf, textOf } from '../text/eventText.js';
import { about, PAGE_ROWS, pagedReader, type Report, type RowReader } from './report.js';
import { readable, StoredEvent } from './store.js';

export interface AuditedEvent extends z.output<typeof StoredEvent> {
  subjectId: string;
  eventId: string;
  attester: string | null;
  disputeId: string | null;
  closesEventId: string | null;
}

export function eventReader(db: Queryable, subjectIds: readonly string[]): RowReader<AuditedEvent> {
  return pagedReader((last) =>
    db.query<AuditedEvent>(
      `select e.subject_id, e.event_id, e.position, e.event_type, e.stake_level, e.is_verified, t.attester, r.attester_hash,
         e.by_operator, e.imported, e.platform_tier, e.due_date, e.completed_at, e.created_at, e.dispute_id, e.closes_event_id
       from event e ${textOf('e')} ${remainsOf('e')}
       where e.subject_id = any($1::uuid[]) and (e.subject_id, e.position, e.event_id) > ($2::uuid, $3::integer, $4::uuid)
       order by e.subject_id, e.position, e.event_id limit $5`,
      [subjectIds, last?.subjectId ?? LOWEST_ID, last?.position ?? 0, last?.eventId ?? LOWEST_ID, PAGE_ROWS],
    ),
  );
}

export type LedgerCursor = Readonly<ReturnType<typeof createLedgerCursor>>;

/** The ledger of a subject, at its start. Its rows are trusted. */
export function ledgerOf(db: Queryable, subjectId: string): LedgerCursor {
  return createLedgerCursor(subjectId, eventReader(db, [subjectId]), null);
}

/** The ledger of a member of a record. What cannot be read is reported where the member itself is audited. */
export function memberLedger(db: Queryable, subjectId: string): LedgerCursor {
  return createLedgerCursor(subjectId, eventReader(db, [subjectId]), () => {});
}

/**
 * The fold of one subject's ledger up to a position. It only moves forward.
 * @param events a reader positioned at the subject's first event.
 * @param report gets the events that cannot be read, which have a position and no weight. Null: not looked for.
 * @param onEvent called with each event as it is folded.
 */
export function createLedgerCursor(
  subjectId: string,
  events: RowReader<AuditedEvent>,
  report: Report | null,
  onEvent?: (event: AuditedEvent) => void,
) {
  const contested = new Map<string, AuditedEvent>();
  const cursor = {
    subjectId,
    position: 0,
    eventCount: 0,
    /** Of the events up to here, those that count: not contested ones whose dispute has ended. */
    foldedCount: 0,
    foldedVerifiedCount: 0,
    lastActivityAt: null as Date | null,
    lastRecordedAt: null as Date | null,
    /** The first violation: a gap in the positions, or an outcome that closes an absent event. */
    error: null as string | null,
    tallies: new Map<string, Tally>(),
    /** Dispute ids by the ids of the events that the dispute engine wrote. */
    engineEvents: new Map<string, string>(),
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
    const { eventId, position, disputeId, closesEventId, createdAt } = event;
    cursor.eventCount += 1;
    if (position !== cursor.eventCount)
      cursor.error ??= `event ${eventId} has position ${position}, but ${cursor.eventCount} is expected`;
    if (report && !readable(StoredEvent, event, about(report, `event ${eventId}`))) return;
    onEvent?.(event);
    cursor.lastActivityAt = later(cursor.lastActivityAt, occurredAt(event));
    cursor.lastRecordedAt = later(cursor.lastRecordedAt, createdAt);
    fold(event, 1);
    if (outcomeClassOf(event.eventType) === 'contested') contested.set(eventId, event);
    if (disputeId !== null) cursor.engineEvents.set(eventId, disputeId);
    if (closesEventId !== null) close(event, closesEventId);
  }

  /** A disputed transaction names no dispute, because it is older than its dispute, which names it. */
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
    const key = tallyKeyOf(event);
    const name = tallyName(key.day, tallyCodeOf(key));
    const known = cursor.tallies.get(name);
    if (known) known.count += by;
    else cursor.tallies.set(name, { ...key, count: by });
  }
}

function later(a: Date | null, b: Date): Date {
  return a && a >= b ? a : b;
}

export function tallyName(day: number, code: number): string {
  return `${day}/${code}`;
}
