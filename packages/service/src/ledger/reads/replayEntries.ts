import {
  type ReplayBy,
  type ReplayEntry,
  type TallyKey,
  type Timeliness,
  tallyKeyFromCode,
} from '@reliability/scoring';
import type { Queryable } from '../../kit/db/database.js';
import { dayOfTime, occurredAtOf } from './occurrence.js';

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
