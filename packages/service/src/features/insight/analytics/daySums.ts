import { dayFromIso, dayOf, isoFromDay } from '@reliability/scoring';
import type { Database, Queryable, Tx } from '#kit/db/database.js';
import { insertRow } from '#kit/db/rows.js';
import { platformIdsOf } from '#ledger/groups/platforms.js';
import { inSlices, type Sweep } from '#ledger/sweep.js';
import { countSnapshots, instantsOfDays, SCORE_DAYS, type ScoreDay, type Slice } from './store.js';

interface Progress {
  platformId: string;
  /** Every day of scores before this one is summed; null: none is yet. */
  summedBefore: string | null;
  /** Every event with a smaller id is in the sums (eventSums.ts); null: none is yet. */
  eventsBefore: string | null;
}

/** The progress of each platform or of one of them. */
export async function findProgress(db: Queryable, platformId: string | null = null): Promise<Progress[]> {
  return db.query(
    `select platform_id, summed_before, events_before
     from unnest($1::uuid[]) as known (platform_id) left join analytics_progress using (platform_id)
     order by platform_id`,
    [platformId === null ? await platformIdsOf(db) : [platformId]],
  );
}

/** The day of the first live score of a platform. */
async function findFirstDay(db: Queryable, platformId: string): Promise<string | null> {
  const [row] = await db.query<{ day: string }>(
    `select (computed_at at time zone 'UTC')::date as day from score_snapshot
     where platform_id = $1 and livemode order by computed_at limit 1`,
    [platformId],
  );
  return row?.day ?? null;
}

async function sumSnapshots(tx: Tx, platformId: string, date: string): Promise<void> {
  const { start, end } = instantsOfDays({ from: date, to: date });
  await tx.execute(
    `insert into analytics_score_day (platform_id, day, published, hundredths, band_changes, band_net)
     select $1::uuid, date, published, hundredths, band_changes, band_net from (${SCORE_DAYS}) as score_day`,
    [platformId, true, start, end],
  );
}

/** Until when the scores of a platform are in parts of days; null: none are. */
async function findPartsEnd(db: Queryable, platformId: string): Promise<Date | null> {
  const [row] = await db.query<{ until: Date | null }>(
    'select max(until) as until from analytics_score_part where platform_id = $1',
    [platformId],
  );
  return row?.until ?? null;
}

/** Sums the scores published in a span as parts of their days. Returns the number of parts. */
function addParts(tx: Tx, platformId: string, from: Date, until: Date): Promise<number> {
  return tx.execute(
    `insert into analytics_score_part (platform_id, until, day, published, hundredths, band_changes, band_net)
     select $1::uuid, $4::timestamptz, date, published, hundredths, band_changes, band_net from (${SCORE_DAYS}) as score_day`,
    [platformId, true, from, until],
  );
}

/** Deletes the parts of days before this one. */
async function dropParts(tx: Tx, platformId: string, before: string): Promise<void> {
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

async function saveProgress(tx: Tx, platformId: string, summedBefore: string): Promise<void> {
  const unlessNew = 'on conflict (platform_id) do update set summed_before = excluded.summed_before';
  await insertRow(tx, 'analytics_progress', { platformId, summedBefore }, unlessNew);
}

/** Summed days of a platform, the last one given left out. */
interface SummedSlice {
  readonly platformId: string;
  readonly from: string;
  readonly before: string;
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

/**
 * Sums include what was stamped at least this long ago. A transaction commits within some minutes of
 * its stamp or never: statements and pauses inside it are limited to a minute each.
 */
export const SETTLED_MS = 60 * 60 * 1000;

/**
 * Sums up the scores of the days that are over, for all platforms, so that a window over them costs a row per day and kind, however large the book.
 * Live data alone: that of a test universe may be taken back. Answers how many days it summed.
 */
export function sumDays(db: Database): Sweep {
  return async (now, until) => {
    const end = dayOf(new Date(now.getTime() - SETTLED_MS));
    let affected = 0;
    for (const { platformId, summedBefore } of await findProgress(db)) {
      if (until.aborted) break;
      if (summedBefore !== null && dayFromIso(summedBefore) >= end) continue;
      affected += await sumPlatform(db, platformId, end, until);
    }
    return affected;
  };
}

/** A day in a transaction, from where the sums end on. */
function sumPlatform(db: Database, platformId: string, end: number, until: AbortSignal): Promise<number> {
  return inSlices(db, `days of ${platformId}`, until, async (tx) => {
    const [progress] = await findProgress(tx, platformId);
    const date = progress?.summedBefore ?? (await findFirstDay(tx, platformId));
    if (date === null || dayFromIso(date) >= end) return { affected: 0, isLast: true };
    const nextDay = dayFromIso(date) + 1;
    await sumSnapshots(tx, platformId, date);
    await saveProgress(tx, platformId, isoFromDay(nextDay));
    return { affected: 1, isLast: nextDay >= end };
  });
}

/**
 * Nearly every transaction commits within this time of its stamp. A part that misses one is wrong
 * until its day is over and summed as a whole (sumDays).
 */
const PART_SETTLED_MS = 5 * 60 * 1000;

/**
 * Sums what was published today so far, so that a read counts the last minutes alone: a daily round
 * over a book of a million subjects publishes a million scores.
 */
export function sumParts(db: Database): Sweep {
  return async (now, until) => {
    const end = new Date(now.getTime() - PART_SETTLED_MS);
    let affected = 0;
    for (const { platformId } of await findProgress(db)) {
      if (until.aborted) break;
      affected += await inSlices(db, `parts of ${platformId}`, until, async (tx) => {
        const [progress] = await findProgress(tx, platformId);
        const firstDay = progress?.summedBefore ?? (await findFirstDay(tx, platformId));
        if (firstDay === null) return { affected: 0, isLast: true };
        // A read that saw the progress before these days were summed has ended long ago.
        await dropParts(tx, platformId, isoFromDay(dayOf(new Date(firstDay)) - 1));
        const last = await findPartsEnd(tx, platformId);
        const from = last !== null && last > new Date(firstDay) ? last : new Date(firstDay);
        return { affected: from < end ? await addParts(tx, platformId, from, end) : 0, isLast: true };
      });
    }
    return affected;
  };
}

/** Published scores of the window: sums where there are any, the rest counted. A day can occur more than once. */
export async function scoresByDay(db: Queryable, slice: Slice): Promise<ScoreDay[]> {
  const { summed, rest } = await splitAtSums(db, slice);
  const counts = await Promise.all([
    summed ? readSummedScores(db, summed) : [],
    rest ? countUnsummed(db, rest) : [],
  ]);
  return counts.flat();
}

/** Days can occur more than once: in parts that the sweep has summed, and what came since. */
async function countUnsummed(db: Queryable, rest: Slice): Promise<ScoreDay[]> {
  const parts = rest.livemode ? await readParts(db, rest) : [];
  const end = parts.reduce<Date | null>((last, { until }) => (last && last > until ? last : until), null);
  return [...parts, ...(await countSnapshots(db, rest, end))];
}

/** Sums only grow at their end, so where they ended a moment ago is a safe place to part the window. */
async function splitAtSums(db: Queryable, slice: Slice) {
  const { platformId, livemode, from, to } = slice;
  const [progress] = livemode ? await findProgress(db, platformId) : [];
  const end = progress?.summedBefore ?? null;
  if (end === null || end <= from) return { summed: null, rest: slice };
  const isWhole = end > to;
  const before = isWhole ? isoFromDay(dayFromIso(to) + 1) : end;
  return { summed: { platformId, from, before }, rest: isWhole ? null : { ...slice, from: end } };
}
