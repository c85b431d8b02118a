import type { Database, Queryable, Tx } from '#kit/db/database.js';
import { insertRow } from '#kit/db/rows.js';
import { lowestIdAt } from '#kit/ids.js';
import { occurredAtOf } from '#ledger/reads/eventRow.js';
import { inSlices, type Sweep } from '#ledger/sweep.js';
import { findProgress, SETTLED_MS } from './daySums.js';
import {
  BY_DAY_AND_BY_KIND,
  type EventCount,
  idsOfDays,
  PLANNED_FOR_ITS_WINDOW,
  type Slice,
} from './store.js';

/** By which day of an event: where its sums are, and its day. */
const DAYS = {
  recorded: { table: 'analytics_event_day', day: "(e.created_at at time zone 'UTC')::date" },
  outcome: { table: 'analytics_outcome_day', day: `(${occurredAtOf('e')} at time zone 'UTC')::date` },
};

type By = keyof typeof DAYS;

/** Live events of a platform, by id: from one on, and before another. */
interface IdSlice {
  readonly platformId: string;
  readonly from: string;
  readonly before: string;
}

/** Events per transaction. */
const SLICE_EVENTS = 20_000;

/**
 * Adds the reports of all platforms to their days and to the days of their outcomes, in the order of
 * the reports. Live data alone (RULES B6). Returns the number of sums that it changed.
 */
export function sumEvents(db: Database): Sweep {
  return async (now, until) => {
    const end = lowestIdAt(new Date(now.getTime() - SETTLED_MS));
    let affected = 0;
    for (const { platformId } of await findProgress(db)) {
      if (until.aborted) break;
      affected += await inSlices(db, `events of ${platformId}`, until, (tx) => sumSlice(tx, platformId, end));
    }
    return affected;
  };
}

async function sumSlice(tx: Tx, platformId: string, end: string) {
  const [progress] = await findProgress(tx, platformId);
  const from = progress?.eventsBefore ?? lowestIdAt(new Date(0));
  const sliceEnd = await findSliceEnd(tx, { platformId, from, before: end }, SLICE_EVENTS);
  const slice = { platformId, from, before: sliceEnd ?? end };
  const affected = (await addSums(tx, 'recorded', slice)) + (await addSums(tx, 'outcome', slice));
  if (affected > 0) await saveProgress(tx, slice);
  return { affected, isLast: sliceEnd === null };
}

/** The id of the first event after `size` events; null: there are no more than `size`. */
async function findSliceEnd(
  tx: Tx,
  { platformId, from, before }: IdSlice,
  size: number,
): Promise<string | null> {
  const [row] = await tx.query<{ eventId: string }>(
    `select event_id from event where platform_id = $1 and livemode and event_id >= $2 and event_id < $3
     order by event_id offset $4 limit 1`,
    [platformId, from, before, size],
  );
  return row?.eventId ?? null;
}

function addSums(tx: Tx, by: By, { platformId, from, before }: IdSlice): Promise<number> {
  const { table, day } = DAYS[by];
  return tx.execute(
    `insert into ${table} as stored (platform_id, day, event_type, stake_level, is_verified, count)
     select platform_id, ${day}, event_type, stake_level, is_verified, count(*)
     from event e where platform_id = $1 and livemode and event_id >= $2 and event_id < $3
     group by 1, 2, 3, 4, 5
     on conflict (platform_id, day, event_type, stake_level, is_verified)
     do update set count = stored.count + excluded.count`,
    [platformId, from, before],
  );
}

async function saveProgress(tx: Tx, { platformId, before }: IdSlice): Promise<void> {
  const unlessNew = 'on conflict (platform_id) do update set events_before = excluded.events_before';
  await insertRow(tx, 'analytics_progress', { platformId, eventsBefore: before }, unlessNew);
}

/** Events of the window by day and kind: those that the sums hold, the rest counted. */
export async function eventsByDay(db: Queryable, slice: Slice, by: By): Promise<EventCount[]> {
  const summed = slice.livemode ? await readSums(db, slice, by) : null;
  const rest = await countEvents(db, slice, by, summed?.before ?? null);
  return [...(summed?.counts ?? []), ...rest];
}

/** The sums, and the id before which they hold all events. One statement, so that both belong together. */
async function readSums(db: Queryable, { platformId, from, to }: Slice, by: By) {
  const rows = await db.query<EventCount & { before: string | null }>(
    `select day as date, event_type, stake_level, is_verified, sum(count)::integer as count, null::uuid as before
     from ${DAYS[by].table} where platform_id = $1 and day between $2 and $3 ${BY_DAY_AND_BY_KIND}
     union all
     select null, null, null, null, null, events_before from analytics_progress
     where platform_id = $1 and events_before is not null`,
    [platformId, from, to],
  );
  const progress = rows.find(({ before }) => before !== null);
  return { before: progress?.before ?? null, counts: rows.filter((row) => row !== progress) };
}

/**
 * Reads what was reported in the window and, by outcome, after it: no outcome counts later than its
 * report. One range of the platform's index, since ids carry the time.
 * @param firstId only events with this id or a later one; null: all.
 */
function countEvents(
  db: Queryable,
  { platformId, livemode, from, to }: Slice,
  by: By,
  firstId: string | null,
): Promise<EventCount[]> {
  const { day } = DAYS[by];
  const { lowest, beyond } = idsOfDays({ from, to });
  return db.query<EventCount>(
    `select ${day} as date, event_type, stake_level, is_verified, count(*)::integer as count
     from event e
     where platform_id = $1 and livemode = $2 and event_id >= $3 and ($4::uuid is null or event_id < $4)
       and ${day} between $5 and $6
     ${BY_DAY_AND_BY_KIND}`,
    [
      platformId,
      livemode,
      firstId !== null && firstId > lowest ? firstId : lowest,
      by === 'recorded' ? beyond : null,
      from,
      to,
    ],
    PLANNED_FOR_ITS_WINDOW,
  );
}
