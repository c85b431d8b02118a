import type { z } from 'zod';
import type { Queryable } from '#kit/db/database.js';
import type { Owner } from '#kit/http/route.js';
import { replayMovers } from './replayBook.js';
import {
  type AnalyticsDeps,
  analyticsWindowOf,
  type Movers,
  type MoversQuery,
  USUAL_MOVERS_DAYS,
} from './schemas.js';

/** A daily round over a large book publishes more than can be compared in the time of an answer. */
const MAX_SNAPSHOTS = 20_000;

/** GET /analytics/movers: whose score rose and fell most, in the mode of the key. */
export async function readMovers(
  deps: AnalyticsDeps,
  owner: Owner,
  { by, days, limit }: z.output<typeof MoversQuery>,
): Promise<Movers> {
  const window = analyticsWindowOf(deps, { days }, USUAL_MOVERS_DAYS);
  const since = new Date(window.from);
  const { platformId, livemode } = owner;
  const slice = { platformId, livemode, since, limit };
  return deps.reads.from(async (db) => {
    const replayed = by === 'outcome' ? await replayMovers(db, owner, window, limit) : null;
    if (replayed) return { by, window, since, truncated: false, ...replayed };
    const truncated = await hasMoreSnapshots(db, slice, MAX_SNAPSHOTS);
    const movers = truncated
      ? await findLargeMovers(db, slice, deps.clock.now())
      : await findMovers(db, slice);
    return { by: 'recorded', window, since, truncated, ...movers };
  });
}

interface MoverSlice {
  readonly platformId: string;
  readonly livemode: boolean;
  readonly since: Date;
  /** Rows in each direction. */
  readonly limit: number;
}

type MoverRows = Pick<Movers, 'up' | 'down'>;

/** Whether more than `limit` scores were published since then. Reads no more of an index. */
async function hasMoreSnapshots(
  db: Queryable,
  { platformId, livemode, since }: MoverSlice,
  limit: number,
): Promise<boolean> {
  const [row] = await db.query<{ seen: number }>(
    `select count(*)::integer as seen from (
       select from score_snapshot where platform_id = $1 and livemode = $2 and computed_at >= $3 limit $4
     ) as published`,
    [platformId, livemode, since, limit + 1],
  );
  return (row?.seen ?? 0) > limit;
}

const moversWhere = (condition: string, order: 'asc' | 'desc') => `
coalesce((
  select json_agg(json_build_object(
    'userId', external_id, 'from', before, 'to', after, 'delta', after - before, 'scoreBand', score_band
  )) from (
    select * from ends where ${condition} order by after - before ${order}, subject_id limit $4
  ) as mover
), '[]')`;

const TOP = `
select ${moversWhere('after > before', 'desc')} as up, ${moversWhere('after < before', 'asc')} as down`;

/**
 * The largest changes from the score before the first snapshot since then to the score now. Arrays
 * compare by their first item: a sort for each subject takes twice as long. Erased subjects have
 * snapshots and no score.
 */
async function findMovers(
  db: Queryable,
  { platformId, livemode, since, limit }: MoverSlice,
): Promise<MoverRows> {
  const [row] = await db.query<MoverRows>(
    `with first as materialized (
       select subject_id, (min(array[snapshot_no, coalesce(previous_score, final_score)]))[2] as before
       from score_snapshot where platform_id = $1 and livemode = $2 and computed_at >= $3
       group by subject_id
     ), ends as materialized (
       select c.subject_id, c.external_id, c.score_band, first.before, c.final_score as after
       from first join score c using (subject_id)
     )${TOP}`,
    [platformId, livemode, since, limit],
  );
  return row ?? { up: [], down: [] };
}

/** Candidates of each day and direction. */
const STEPS_OF_DAY = 100;
const STEP = 'final_score - previous_score';

const stepsWhere = (condition: string, order: 'asc' | 'desc') =>
  `(select subject_id from score_snapshot
    where platform_id = $1 and livemode = $2 and (computed_at at time zone 'UTC')::date = day and ${condition}
    order by ${STEP} ${order} limit ${STEPS_OF_DAY})`;

/**
 * The same among the subjects with the largest single moves of each day. The index has moves of a
 * point or more.
 */
async function findLargeMovers(
  db: Queryable,
  { platformId, livemode, since, limit }: MoverSlice,
  today: Date,
): Promise<MoverRows> {
  const [row] = await db.query<MoverRows>(
    `with candidate as materialized (
       select distinct subject_id
       from generate_series($3::timestamptz at time zone 'UTC', $5::timestamptz at time zone 'UTC', '1 day') as at
       cross join lateral (select at::date as day) as days cross join lateral (
         ${stepsWhere(`${STEP} >= 1`, 'desc')} union all ${stepsWhere(`${STEP} <= -1`, 'asc')}
       ) as step
     ), ends as materialized (
       select c.subject_id, c.external_id, c.score_band, c.final_score as after, coalesce(
         (select final_score from score_snapshot n where n.subject_id = c.subject_id and computed_at < $3
          order by snapshot_no desc limit 1),
         (select final_score from score_snapshot n where n.subject_id = c.subject_id order by snapshot_no limit 1)
       ) as before
       from candidate join score c using (subject_id)
     )${TOP}`,
    [platformId, livemode, since, limit, today],
  );
  return row ?? { up: [], down: [] };
}
