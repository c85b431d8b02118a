import { type OutcomeFacts, occurredAt, tallyCodeOf, tallyKeyOf } from '@reliability/scoring';
import { factsOfFiling } from '../domain/dispute.js';
import type { Queryable } from '../kit/db/database.js';
import type { StampedEvent } from './stampedEvent.js';

/** What an Idempotency-Key row remembers of a request that the ledger answered. */
export interface IdempotencyRow {
  keyId: string;
  platformId: string | null;
  livemode: boolean;
  fingerprint: Buffer;
  status: number;
  answer: unknown;
}

/**
 * One statement writes a whole group: subjects first (their counters give the positions), then events, tallies, the
 * recompute queue and the idempotent answers. Rows come sorted, so that two groups lock in the same order.
 *
 * What a reporter vouched for alone fits what its subject is, or nothing is written: `is_verified` comes to null then, which the
 * table refuses (ownSubjects.isOwnMismatch).
 */
function appendStatement({ columns, unnested, writes }: DisputeParts): string {
  return `
with touched as (
  insert into subject as held
    (subject_id, platform_id, livemode, external_id, record_id, event_count, last_activity_at, registered_at)
  select subject_id, platform_id, livemode, external_id, subject_id, added, active_at, $1::timestamptz
  from unnest($2::uuid[], $3::uuid[], $4::boolean[], $5::text[], $6::integer[], $7::timestamptz[])
    as incoming (subject_id, platform_id, livemode, external_id, added, active_at)
  on conflict (subject_id) do update set
    event_count = held.event_count + excluded.event_count,
    last_activity_at = greatest(held.last_activity_at, excluded.last_activity_at)
  returning subject_id, record_id, platform_id, livemode, event_count, is_own
), recorded as (
  insert into event
    (subject_id, event_id, platform_id, livemode, position, event_type, stake_level, is_verified, platform_tier,
     transaction_value, due_date, completed_at, metadata, imported${columns}, created_at)
  select subject_id, event_id, platform_id, livemode, event_count - followers, event_type, stake_level,
    case when taken_as_own is null or taken_as_own = is_own then is_verified end,
    platform_tier, transaction_value, due_date, completed_at, metadata, imported${columns}, $1::timestamptz
  from unnest($8::uuid[], $9::uuid[], $10::integer[], $11::text[], $12::text[], $13::boolean[], $14::text[],
    $15::numeric[], $16::timestamptz[], $17::timestamptz[], $18::json[], $19::boolean[], $30::boolean[]${unnested})
    as incoming (subject_id, event_id, followers, event_type, stake_level, is_verified, platform_tier,
      transaction_value, due_date, completed_at, metadata, imported, taken_as_own${columns})
  join touched using (subject_id)
), counted as (
  insert into tally as held (subject_id, day, code, count)
  select * from unnest($20::uuid[], $21::integer[], $22::smallint[], $23::integer[])
  on conflict (subject_id, day, code) do update set count = held.count + excluded.count
), queued as (
  insert into recompute_queue (record_id, enqueued_at) select record_id, $1::timestamptz from touched
)${writes}
insert into idempotency (key_id, platform_id, livemode, fingerprint, status, answer, created_at)
select key_id, platform_id, livemode, fingerprint, status, answer, $1::timestamptz
from unnest($24::uuid[], $25::uuid[], $26::boolean[], $27::bytea[], $28::smallint[], $29::json[])
  as incoming (key_id, platform_id, livemode, fingerprint, status, answer)`;
}

/** What a group needs besides that opens a dispute or ends one. Few do, and the others are spared it. */
interface DisputeParts {
  columns: string;
  unnested: string;
  writes: string;
}

const APPEND = appendStatement({ columns: '', unnested: '', writes: '' });
const APPEND_WITH_DISPUTES = appendStatement({
  columns: ', dispute_id, closes_event_id',
  unnested: ', $31::uuid[], $32::uuid[]',
  writes: `, opened as (
  insert into dispute (subject_id, dispute_id, platform_id, livemode, event_id, opened_at, respond_by)
  select subject_id, dispute_id, platform_id, livemode, event_id, $1::timestamptz, respond_by
  from unnest($33::uuid[], $34::uuid[], $35::uuid[], $36::timestamptz[])
    as incoming (subject_id, dispute_id, event_id, respond_by)
  join touched using (subject_id)
)`,
});

export async function insertGroup(
  db: Queryable,
  now: Date,
  events: readonly StampedEvent[],
  claims: readonly IdempotencyRow[],
): Promise<void> {
  const hasDisputes = events.some(({ opens, event }) => opens !== null || event.engine !== undefined);
  await db.execute(hasDisputes ? APPEND_WITH_DISPUTES : APPEND, [
    now,
    ...subjectColumns(events),
    ...eventColumns(events),
    ...tallyColumns(events),
    claims.map((claim) => claim.keyId),
    claims.map((claim) => claim.platformId),
    claims.map((claim) => claim.livemode),
    claims.map((claim) => claim.fingerprint),
    claims.map((claim) => claim.status),
    claims.map((claim) => JSON.stringify(claim.answer)),
    events.map(({ takenAsOwn }) => takenAsOwn),
    ...(hasDisputes ? disputeColumns(events) : []),
  ]);
}

interface SubjectTouch {
  first: StampedEvent;
  added: number;
  activeAt: number;
}

function touchedSubjects(events: readonly StampedEvent[]): SubjectTouch[] {
  const bySubject = new Map<string, SubjectTouch>();
  for (const stamped of events) {
    const activeAt = occurredAt(factsOf(stamped)).getTime();
    const touch = bySubject.get(stamped.subjectId);
    if (!touch) bySubject.set(stamped.subjectId, { first: stamped, added: 1, activeAt });
    else {
      touch.added += 1;
      touch.activeAt = Math.max(touch.activeAt, activeAt);
    }
  }
  return [...bySubject.values()].sort((a, b) => compare(a.first.subjectId, b.first.subjectId));
}

function subjectColumns(events: readonly StampedEvent[]): unknown[][] {
  const touches = touchedSubjects(events);
  return [
    touches.map(({ first }) => first.subjectId),
    touches.map(({ first }) => first.reporter.platformId),
    touches.map(({ first }) => first.reporter.livemode),
    touches.map(({ first }) => first.event.externalId),
    touches.map(({ added }) => added),
    touches.map(({ activeAt }) => new Date(activeAt).toISOString()),
  ];
}

function eventColumns(events: readonly StampedEvent[]): unknown[][] {
  return [
    events.map(({ subjectId }) => subjectId),
    events.map(({ eventId }) => eventId),
    followersOf(events),
    events.map(({ event }) => event.eventType),
    events.map(({ event }) => event.stakeLevel),
    events.map(({ event }) => event.isVerified),
    events.map(({ reporter }) => reporter.trustTier),
    events.map(({ event }) => event.transactionValue),
    events.map(({ event }) => event.dueDate?.toISOString() ?? null),
    events.map(({ event }) => event.completedAt?.toISOString() ?? null),
    events.map(({ event }) => (event.metadata === null ? null : JSON.stringify(event.metadata))),
    events.map(({ event }) => event.imported),
  ];
}

/** How many events of the same subject come after each one in the group. */
function followersOf(events: readonly StampedEvent[]): number[] {
  const seen = new Map<string, number>();
  const followers = events.map(() => 0);
  for (let index = events.length - 1; index >= 0; index -= 1) {
    const subjectId = events[index]?.subjectId ?? '';
    const after = seen.get(subjectId) ?? 0;
    followers[index] = after;
    seen.set(subjectId, after + 1);
  }
  return followers;
}

function disputeColumns(events: readonly StampedEvent[]): unknown[][] {
  const opening = events.flatMap(({ subjectId, eventId, opens }) =>
    opens ? [{ subjectId, eventId, ...opens }] : [],
  );
  return [
    events.map(({ event }) => event.engine?.disputeId ?? null),
    events.map(({ event }) => event.engine?.closes?.eventId ?? null),
    opening.map(({ subjectId }) => subjectId),
    opening.map(({ disputeId }) => disputeId),
    opening.map(({ eventId }) => eventId),
    opening.map(({ respondBy }) => respondBy.toISOString()),
  ];
}

interface TallyIncrement {
  subjectId: string;
  day: number;
  code: number;
  count: number;
}

function tallyColumns(events: readonly StampedEvent[]): unknown[][] {
  const increments = new Map<string, TallyIncrement>();
  for (const stamped of events) {
    count(increments, stamped.subjectId, factsOf(stamped), 1);
    const closes = stamped.event.engine?.closes;
    if (closes) count(increments, stamped.subjectId, factsOfFiling(closes), -1);
  }
  const sorted = [...increments.values()].sort(
    (a, b) => compare(a.subjectId, b.subjectId) || a.day - b.day || a.code - b.code,
  );
  return [
    sorted.map(({ subjectId }) => subjectId),
    sorted.map(({ day }) => day),
    sorted.map(({ code }) => code),
    sorted.map(({ count }) => count),
  ];
}

function count(
  increments: Map<string, TallyIncrement>,
  subjectId: string,
  facts: OutcomeFacts,
  by: 1 | -1,
): void {
  const key = tallyKeyOf(facts);
  const code = tallyCodeOf(key);
  const name = `${subjectId} ${key.day} ${code}`;
  const increment = increments.get(name);
  if (increment) increment.count += by;
  else increments.set(name, { subjectId, day: key.day, code, count: by });
}

function factsOf({ event, reporter, createdAt }: StampedEvent): OutcomeFacts {
  const { eventType, stakeLevel, isVerified, dueDate, completedAt } = event;
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

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
