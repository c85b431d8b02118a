import type { Queryable, Tx } from '../../../kit/db/database.js';
import { platformIdsOf } from '../../../ledger/groups/platforms.js';
import {
  BY_DAY_AND_BY_KIND,
  type EventCount,
  idsOfDays,
  instantsOfDays,
  SCORE_DAYS,
  type ScoreDay,
  type Slice,
} from './store.js';

interface Progress {
  platformId: string;
  /** Every day of reports before this one is summed; null: none is yet. */
  summedBefore: string | null;
  /** Every event with a smaller id is in the sums by day of outcome; null: none is yet. */
  outcomesBefore: string | null;
}

/** The progress of each platform or of one of them. */
export async function findProgress(db: Queryable, platformId: string | null = null): Promise<Progress[]> {
  return db.query(
    `select platform_id, summed_before, outcomes_before
     from unnest($1::uuid[]) as known (platform_id) left join analytics_progress using (platform_id)
     order by platform_id`,
    [platformId === null ? await platformIdsOf(db) : [platformId]],
  );
}

/** The day of the first live event or score of a platform. */
export async function findFirstDay(db: Queryable, platformId: string): Promise<string | null> {
  const [row] = await db.query<{ day: string | null }>(
    `select (least(
       (select created_at from event where platform_id = $1 and livemode order by event_id limit 1),
       (select computed_at from score_snapshot where platform_id = $1 and livemode order by computed_at limit 1)
     ) at time zone 'UTC')::date as day`,
    [platformId],
  );
  return row?.day ?? null;
}

export async function sumEvents(tx: Tx, platformId: string, date: string): Promise<void> {
  const { lowest, beyond } = idsOfDays({ from: date, to: date });
  await tx.execute(
    `insert into analytics_event_day (platform_id, day, event_type, stake_level, is_verified, count)
     select platform_id, $2::date, event_type, stake_level, is_verified, count(*)
     from event where platform_id = $1 and livemode and event_id >= $3 and event_id < $4
     group by platform_id, event_type, stake_level, is_verified`,
    [platformId, date, lowest, beyond],
  );
}

export async function sumSnapshots(tx: Tx, platformId: string, date: string): Promise<void> {
  const { start, end } = instantsOfDays({ from: date, to: date });
  await tx.execute(
    `insert into analytics_score_day (platform_id, day, published, hundredths, band_changes, band_net)
     select $1::uuid, date, published, hundredths, band_changes, band_net from (${SCORE_DAYS}) as score_day`,
    [platformId, true, start, end],
  );
}

/** Until when the scores of a platform are in parts of days; null: none are. */
export async function findPartsEnd(db: Queryable, platformId: string): Promise<Date | null> {
  const [row] = await db.query<{ until: Date | null }>(
    'select max(until) as until from analytics_score_part where platform_id = $1',
    [platformId],
  );
  return row?.until ?? null;
}

/** Sums the scores published in a span as parts of their days. Returns the number of parts. */
export function addParts(tx: Tx, platformId: string, from: Date, until: Date): Promise<number> {
  return tx.execute(
    `insert into analytics_score_part (platform_id, until, day, published, hundredths, band_changes, band_net)
     select $1::uuid, $4::timestamptz, date, published, hundredths, band_changes, band_net from (${SCORE_DAYS}) as score_day`,
    [platformId, true, from, until],
  );
}

/** Deletes the parts of days before this one. */
export async function dropParts(tx: Tx, platformId: string, before: string): Promise<void> {
  await tx.execute('delete from analytics_score_part where platform_id = $1 and day < $2', [
    platformId,
    before,
  ]);
}

/** The parts of days that are not summed yet. */
export function readParts(
  db: Queryable,
  { platformId, from, to }: Pick<Slice, 'platformId' | 'from' | 'to'>,
): Promise<(ScoreDay & { until: Date })[]> {
  return db.query(
    `select day as date, published, hundredths, band_changes, band_net, until from analytics_score_part
     where platform_id = $1 and day between $2 and $3`,
    [platformId, from, to],
  );
}

export async function saveProgress(tx: Tx, platformId: string, summedBefore: string): Promise<void> {
  await tx.execute(
    `insert into analytics_progress (platform_id, summed_before) values ($1, $2)
     on conflict (platform_id) do update set summed_before = excluded.summed_before`,
    [platformId, summedBefore],
  );
}

/** Summed days of a platform, the last one given left out. */
interface SummedSlice {
  readonly platformId: string;
  readonly from: string;
  readonly before: string;
}

export function readSummedEvents(
  db: Queryable,
  { platformId, from, before }: SummedSlice,
): Promise<EventCount[]> {
  return db.query<EventCount>(
    `select day as date, event_type, stake_level, is_verified, sum(count)::integer as count from analytics_event_day
     where platform_id = $1 and day >= $2 and day < $3 ${BY_DAY_AND_BY_KIND}`,
    [platformId, from, before],
  );
}

export function readSummedScores(
  db: Queryable,
  { platformId, from, before }: SummedSlice,
): Promise<ScoreDay[]> {
  return db.query<ScoreDay>(
    `select day as date, published, hundredths, band_changes, band_net from analytics_score_day
     where platform_id = $1 and day >= $2 and day < $3`,
    [platformId, from, before],
  );
}
