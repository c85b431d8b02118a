import { type OutcomeFacts, occurredAt, tallyCodeOf, tallyKeyOf } from '@reliability/scoring';
import { stringifyExact } from '../../domain/exactInteger.js';
import { compareTexts } from '../../kit/compareTexts.js';
import {
  booleans,
  byteas,
  int2s,
  int4s,
  jsons,
  numerics,
  texts,
  timestamptzs,
  uuids,
} from '../../kit/db/arrays.js';
import type { Queryable } from '../../kit/db/database.js';
import { codeOf } from '../../kit/db/errors.js';
import { queuedKinds } from '../log/queue.js';
import type { RecordedEvent, StampedEvent } from './stampedEvent.js';

/** The `idempotency` row of an append. */
export interface IdempotencyRow {
  keyId: string;
  platformId: string | null;
  livemode: boolean;
  fingerprint: Buffer;
  status: number;
  answer: unknown;
}

/**
 * One statement writes a whole group: subjects first (their counters give the positions), then
 * events, their texts, tallies, the recompute queue and the idempotent answers. Rows are sorted, so that
 * concurrent groups lock in the same order.
 *
 * If the verification was decided by an outdated declaration, `is_verified` becomes null, which
 * violates the table's constraint, and nothing is written (knownDeclarations.isOutdated). In the
 * same way `event_count` becomes null for an erased subject (`isOfErased`).
 */
function appendStatement({ columns, unnested, writes }: DisputeClauses): string {
  return `
with touched as (
  insert into subject as stored
    (subject_id, platform_id, livemode, external_id, record_id, event_count, last_activity_at, registered_at)
  select subject_id, platform_id, livemode, external_id, subject_id, added, active_at, $1::timestamptz
  from unnest($2::uuid[], $3::uuid[], $4::boolean[], $5::text[], $6::integer[], $7::timestamptz[])
    as incoming (subject_id, platform_id, livemode, external_id, added, active_at)
  on conflict (subject_id) do update set
    event_count = case when stored.external_id is not null then stored.event_count + excluded.event_count end,
    last_activity_at = greatest(stored.last_activity_at, excluded.last_activity_at)
  returning subject_id, record_id, platform_id, livemode, event_count, is_own, declaration_no
), recorded as (
  insert into event
    (subject_id, event_id, platform_id, livemode, position, event_type, stake_level, is_verified, platform_tier,
     due_date, completed_at, imported, by_operator${columns}, created_at)
  select subject_id, event_id, platform_id, livemode, event_count - followers, event_type, stake_level,
    case when judged_by is null or judged_by = declaration_no then is_verified end,
    platform_tier, due_date, completed_at, imported, nullif(by_operator or is_own, false)${columns}, $1::timestamptz
  from unnest($8::uuid[], $9::uuid[], $10::integer[], $11::text[], $12::text[], $13::boolean[], $14::text[],
    $15::timestamptz[], $16::timestamptz[], $17::boolean[], $18::integer[], $19::boolean[]${unnested})
    as incoming (subject_id, event_id, followers, event_type, stake_level, is_verified, platform_tier,
      due_date, completed_at, imported, judged_by, by_operator${columns})
  join touched using (subject_id)
), said as (
  insert into event_text (subject_id, event_id, metadata, transaction_value, attester)
  select * from unnest($20::uuid[], $21::uuid[], $22::json[], $23::numeric[], $24::text[])
), counted as (
  insert into tally as stored (subject_id, day, code, count)
  select * from unnest($25::uuid[], $26::integer[], $27::smallint[], $28::integer[])
  on conflict (subject_id, day, code) do update set count = stored.count + excluded.count
), queued as (
  insert into recompute_queue (record_id, enqueued_at) select record_id, $1::timestamptz from touched
), to_log as (
  insert into log_queue (subject_ids, numbers, kinds, queued_at)
  select array_agg(subject_id), array_agg(event_count), ${queuedKinds.events}, $1::timestamptz from touched
  where livemode having count(*) > 0
), answered as (
  insert into idempotency (key_id, platform_id, livemode, fingerprint, status, answer, created_at)
  select key_id, platform_id, livemode, fingerprint, status, answer, $1::timestamptz
  from unnest($29::uuid[], $30::uuid[], $31::boolean[], $32::bytea[], $33::smallint[], $34::json[])
    as incoming (key_id, platform_id, livemode, fingerprint, status, answer)
)${writes}
select array_agg(subject_id) as subject_ids, array_agg(event_count) as event_counts from touched`;
}

/** The parts of the statement for groups that open or end a dispute, which are rare. */
interface DisputeClauses {
  columns: string;
  unnested: string;
  writes: string;
}

const APPEND = appendStatement({
  columns: '',
  unnested: '',
  writes: '',
});
const APPEND_WITH_DISPUTES = appendStatement({
  columns: ', dispute_id, closes_event_id',
  unnested: ', $35::uuid[], $36::uuid[]',
  writes: `, opened as (
  insert into dispute (subject_id, dispute_id, platform_id, livemode, event_id, opened_at, respond_by)
  select subject_id, dispute_id, platform_id, livemode, event_id, $1::timestamptz, respond_by
  from unnest($37::uuid[], $38::uuid[], $39::uuid[], $40::timestamptz[])
    as incoming (subject_id, dispute_id, event_id, respond_by)
  join touched using (subject_id)
  returning subject_id, livemode
), disputed as (
  insert into log_queue (subject_id, kinds, queued_at)
  select subject_id, ${queuedKinds.others}, $1::timestamptz from opened where livemode
)`,
});

/** Returns the events with their positions, which count once the statement is committed. */
export async function insertGroup(
  db: Queryable,
  now: Date,
  events: readonly StampedEvent[],
  claims: readonly IdempotencyRow[],
): Promise<RecordedEvent[]> {
  const hasDisputes = events.some(({ opens, event }) => opens !== null || event.engine !== undefined);
  const { subjects, positioned } = bySubject(events);
  const [touched] = await db.query<Touched>(hasDisputes ? APPEND_WITH_DISPUTES : APPEND, [
    now,
    ...subjectColumns(subjects),
    ...eventColumns(positioned),
    ...textColumns(events.filter(hasText)),
    ...tallyColumns(subjects),
    ...claimColumns(claims),
    ...(hasDisputes ? disputeColumns(events) : []),
  ]);
  const lengths = new Map(touched?.subjectIds?.map((id, index) => [id, touched.eventCounts[index] ?? 0]));
  return positioned.map(({ stamped, subject, ordinal }) => ({
    stamped,
    position: (lengths.get(stamped.subjectId) ?? 0) - subject.added + ordinal,
  }));
}

interface Touched {
  /** Null: the group has no events. */
  subjectIds: string[] | null;
  eventCounts: number[];
}

/** The error of an append to an erased subject. */
export function isOfErased(error: unknown): boolean {
  return error instanceof Error && codeOf(error) === '23502' && error.message.includes('event_count');
}

/** The error of an append whose Idempotency-Key has been used. */
export function isOfUsedClaim(error: unknown): boolean {
  return error instanceof Error && codeOf(error) === '23505' && error.message.includes('idempotency_pkey');
}

/** The changes of a group to one subject. */
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

function bySubject(events: readonly StampedEvent[]): {
  subjects: TouchedSubject[];
  positioned: PositionedEvent[];
} {
  const subjects = new Map<string, TouchedSubject>();
  const positioned = events.map((stamped): PositionedEvent => {
    const facts = factsOf(stamped);
    const subject = subjects.get(stamped.subjectId) ?? untouched(stamped);
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

function untouched(first: StampedEvent): TouchedSubject {
  return { first, added: 0, activeAtMs: Number.NEGATIVE_INFINITY, tallies: new Map() };
}

function count({ tallies }: TouchedSubject, facts: OutcomeFacts, by: 1 | -1): void {
  const key = tallyKeyOf(facts);
  const dayAndCode = key.day * CODES + tallyCodeOf(key);
  tallies.set(dayAndCode, (tallies.get(dayAndCode) ?? 0) + by);
}

/** Upper bound of codes: a code is a smallint. */
const CODES = 2 ** 16;

function subjectColumns(subjects: readonly TouchedSubject[]): unknown[] {
  return [
    uuids(subjects, ({ first }) => first.subjectId),
    uuids(subjects, ({ first }) => first.reporter.platformId),
    booleans(subjects, ({ first }) => first.reporter.livemode),
    texts(subjects, ({ first }) => first.event.externalId),
    int4s(subjects, ({ added }) => added),
    timestamptzs(subjects, ({ activeAtMs }) => activeAtMs),
  ];
}

function eventColumns(events: readonly PositionedEvent[]): unknown[] {
  return [
    uuids(events, ({ stamped }) => stamped.subjectId),
    uuids(events, ({ stamped }) => stamped.eventId),
    int4s(events, ({ subject, ordinal }) => subject.added - ordinal),
    texts(events, ({ stamped }) => stamped.event.eventType),
    texts(events, ({ stamped }) => stamped.event.stakeLevel),
    booleans(events, ({ stamped }) => stamped.isVerified),
    texts(events, ({ stamped }) => stamped.reporter.trustTier),
    timestamptzs(events, ({ stamped }) => stamped.event.dueDate),
    timestamptzs(events, ({ stamped }) => stamped.event.completedAt),
    booleans(events, ({ stamped }) => stamped.event.imported),
    int4s(events, ({ stamped }) => stamped.judgedBy),
    booleans(events, ({ stamped }) => stamped.isByOperator),
  ];
}

function hasText({ event: { metadata, transactionValue }, attester }: StampedEvent): boolean {
  return metadata !== null || transactionValue !== null || attester !== null;
}

function textColumns(events: readonly StampedEvent[]): unknown[] {
  return [
    uuids(events, ({ subjectId }) => subjectId),
    uuids(events, ({ eventId }) => eventId),
    jsons(events, ({ event: { metadata } }) => (metadata === null ? null : stringifyExact(metadata))),
    numerics(events, ({ event }) => event.transactionValue),
    texts(events, ({ attester }) => attester),
  ];
}

interface TallyIncrement {
  readonly subjectId: string;
  readonly day: number;
  readonly code: number;
  readonly count: number;
}

function tallyColumns(subjects: readonly TouchedSubject[]): unknown[] {
  const increments = subjects.flatMap(({ first: { subjectId }, tallies }) =>
    [...tallies]
      .sort(([a], [b]) => a - b)
      .map(([dayAndCode, count]): TallyIncrement => {
        const day = Math.floor(dayAndCode / CODES);
        return { subjectId, day, code: dayAndCode - day * CODES, count };
      }),
  );
  return [
    uuids(increments, ({ subjectId }) => subjectId),
    int4s(increments, ({ day }) => day),
    int2s(increments, ({ code }) => code),
    int4s(increments, ({ count }) => count),
  ];
}

function claimColumns(claims: readonly IdempotencyRow[]): unknown[] {
  return [
    uuids(claims, ({ keyId }) => keyId),
    uuids(claims, ({ platformId }) => platformId),
    booleans(claims, ({ livemode }) => livemode),
    byteas(claims, ({ fingerprint }) => fingerprint),
    int2s(claims, ({ status }) => status),
    jsons(claims, ({ answer }) => JSON.stringify(answer)),
  ];
}

function disputeColumns(events: readonly StampedEvent[]): unknown[] {
  const opening = events.flatMap(({ subjectId, eventId, opens }) =>
    opens ? [{ subjectId, eventId, ...opens }] : [],
  );
  return [
    uuids(events, ({ event }) => event.engine?.disputeId ?? null),
    uuids(events, ({ event }) => event.engine?.closes?.eventId ?? null),
    uuids(opening, ({ subjectId }) => subjectId),
    uuids(opening, ({ disputeId }) => disputeId),
    uuids(opening, ({ eventId }) => eventId),
    timestamptzs(opening, ({ respondBy }) => respondBy),
  ];
}

function factsOf({ event, isVerified, reporter, createdAt }: StampedEvent): OutcomeFacts {
  const { eventType, stakeLevel, dueDate, completedAt } = event;
  return {
    eventType,
    stakeLevel,
    isVerified,
    dueDate,
    completedAt,
    createdAt,
    platformTier: reporter.trustTier,
  };
}
