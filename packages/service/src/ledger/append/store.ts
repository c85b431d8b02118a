import { type OutcomeFacts, occurredAt, tallyCodeOf, tallyKeyOf } from '@reliability/scoring';
import type { Reduction } from '#domain/declaredSubject.js';
import { stringifyExact } from '#domain/exactInteger.js';
import type { OutcomeEvent, Reporter } from '#domain/outcomeEvent.js';
import { searchTextOf } from '#domain/searchText.js';
import type { Queryable } from '#kit/db/database.js';
import { isNullIn, violates } from '#kit/db/errors.js';
import { raw, rowsOf, sql } from '#kit/db/rows.js';
import { compareTexts } from '#kit/lists.js';
import { queuedKinds } from '../log/queue.js';

export interface IdempotencyRow {
  keyId: string;
  platformId: string | null;
  livemode: boolean;
  fingerprint: Buffer;
  status: number;
  answer: unknown;
}

interface TouchedSubject {
  readonly first: StampedEvent;
  added: number;
  activeAtMs: number;
  /** Tally increments; the key combines day and code. */
  readonly tallies: Map<number, number>;
}

interface PositionedEvent {
  readonly stamped: StampedEvent;
  readonly subject: TouchedSubject;
  /** 1, 2, 3 … among the events of its subject in the group. */
  readonly ordinal: number;
}

const eventColumns = {
  subjectId: ['uuid', ({ stamped }: PositionedEvent) => stamped.subjectId],
  eventId: ['uuid', ({ stamped }: PositionedEvent) => stamped.eventId],
  followers: ['integer', ({ subject, ordinal }: PositionedEvent) => subject.added - ordinal],
  eventType: ['text', ({ stamped }: PositionedEvent) => stamped.event.eventType],
  stakeLevel: ['text', ({ stamped }: PositionedEvent) => stamped.event.stakeLevel],
  isVerified: ['boolean', ({ stamped }: PositionedEvent) => stamped.isVerified],
  platformTier: ['text', ({ stamped }: PositionedEvent) => stamped.reporter.trustTier],
  dueDate: ['timestamptz', ({ stamped }: PositionedEvent) => stamped.event.dueDate],
  completedAt: ['timestamptz', ({ stamped }: PositionedEvent) => stamped.event.completedAt],
  imported: ['boolean', ({ stamped }: PositionedEvent) => stamped.event.imported],
  judgedBy: ['integer', ({ stamped }: PositionedEvent) => stamped.judgedBy],
  byOperator: ['boolean', ({ stamped }: PositionedEvent) => stamped.isByOperator],
  reportedBy: ['uuid', ({ stamped }: PositionedEvent) => stamped.reporter.keyId ?? null],
} as const;

const subjectColumns = rowsOf<TouchedSubject>(
  { integer: ['added'] },
  {
    subjectId: ['uuid', ({ first }) => first.subjectId],
    platformId: ['uuid', ({ first }) => first.reporter.platformId],
    livemode: ['boolean', ({ first }) => first.reporter.livemode],
    externalId: ['text', ({ first }) => first.event.externalId],
    searchText: ['text', ({ first }) => searchTextOf(first.event)],
    activeAt: ['timestamptz', ({ activeAtMs }) => activeAtMs],
  },
);

const eventRows = rowsOf<PositionedEvent>({}, eventColumns);

const textColumns = rowsOf<StampedEvent>(
  { uuid: ['subjectId', 'eventId'] },
  {
    metadata: ['jsonText', ({ event }) => event.metadata && stringifyExact(event.metadata)],
    transactionValue: ['numeric', ({ event }) => event.transactionValue],
    attester: ['text', ({ attester }) => attester],
  },
);

const tallyColumns = rowsOf<ReturnType<typeof incrementsOf>[number]>({
  uuid: ['subjectId'],
  integer: ['day', 'count'],
  smallint: ['code'],
});

const claimColumns = rowsOf<IdempotencyRow>({
  uuid: ['keyId', 'platformId'],
  boolean: ['livemode'],
  bytea: ['fingerprint'],
  smallint: ['status'],
  json: ['answer'],
});

const disputedRows = rowsOf<PositionedEvent>(
  {},
  {
    ...eventColumns,
    disputeId: ['uuid', ({ stamped }) => stamped.event.engine?.disputeId],
    closesEventId: ['uuid', ({ stamped }) => stamped.event.engine?.closes?.eventId],
  },
);

const openedColumns = rowsOf<StampedEvent>(
  { uuid: ['subjectId', 'eventId'] },
  {
    disputeId: ['uuid', ({ opens }) => opens?.disputeId],
    respondBy: ['timestamptz', ({ opens }) => opens?.respondBy],
  },
);

/** The parts of the statement for groups that open or end a dispute, which are rare. */
function disputeParts(events: readonly StampedEvent[], now: Date) {
  const opening = events.filter(({ opens }) => opens !== null);
  if (opening.length === 0 && events.every(({ event }) => event.engine === undefined)) {
    return { events: eventRows, columns: raw(''), writes: raw('') };
  }
  return {
    events: disputedRows,
    columns: raw(', dispute_id, closes_event_id'),
    writes: sql`, opened as (
  insert into dispute (subject_id, dispute_id, platform_id, livemode, event_id, opened_at, respond_by)
  select subject_id, dispute_id, platform_id, livemode, event_id, ${now}::timestamptz, respond_by
  from ${openedColumns.as('incoming', opening)} join touched using (subject_id)
  returning subject_id, livemode
), disputed as (
  insert into log_queue (subject_ids, kinds, queued_at)
  select array[subject_id], ${queuedKinds.others}::smallint, ${now}::timestamptz from opened where livemode
)`,
  };
}

/**
 * One statement writes a whole group: subjects first (their counters give the positions), then
 * events, their texts, tallies, the recompute queue and the idempotent answers. Rows are sorted, so that
 * concurrent groups lock in the same order.
 *
 * If the verification was decided by an outdated declaration, `is_verified` becomes null, which
 * violates the table's constraint, and nothing is written (knownDeclarations.isOutdated). In the
 * same way `event_count` becomes null for an erased subject (`isOfErased`).
 * @param scoresNew the caller scores new subjects in the same transaction. They are returned, not queued.
 */
export async function insertGroup(
  db: Queryable,
  now: Date,
  events: readonly StampedEvent[],
  claims: readonly IdempotencyRow[],
  scoresNew = false,
): Promise<string[]> {
  if (events.length === 0 && claims.length === 0) return [];
  const atOnce = raw(String(scoresNew));
  const { subjects, positioned } = bySubject(events);
  const disputes = disputeParts(events, now);
  const made = await sql`
with touched as (
  insert into subject as stored
    (subject_id, platform_id, livemode, external_id, search_text, record_id, event_count, last_activity_at, registered_at,
     is_scored)
  select subject_id, platform_id, livemode, external_id, search_text, subject_id, added, active_at, ${now}::timestamptz, ${atOnce}
  from ${subjectColumns.as('incoming', subjects)}
  on conflict (subject_id) do update set
    event_count = case when stored.external_id is not null then stored.event_count + excluded.event_count end,
    last_activity_at = greatest(stored.last_activity_at, excluded.last_activity_at)
  returning subject_id, record_id, platform_id, livemode, event_count, is_own, declaration_no,
    xmax = 0 and ${atOnce} as is_returned -- a row that was there before has this transaction as xmax
), recorded as (
  insert into event
    (subject_id, event_id, platform_id, livemode, position, event_type, stake_level, is_verified, platform_tier,
     due_date, completed_at, imported, by_operator, reported_by${disputes.columns}, created_at)
  select subject_id, event_id, platform_id, livemode, event_count - followers, event_type, stake_level,
    case when judged_by is null or judged_by = declaration_no then is_verified end,
    platform_tier, due_date, completed_at, imported, nullif(by_operator or is_own, false), reported_by${disputes.columns}, ${now}::timestamptz
  from ${disputes.events.as('incoming', positioned)} join touched using (subject_id)
), said as (
  insert into event_text (${textColumns.columns})
  select * from ${textColumns.as('said', events.filter(hasText))}
), counted as (
  insert into tally as stored (${tallyColumns.columns}) select * from ${tallyColumns.as('incoming', incrementsOf(subjects))}
  on conflict (subject_id, day, code) do update set count = stored.count + excluded.count
), queued as (
  insert into recompute_queue (record_id, enqueued_at) select record_id, ${now}::timestamptz from touched where not is_returned
), to_log as (
  insert into log_queue (subject_ids, kinds, queued_at)
  select array_agg(subject_id), ${queuedKinds.events}::smallint, ${now}::timestamptz from touched
  where livemode having count(*) > 0
), answered as (
  insert into idempotency (${claimColumns.columns}, created_at)
  select *, ${now}::timestamptz from ${claimColumns.as('incoming', claims)}
)${disputes.writes}
select subject_id from touched where is_returned`.query<{ subjectId: string }>(db);
  return made.map(({ subjectId }) => subjectId);
}

/** The error of an append to an erased subject. */
export function isOfErased(error: unknown): boolean {
  return isNullIn(error, 'event_count');
}

/** The error of an append whose Idempotency-Key has been used. */
export function isOfUsedClaim(error: unknown): boolean {
  return violates(error, 'idempotency_pkey');
}

function bySubject(events: readonly StampedEvent[]) {
  const subjects = new Map<string, TouchedSubject>();
  const positioned = events.map((stamped): PositionedEvent => {
    const facts = factsOf(stamped);
    let subject = subjects.get(stamped.subjectId);
    subject ??= { first: stamped, added: 0, activeAtMs: Number.NEGATIVE_INFINITY, tallies: new Map() };
    subjects.set(stamped.subjectId, subject);
    subject.added += 1;
    subject.activeAtMs = Math.max(subject.activeAtMs, occurredAt(facts).getTime());
    count(subject, facts, 1);
    const closes = stamped.event.engine?.closes;
    if (closes) count(subject, closes, -1);
    return { stamped, subject, ordinal: subject.added };
  });
  const sorted = [...subjects.values()].sort((a, b) => compareTexts(a.first.subjectId, b.first.subjectId));
  return { subjects: sorted, positioned };
}

function count({ tallies }: TouchedSubject, facts: OutcomeFacts, by: 1 | -1): void {
  const key = tallyKeyOf(facts);
  const dayAndCode = key.day * CODES + tallyCodeOf(key);
  tallies.set(dayAndCode, (tallies.get(dayAndCode) ?? 0) + by);
}

/** Upper bound of codes: a code is a smallint. */
const CODES = 2 ** 16;

function hasText({ event: { metadata, transactionValue }, attester }: StampedEvent): boolean {
  return metadata !== null || transactionValue !== null || attester !== null;
}

function incrementsOf(subjects: readonly TouchedSubject[]) {
  return subjects.flatMap(({ first: { subjectId }, tallies }) =>
    [...tallies]
      .sort(([a], [b]) => a - b)
      .map(([dayAndCode, count]) => {
        const day = Math.floor(dayAndCode / CODES);
        return { subjectId, day, code: dayAndCode - day * CODES, count };
      }),
  );
}

function factsOf({ event, isVerified, reporter, createdAt }: StampedEvent): OutcomeFacts {
  const { eventType, stakeLevel, dueDate, completedAt } = event;
  const platformTier = reporter.trustTier;
  return { eventType, stakeLevel, isVerified, dueDate, completedAt, createdAt, platformTier };
}

export interface StampedEvent {
  readonly event: OutcomeEvent;
  readonly reporter: Reporter;
  readonly subjectId: string;
  readonly eventId: string;
  readonly createdAt: Date;
  readonly isVerified: boolean;
  /** Who attested it; null: nobody named. */
  readonly attester: string | null;
  /** Attested by the subject's own operator. The database adds all events of a platform's own subjects. */
  readonly isByOperator: boolean;
  /** Why it is stored as unverified although it was reported as verified. */
  readonly reduced: Reduction;
  /**
   * Number of the declaration that decided its verification; 0: none in force. Null: not reported
   * as verified.
   */
  readonly judgedBy: number | null;
  /** The dispute that the event itself opens; null for nearly all events. */
  readonly opens: { readonly disputeId: string; readonly respondBy: Date } | null;
}

export interface EventOutcome {
  readonly status: 'created' | 'skipped';
  /** Id of the event written, or of the first event with the same item key. */
  readonly eventId: string;
  /** A repeated item key with different content. */
  readonly contentDiffers: boolean;
  readonly reduced: Reduction;
}
