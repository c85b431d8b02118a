import {
  type Day,
  dayOf,
  mergeTallies,
  type ReplayBy,
  type ReplayEntry,
  type TallyKey,
  type Timeliness,
  tallyKeyFromCode,
} from '@reliability/scoring';
import type { Queryable } from '#kit/db/database.js';
import { groupBy } from '#kit/lists.js';
import { membersSql, readsOfAll, readsOfMembers, readsOfRecords } from '../links/recordReads.js';
import { dayOfTime, occurredAtOf } from './eventRow.js';

/**
 * The entries of the record of a subject, for a replay. Null for a subject that nobody knows.
 *
 * By outcome, these are the events of all present members of the record. By recorded, a linked
 * subject counts from the day on which it joined until the day on which it left, so that a replay
 * gives the scores that were published.
 */
export async function readRecordEntries(
  db: Queryable,
  subjectId: string,
  by: ReplayBy,
): Promise<ReplayEntry[] | null> {
  if (by === 'outcome') {
    const entries = await readMemberEntries(db, subjectId);
    return entries && [...entries.values()].flat();
  }
  if ((await findMemberIds(db, subjectId)).length === 0) return null;
  const stays = await findStaysBeside(db, subjectId);
  const reads = stays.length === 0 ? db : readsOfAll(db);
  const entries = await readReplayEntries(reads, [subjectId, ...stays.map((stay) => stay.subjectId)], by);
  const entriesOf = (id: string) => entries.get(id) ?? [];
  return [
    ...entriesOf(subjectId),
    ...stays.flatMap((stay) => during(entriesOf(stay.subjectId), stay.from, stay.until)),
  ];
}

/** By outcome, those of each present member. Null for a subject that nobody knows. */
export async function readMemberEntries(
  db: Queryable,
  subjectId: string,
): Promise<Map<string, ReplayEntry[]> | null> {
  const memberIds = await findMemberIds(db, subjectId);
  if (memberIds.length === 0) return null;
  return readReplayEntries(await readsOfMembers(db, memberIds), memberIds, 'outcome');
}

async function findMemberIds(db: Queryable, subjectId: string): Promise<string[]> {
  const rows = await db.query<{ memberId: string }>(
    `select member.subject_id as member_id from subject asked cross join lateral (${membersSql('asked.record_id')}) as member
     where asked.subject_id = $1`,
    [subjectId],
  );
  return rows.map(({ memberId }) => memberId);
}

/** The entries by outcome of the records of these subjects, by record: those of all members. */
export async function readEntriesOfRecords(
  db: Queryable,
  subjects: readonly { subjectId: string; recordId: string }[],
): Promise<(recordId: string) => ReplayEntry[]> {
  const linked = subjects.filter(({ recordId, subjectId }) => recordId !== subjectId);
  const reads = await readsOfRecords(
    db,
    linked.map(({ recordId }) => recordId),
  );
  const rows = await reads.query<{ recordId: string; members: string[] }>(
    `select record_id, array_agg(subject_id) as members from subject where record_id = any($1::uuid[])
     group by record_id`,
    [subjects.map(({ recordId }) => recordId)],
  );
  const entries = await readReplayEntries(
    reads,
    rows.flatMap(({ members }) => members),
    'outcome',
  );
  // A record has a row in each group with a member of it.
  const records = groupBy(rows, ({ recordId }) => recordId);
  return (recordId) =>
    (records.get(recordId) ?? []).flatMap(({ members }) => members.flatMap((id) => entries.get(id) ?? []));
}

/** What was there before enters with the first day, and all leave with the second. */
function during(entries: readonly ReplayEntry[], from: Day, until: Day): ReplayEntry[] {
  const before = mergeTallies(entries.filter(({ entersOn }) => entersOn <= from));
  const meanwhile = entries.filter(({ entersOn }) => entersOn > from && entersOn < until);
  const left = until === Infinity ? [] : mergeTallies(entries.filter(({ entersOn }) => entersOn < until));
  return [
    ...before.map((tally) => ({ ...tally, entersOn: from })),
    ...meanwhile,
    ...left.map((tally) => ({ ...tally, count: -tally.count, entersOn: until })),
  ];
}

interface Stay {
  readonly subjectId: string;
  readonly recordId: string;
  readonly from: Day;
  /** The first day at whose end it was not; Infinity: it still is. */
  readonly until: Day;
}

/** When other subjects were in the record of a subject. The same subject can have several stays. */
async function findStaysBeside(db: Queryable, subjectId: string): Promise<Stay[]> {
  const facts = await findLinkFacts(db, subjectId);
  const stays = [...groupBy(facts, (fact) => fact.subjectId).values()].flatMap(staysOf);
  const own = stays.filter((stay) => stay.subjectId === subjectId);
  const others = stays.filter((stay) => stay.subjectId !== subjectId);
  return own.flatMap((stay) =>
    others
      .filter((other) => other.recordId === stay.recordId)
      .map((other) => ({
        ...other,
        from: Math.max(other.from, stay.from),
        until: Math.min(other.until, stay.until),
      }))
      .filter(({ from, until }) => from < until),
  );
}

/** Linked stays of one subject. @param facts of the subject, by position. */
function staysOf(facts: readonly LinkFact[]): Stay[] {
  const stays: { subjectId: string; recordId: string | null; from: Day; until: Day }[] = [];
  for (const { subjectId, recordId, action, at } of facts) {
    const last = stays.at(-1);
    // clocks of two processes may disagree, positions do not
    const from = Math.max(dayOf(at), last?.from ?? Number.NEGATIVE_INFINITY);
    if (last) last.until = from;
    stays.push({ subjectId, recordId: action === 'linked' ? recordId : null, from, until: Infinity });
  }
  return stays.flatMap((stay) => {
    const { recordId } = stay;
    return recordId === null || stay.from === stay.until ? [] : [{ ...stay, recordId }];
  });
}

interface LinkFact {
  subjectId: string;
  recordId: string;
  action: 'linked' | 'unlinked';
  at: Date;
}

/**
 * All facts of the subjects that were ever in a record in which this subject was, by subject and position.
 */
async function findLinkFacts(db: Queryable, subjectId: string): Promise<LinkFact[]> {
  const records = await db.query<{ recordId: string }>(
    'select distinct record_id from subject_link where subject_id = $1',
    [subjectId],
  );
  if (records.length === 0) return [];
  return readsOfAll(db).query<LinkFact>(
    `select subject_id, record_id, action, at from subject_link
     where subject_id in (select subject_id from subject_link where record_id = any($1::uuid[]))
     order by subject_id, position`,
    [records.map(({ recordId }) => recordId)],
  );
}

/**
 * The entries of a replay of each subject, as `replayEntriesOf` gives them for its events, added up
 * by day and kind. A subject without events has an empty list. `outcome` reads tallies, so it costs
 * days and not events. `recorded` reads every event once and returns a row per kind. Both also read
 * one event per dispute that has ended.
 */
export async function readReplayEntries(
  db: Queryable,
  subjectIds: readonly string[],
  by: ReplayBy,
): Promise<Map<string, ReplayEntry[]>> {
  const rows = await db.query<KindRow>(by === 'outcome' ? BY_OUTCOME : BY_RECORDED, [subjectIds], {
    isUncached: true,
  });
  const entries = new Map<string, ReplayEntry[]>(subjectIds.map((id) => [id, []]));
  for (const row of rows) addEntries(entries.get(row.subjectId), row);
  return entries;
}

/** All entries of one subject and kind, as three parallel lists. */
interface KindRow extends Omit<TallyKey, 'day' | 'timeliness'> {
  subjectId: string;
  /** Null: the columns of the kind are set instead. */
  code: number | null;
  /** Null: untimed. */
  onTime: boolean | null;
  days: number[];
  /** Null: each entry enters on its own day. */
  entryDays: number[] | null;
  counts: number[];
}

function addEntries(entries: ReplayEntry[] | undefined, row: KindRow): void {
  const { days, entryDays, counts } = row;
  const { platformTier, eventType, stakeLevel, isVerified, timeliness } =
    row.code === null ? { ...row, timeliness: timelinessOf(row) } : tallyKeyFromCode(0, row.code);
  days.forEach((day, index) => {
    const count = counts[index] ?? 0;
    const entersOn = entryDays?.[index] ?? day;
    entries?.push({ day, platformTier, eventType, stakeLevel, isVerified, timeliness, count, entersOn });
  });
}

function timelinessOf({ onTime }: KindRow): Timeliness {
  if (onTime === null) return 'untimed';
  return onTime ? 'on_time' : 'late';
}

const KIND = 'platform_tier, event_type, stake_level, is_verified, on_time';

/** @param later a day. @param earlier a day that is not later. */
function kindAndDays(row: string, later: string, earlier: string): string {
  return `${row}.subject_id, ${row}.platform_tier, ${row}.event_type, ${row}.stake_level, ${row}.is_verified,
    ${row}.completed_at <= ${row}.due_date as on_time, (${later}::bigint << ${LAG_BITS}) | (${later} - ${earlier}) as days`;
}

// Two days in one number, and the subquery in which `offset 0` computes it, keep the planner from expecting a group for each event:
// it would sort a million events on disk.
const LAG_BITS = 22; // more days than ten thousand years
const LATER = `(days >> ${LAG_BITS})::integer`;
const EARLIER = `(days >> ${LAG_BITS})::integer - (days & ${2 ** LAG_BITS - 1})::integer`;

const occurredOn = (row: string) => dayOfTime(occurredAtOf(row));
const recordedOn = (row: string) => dayOfTime(`${row}.created_at`);

/** Contested events whose dispute has ended: the day on which they stop to count, and their own. */
function closedEvents(entryDayOf: (row: string) => string): string {
  const leavesOn = `greatest(${entryDayOf('closed')}, ${entryDayOf('closing')})`;
  return `select ${kindAndDays('closed', leavesOn, occurredOn('closed'))}
    from event closing
    join event closed on closed.subject_id = closing.subject_id and closed.event_id = closing.closes_event_id
    where closing.subject_id = any($1::uuid[]) and closing.closes_event_id is not null`;
}

// One statement, so that a dispute that ends meanwhile is in both parts or in neither.
const BY_OUTCOME = `
with closed as (
  ${closedEvents(occurredOn)}
)
select subject_id, code, null as platform_tier, null as event_type, null as stake_level, null::boolean as is_verified,
  null::boolean as on_time, array_agg(day) as days, null::integer[] as entry_days, array_agg(count) as counts
from tally where subject_id = any($1::uuid[]) and count <> 0
group by subject_id, code
union all
select subject_id, null, ${KIND}, array_agg(day), array_agg(entry_day), array_agg(count)
from (
  select subject_id, ${KIND}, ${EARLIER} as day, ${EARLIER} as entry_day, 1 as count from closed
  union all
  select subject_id, ${KIND}, ${EARLIER}, ${LATER}, -1 from closed
) as entries
group by subject_id, ${KIND}`;

const BY_RECORDED = `
with closed as (
  ${closedEvents(recordedOn)}
), counted as (
  select subject_id, ${KIND}, days, count(*)::integer as count
  from (
    select ${kindAndDays('e', recordedOn('e'), occurredOn('e'))}
    from event e where e.subject_id = any($1::uuid[])
    offset 0
  ) as packed
  group by subject_id, ${KIND}, days
)
select subject_id, null as code, ${KIND}, array_agg(day) as days, array_agg(entry_day) as entry_days, array_agg(count) as counts
from (
  select subject_id, ${KIND}, ${EARLIER} as day, ${LATER} as entry_day, count from counted
  union all
  select subject_id, ${KIND}, ${EARLIER}, ${LATER}, -1 from closed
) as entries
group by subject_id, ${KIND}`;
