import type { Database, Queryable, Tx } from '../../../kit/db/database.js';
import { lowestIdAt } from '../../../kit/ids.js';
import { occurredAtOf } from '../../../ledger/reads/eventRow.js';
import { inSlices, type Sweep } from '../../../ledger/sweep.js';
import { findProgress, SETTLED_MS } from './daySums.js';
import {
  BY_DAY_AND_BY_KIND,
  type EventCount,
  idsOfDays,
  PLANNED_FOR_ITS_WINDOW,
  type Slice,
} from './store.js';

const OUTCOME_DAY = `(${occurredAtOf('e')} at time zone 'UTC')::date`;

/** Live events of a platform, by id: from one on, and before another. */
interface IdSlice {
  readonly platformId: string;
  readonly from: string;
  readonly before: string;
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

/** Returns the number of sums that changed. */
function addOutcomes(tx: Tx, { platformId, from, before }: IdSlice): Promise<number> {
  return tx.execute(
    `insert into analytics_outcome_day as stored (platform_id, day, event_type, stake_level, is_verified, count)
     select platform_id, ${OUTCOME_DAY}, event_type, stake_level, is_verified, count(*)
     from event e where platform_id = $1 and livemode and event_id >= $2 and event_id < $3
     group by 1, 2, 3, 4, 5
     on conflict (platform_id, day, event_type, stake_level, is_verified)
     do update set count = stored.count + excluded.count`,
    [platformId, from, before],
  );
}

async function saveOutcomeProgress(tx: Tx, platformId: string, before: string): Promise<void> {
  await tx.execute(
    `insert into analytics_progress (platform_id, outcomes_before) values ($1, $2)
     on conflict (platform_id) do update set outcomes_before = excluded.outcomes_before`,
    [platformId, before],
  );
}

/** Sums of the days of outcomes; they hold the events before `before`, null: there are none yet. */
interface OutcomeSums {
  readonly before: string | null;
  readonly counts: readonly EventCount[];
}

/** One statement, so that the sums and their end belong together. */
export async function readSummedOutcomes(
  db: Queryable,
  { platformId, from, to }: Omit<Slice, 'livemode'>,
): Promise<OutcomeSums> {
  const rows = await db.query<EventCount & { before: string | null }>(
    `select day as date, event_type, stake_level, is_verified, sum(count)::integer as count, null::uuid as before
     from analytics_outcome_day where platform_id = $1 and day between $2 and $3 ${BY_DAY_AND_BY_KIND}
     union all
     select null, null, null, null, null, outcomes_before from analytics_progress
     where platform_id = $1 and outcomes_before is not null`,
    [platformId, from, to],
  );
  const progress = rows.find(({ before }) => before !== null);
  return { before: progress?.before ?? null, counts: rows.filter((row) => row !== progress) };
}

/**
 * Events by the day of their outcome. Reads those reported since the start of the window, because
 * no outcome counts later than its report.
 * @param firstId only events with this id or a later one; null: all.
 */
export function countOutcomes(
  db: Queryable,
  { platformId, livemode, from, to }: Slice,
  firstId: string | null,
): Promise<EventCount[]> {
  const { lowest } = idsOfDays({ from, to });
  return db.query<EventCount>(
    `select ${OUTCOME_DAY} as date, event_type, stake_level, is_verified, count(*)::integer as count
     from event e
     where platform_id = $1 and livemode = $2 and event_id >= $3 and ${OUTCOME_DAY} between $4 and $5
     ${BY_DAY_AND_BY_KIND}`,
    [platformId, livemode, firstId !== null && firstId > lowest ? firstId : lowest, from, to],
    PLANNED_FOR_ITS_WINDOW,
  );
}

/** Events per transaction. */
const SLICE_EVENTS = 20_000;

/**
 * Adds the reports of all platforms to the days of their outcomes, in the order of the reports.
 * Live data alone (RULES B6). Returns the number of sums that it changed.
 */
export function sumOutcomes(db: Database): Sweep {
  return async (now, until) => {
    const end = lowestIdAt(new Date(now.getTime() - SETTLED_MS));
    let affected = 0;
    for (const { platformId } of await findProgress(db)) {
      if (until.aborted) break;
      affected += await inSlices(db, `outcomes of ${platformId}`, until, (tx) =>
        sumSlice(tx, platformId, end),
      );
    }
    return affected;
  };
}

async function sumSlice(tx: Tx, platformId: string, end: string) {
  const [progress] = await findProgress(tx, platformId);
  const from = progress?.outcomesBefore ?? lowestIdAt(new Date(0));
  const sliceEnd = await findSliceEnd(tx, { platformId, from, before: end }, SLICE_EVENTS);
  const before = sliceEnd ?? end;
  const affected = await addOutcomes(tx, { platformId, from, before });
  if (affected > 0) await saveOutcomeProgress(tx, platformId, before);
  return { affected, isLast: sliceEnd === null };
}
