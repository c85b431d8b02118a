import { CLOCK_SKEW_MS } from '@reliability/proof';
import type { EventType } from '@reliability/scoring';
import type { z } from 'zod';
import { isDisputable, outcomeOf } from '#domain/dispute.js';
import type { Tx } from '#kit/db/database.js';
import { faultOfWindow, type Window } from '../settingsInForce.js';
import { about, type Report } from './report.js';
import { type AuditedSubject, readable, StoredDispute } from './store.js';

/** A dispute with the events that it names. Fields of an event are null if the subject's ledger lacks it. */
export interface AuditedDispute extends z.output<typeof StoredDispute> {
  subjectId: string;
  disputeId: string;
  eventId: string;
  filedEventId: string | null;
  outcomeEventId: string | null;
  disputedType: EventType | null;
  disputedVerified: boolean | null;
  filedType: EventType | null;
  outcomeType: EventType | null;
  outcomeCloses: string | null;
  /** Outcome and filing, if any, have the stake, verification and tier of the disputed event. */
  isAlike: boolean;
  /** It is of the platform and mode of the disputed event, which alone may resolve it. */
  isOfReporter: boolean;
  /** When the event was recorded that opened it: its filing, or the disputed event itself. */
  openingAt: Date | null;
  outcomeAt: Date | null;
}

export interface DisputeCase {
  subject: AuditedSubject;
  disputes: readonly AuditedDispute[];
  windows: readonly Window[];
}

export function readDisputes(tx: Tx, subjectIds: readonly string[]): Promise<AuditedDispute[]> {
  return tx.query<AuditedDispute>(
    `select d.subject_id, d.dispute_id, d.event_id, d.status, d.lapsed, d.opened_at, d.respond_by, d.resolved_at, d.filed_event_id, d.outcome_event_id,
       e.event_type as disputed_type, e.is_verified as disputed_verified, f.event_type as filed_type,
       o.event_type as outcome_type, o.closes_event_id as outcome_closes,
       (f.event_id is null or (f.stake_level, f.is_verified, f.platform_tier) = (e.stake_level, e.is_verified, e.platform_tier))
       and (o.event_id is null or (o.stake_level, o.is_verified, o.platform_tier) = (e.stake_level, e.is_verified, e.platform_tier))
         as is_alike, coalesce(f.created_at, e.created_at) as opening_at, o.created_at as outcome_at,
       e.event_id is null or (d.platform_id, d.livemode) = (e.platform_id, e.livemode) as is_of_reporter
     from dispute d
     left join event e on e.subject_id = d.subject_id and e.event_id = d.event_id
     left join event f on f.subject_id = d.subject_id and f.event_id = d.filed_event_id and f.dispute_id = d.dispute_id
     left join event o on o.subject_id = d.subject_id and o.event_id = d.outcome_event_id and o.dispute_id = d.dispute_id
     where d.subject_id = any($1::uuid[]) order by d.subject_id, d.dispute_id`,
    [subjectIds],
  );
}

/**
 * Reports where a subject's disputes contradict its ledger: each must be about a disputable event,
 * have the status of the last event written for it, the window that was in force, and have ended by a rule.
 * @param engineEvents dispute ids by the ids of the events written for them.
 */
export function auditDisputes(
  given: DisputeCase,
  engineEvents: ReadonlyMap<string, string>,
  report: Report,
): void {
  const named = new Set<string | null>();
  for (const row of given.disputes) {
    const reportHere = about(report, `dispute ${row.disputeId}`);
    named.add(row.filedEventId).add(row.outcomeEventId);
    const dispute = readable(StoredDispute, row, reportHere);
    if (!dispute) continue;
    for (const error of [...errorsOf(dispute), ...errorsOfTimes(dispute, given)]) reportHere(error);
  }
  for (const [eventId, disputeId] of engineEvents) {
    if (!named.has(eventId))
      report(`event ${eventId} was written for dispute ${disputeId}, which does not name it`);
  }
}

/** Whether it has lapsed follows from the window that was in force when it opened. */
function* errorsOfTimes(dispute: AuditedDispute, { subject, windows }: DisputeCase): Generator<string> {
  const { openedAt, respondBy, resolvedAt, lapsed, openingAt, outcomeAt } = dispute;
  const fault = faultOfWindow('disputes', windows, dispute);
  if (fault) yield fault;
  if (isBehind(openedAt, openingAt)) yield 'opened_at is behind the event that opened it';
  if (resolvedAt === null) return;
  if (isBehind(resolvedAt, outcomeAt)) yield 'resolved_at is behind its outcome event';
  // The disputes of an erased subject end as lapses at once.
  const isLate = respondBy <= resolvedAt;
  if (lapsed !== isLate && !(lapsed && subject.isErased))
    yield `lapsed is ${lapsed}, and it ended ${isLate ? 'after' : 'within'} its window`;
}

/** The event is written after the time was taken: a sweep takes it once for all that it ends. */
function isBehind(at: Date, event: Date | null): boolean {
  return event !== null && at.getTime() > event.getTime() + CLOCK_SKEW_MS;
}

function* errorsOf(dispute: AuditedDispute): Generator<string> {
  const { disputedType, filedEventId, filedType, outcomeType } = dispute;
  if (disputedType === null || !isDisputable(disputedType)) yield `it is about ${disputedType ?? 'no event'}`;
  if (
    (filedEventId === null) !== (filedType === null) ||
    (filedType ?? 'DISPUTE_FILED') !== 'DISPUTE_FILED'
  ) {
    yield `its filing is ${filedType ?? 'missing'}`;
  }
  const outcome = outcomeOf(dispute.status);
  const due = outcome === null ? null : `DISPUTE_RESOLVED_${outcome}`;
  if (outcomeType !== due || (outcome === null) !== (dispute.outcomeEventId === null)) {
    yield `it is ${dispute.status}, but its outcome event is ${outcomeType ?? 'missing'}`;
  }
  if ((outcome === null) !== (dispute.resolvedAt === null))
    yield `it is ${dispute.status}, resolved_at says otherwise`;
  if (outcome !== null && dispute.outcomeCloses !== (filedEventId ?? dispute.eventId))
    yield `its outcome does not close its ${filedEventId === null ? 'disputed event' : 'filing'}`;
  const byRule = dispute.disputedVerified && !dispute.lapsed ? 'AGAINST_USER' : 'FOR_USER';
  if (outcome !== null && outcome !== byRule) yield `it ended ${outcome}, by rule ${byRule}`;
  if (!dispute.isOfReporter) yield 'it is of another platform or mode than the disputed event';
  if (!dispute.isAlike) yield 'an event written for it does not weigh what the disputed one does';
}
