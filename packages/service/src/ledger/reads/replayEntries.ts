import { type ReplayBy, type ReplayEntry, type TallyKey, tallyKeyFromCode } from '@reliability/scoring';
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
interface KindRow extends Omit<TallyKey, 'day'> {
  subjectId: string;
  /** Null: the columns of the kind are set instead. */
  code: number | null;
  days: number[];
  /** Null: each entry enters on its own day. */
  entryDays: number[] | null;
  counts: number[];
}

function addEntries(entries: ReplayEntry[] | undefined, row: KindRow): void {
  const { days, entryDays, counts } = row;
  const { platformTier, eventType, stakeLevel, isVerified, timeliness } =
    row.code === null ? row : tallyKeyFromCode(0, row.code);
  days.forEach((day, index) => {
    const count = counts[index] ?? 0;
    const entersOn = entryDays?.[index] ?? day;
    entries?.push({ day, platformTier, eventType, stakeLevel, isVerified, timeliness, count, entersOn });
  });
}

const KIND = 'platform_tier, event_type, stake_level, is_verified, timeliness';

/** The kind and the day of an event. */
function kindAndDayOf(row: string): string {
  return `${row}.subject_id, ${row}.platform_tier, ${row}.event_type, ${row}.stake_level, ${row}.is_verified,
      case when ${row}.completed_at is null or ${row}.due_date is null then 'untimed'
        when ${row}.completed_at <= ${row}.due_date then 'on_time' else 'late' end as timeliness,
      ${dayOfTime(occurredAtOf(row))} as day`;
}

/** Contested events whose dispute has ended, with the day on which they stop to count. */
function closedEvents(entryDayOf: (row: string) => string): string {
  return `select ${kindAndDayOf('closed')}, greatest(${entryDayOf('closed')}, ${entryDayOf('closing')}) as leaves_on,
      count(*)::integer as count
    from event closing
    join event closed on closed.subject_id = closing.subject_id and closed.event_id = closing.closes_event_id
    where closing.subject_id = any($1::uuid[]) and closing.closes_event_id is not null
    group by 1, 2, 3, 4, 5, 6, 7, 8`;
}

const occurredOn = (row: string) => dayOfTime(occurredAtOf(row));
const recordedOn = (row: string) => dayOfTime(`${row}.created_at`);

// One statement, so that a dispute that ends meanwhile is in both parts or in neither.
const BY_OUTCOME = `
with closed as (
  ${closedEvents(occurredOn)}
)
select subject_id, code, null as platform_tier, null as event_type, null as stake_level, null::boolean as is_verified,
  null as timeliness, array_agg(day) as days, null::integer[] as entry_days, array_agg(count) as counts
from tally where subject_id = any($1::uuid[]) and count <> 0
group by subject_id, code
union all
select subject_id, null, ${KIND}, array_agg(day), array_agg(entry_day), array_agg(count)
from (
  select subject_id, ${KIND}, day, day as entry_day, count from closed
  union all
  select subject_id, ${KIND}, day, leaves_on, -count from closed
) as entries
group by subject_id, ${KIND}`;

const BY_RECORDED = `
with closed as (
  ${closedEvents(recordedOn)}
), counted as (
  select ${kindAndDayOf('e')}, ${recordedOn('e')} as entry_day, count(*)::integer as count
  from event e where e.subject_id = any($1::uuid[])
  group by 1, 2, 3, 4, 5, 6, 7, 8
)
select subject_id, null as code, ${KIND}, array_agg(day) as days, array_agg(entry_day) as entry_days, array_agg(count) as counts
from (
  select subject_id, ${KIND}, day, entry_day, count from counted
  union all
  select subject_id, ${KIND}, day, leaves_on, -count from closed
) as entries
group by subject_id, ${KIND}`;
