import { type EventType, model, type ScoreBand, type StakeLevel, scoreBands } from '@reliability/scoring';
import type { ScoreCount } from '#domain/points.js';
import { DAY_MS } from '#domain/timestamp.js';
import type { Queryable } from '#kit/db/database.js';
import { idsBetween } from '#kit/ids.js';

/** What a platform owns in one mode, over whole UTC days. */
export interface Slice {
  readonly platformId: string;
  readonly livemode: boolean;
  readonly from: string;
  readonly to: string;
}

/** The events of a day, or those of a kind in the whole window. */
export type EventCount = DayCount | KindCount;

interface DayCount {
  date: string;
  eventType: null;
  stakeLevel: null;
  isVerified: boolean;
  count: number;
}

export interface KindCount {
  date: null;
  eventType: EventType;
  stakeLevel: StakeLevel;
  isVerified: boolean;
  count: number;
}

/**
 * The columns date, type, stake and verified as two sets of EventCount. Ten years have some hundred
 * thousand pairs of day and kind, which would take longer to send than to add up.
 */
export const BY_DAY_AND_BY_KIND = 'group by grouping sets ((1, 4), (2, 3, 4))';

export interface ScoreDay {
  date: string;
  published: number;
  /** Sum of their scores, in hundredths. */
  hundredths: number;
  bandChanges: number;
  /** Subjects that entered each band less those that left it. */
  bandNet: Record<ScoreBand, number>;
}

/** The band of the score before, as scoreBandOf knows it. */
const PREVIOUS_BAND = `case ${[...model.bands]
  .sort((left, right) => right.minimum - left.minimum)
  .map(({ band, minimum }) => `when previous_score >= ${minimum} then '${band}'`)
  .join(' ')} end`;

const publishedWhere = (condition: string) =>
  `coalesce(sum(published) filter (where ${condition}), 0)::integer`;

const BAND_NET = scoreBands.map(
  (band) =>
    `'${band}', ${publishedWhere(`score_band = '${band}'`)} - ${publishedWhere(`previous_band = '${band}'`)}`,
);

/**
 * The columns of ScoreDay, for the platform $1, the mode $2, and the snapshots from $3 on and before
 * $4. Grouping by both bands first evaluates PREVIOUS_BAND once for each snapshot.
 */
export const SCORE_DAYS = `
select date, sum(published)::integer as published, sum(hundredths)::bigint as hundredths,
  ${publishedWhere('score_band <> previous_band')} as band_changes, json_build_object(${BAND_NET.join(', ')}) as band_net
from (
  select (computed_at at time zone 'UTC')::date as date, score_band, ${PREVIOUS_BAND} as previous_band,
    count(*) as published, sum(final_score * 100) as hundredths
  from score_snapshot
  where platform_id = $1 and livemode = $2 and computed_at >= $3 and computed_at < $4
  group by 1, 2, 3
) as move
group by date`;

/** Published scores by day: a snapshot each. @param since only those published then or later; null: all. */
export function countSnapshots(
  db: Queryable,
  { platformId, livemode, from, to }: Slice,
  since: Date | null,
): Promise<ScoreDay[]> {
  const { start, end } = instantsOfDays({ from, to });
  const first = since !== null && since > start ? since : start;
  return db.query<ScoreDay>(SCORE_DAYS, [platformId, livemode, first, end], PLANNED_FOR_ITS_WINDOW);
}

// A day and a year want different plans; the planning is little beside either.
export const PLANNED_FOR_ITS_WINDOW = { isUncached: true };

/** Subjects with and without a score, in indexes alone. Those without are few, and a flag may lag behind: so it is looked up. */
export async function countBook(
  db: Queryable,
  platformId: string,
  livemode: boolean,
): Promise<{ scored: number; unscored: number }> {
  const [row] = await db.query<{ scored: number; unscored: number }>(
    `select (select count(*) from score where platform_id = $1 and livemode = $2)::integer as scored,
       (select count(*) from subject s where platform_id = $1 and livemode = $2 and not is_scored
         and not exists (select 1 from score where score.subject_id = s.subject_id))::integer as unscored`,
    [platformId, livemode],
  );
  return row ?? { scored: 0, unscored: 0 };
}

/** One row for each score that occurs, in the order of scores. */
export function countScores(db: Queryable, platformId: string, livemode: boolean): Promise<ScoreCount[]> {
  return db.query<ScoreCount>(
    `select final_score, count(*)::integer as count from score where platform_id = $1 and livemode = $2
     group by final_score order by final_score`,
    [platformId, livemode],
  );
}

/** From the start of the first day to that of the day after the last. */
export function instantsOfDays({ from, to }: Pick<Slice, 'from' | 'to'>): { start: Date; end: Date } {
  return { start: new Date(from), end: new Date(Date.parse(to) + DAY_MS) };
}

/** The ids of events reported on these days: from the first on, and before the second. */
export function idsOfDays(days: Pick<Slice, 'from' | 'to'>): { lowest: string; beyond: string } {
  const { start, end } = instantsOfDays(days);
  return idsBetween(start, new Date(end.getTime() - 1));
}
