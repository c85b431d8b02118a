import { benchmarkDimensions, cohortsOf } from '#domain/benchmarkCohorts.js';
import { fail } from '#domain/errors.js';
import type { Queryable } from '#kit/db/database.js';
import type { Owner } from '#kit/http/route.js';
import { platformIdsOf } from '#ledger/groups/platforms.js';
import { membersSql } from '#ledger/links/recordReads.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import type { CohortFigures, ScoreBin } from './benchmarkFigures.js';
import type { Cells } from './benchmarkPrivacy.js';

/** Must agree with `cohortOf`. $now is a time. */
const MEASURES = {
  all: null,
  subjectType: 'subject_type',
  verificationDepthBand:
    'case when verified_events = 0 then -1 else verified_events * 100.0 / total_events end',
  activityVolumeBand: 'total_events',
  tenureBand: 'greatest(0, extract(epoch from $now::timestamptz - registered_at)) / 86400',
} as const satisfies Record<(typeof benchmarkDimensions)[number], string | null>;

/**
 * The cohorts of a row with subject_type, total_events, verified_events and registered_at, as a set
 * of bits.
 * @param now the placeholder of the current time: `$2`.
 */
export function membershipSql(now: `$${number}`): string {
  return benchmarkDimensions.map((dimension) => bitSql(dimension).replaceAll('$now', now)).join(' | ');
}

function bitSql(dimension: (typeof benchmarkDimensions)[number]): string {
  const measure = MEASURES[dimension];
  const downward = cohortsOf(dimension).reverse();
  if (measure === null) return String(downward[0]?.bit ?? 0);
  const cases = downward.map(({ from, bit }) =>
    typeof from === 'string'
      ? `when ${measure} = '${from}' then ${bit}`
      : `when ${measure} >= ${from} then ${bit}`,
  );
  return `case ${cases.join(' ')} else 0 end`;
}

/** The live universe is shared by all platforms; a test universe has the id of its platform. */
export const LIVE_UNIVERSE = '00000000-0000-0000-0000-000000000000';

/** A subject with its score; the figures are null before the first score. */
export interface BenchmarkedRow {
  subjectType: string;
  finalScore: number | null;
  totalEvents: number | null;
  verifiedEvents: number | null;
  /** When the first subject of the record was registered. */
  registeredAt: Date;
}

/** Throws USER_NOT_FOUND. */
export async function readBenchmarked(
  db: Queryable,
  { platformId, livemode }: Owner,
  userId: string,
): Promise<BenchmarkedRow> {
  const [row] = await db.query<BenchmarkedRow>(
    `select s.subject_type, c.final_score, c.total_events, c.verified_events,
       (select min(m.registered_at) from (${membersSql('s.record_id')}) as m) as registered_at
     from subject s left join score c using (subject_id)
     where s.subject_id = $1`,
    [subjectIdOf(platformId, livemode, userId)],
  );
  return row ?? fail('USER_NOT_FOUND');
}

interface UniverseShape {
  /** Scores of the platform, counted up to limit + 1. */
  own: number;
  /** Another platform has live scores. */
  hasOthers: boolean;
}

/** Reads one index entry per platform until another platform is found. */
export async function readUniverseShape(
  db: Queryable,
  platformId: string,
  livemode: boolean,
  limit: number,
): Promise<UniverseShape> {
  const [row] = await db.query<UniverseShape>(
    `select (select count(*) from (
         select 1 from score where platform_id = $1 and livemode = $2 limit $3 + 1
       ) as counted)::integer as own,
       $2 and exists (
         select 1 from unnest($4::uuid[]) as p (platform_id) where p.platform_id <> $1
           and exists (select 1 from score c where c.platform_id = p.platform_id and c.livemode)
       ) as has_others`,
    [platformId, livemode, limit, await platformIdsOf(db)],
  );
  return row ?? { own: 0, hasOthers: false };
}

/** Live scores of all platforms, counted up to limit + 1. */
export async function countLiveScores(db: Queryable, limit: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::integer as count from (
       select 1 from unnest($2::uuid[]) as p (platform_id) cross join lateral (
         select 1 from score c where c.platform_id = p.platform_id and c.livemode limit $1 + 1
       ) as found limit $1 + 1
     ) as counted`,
    [limit, await platformIdsOf(db)],
  );
  return row?.count ?? 0;
}

/**
 * All scores of one platform and mode, by cohorts and whole points. Here each subject is a record
 * of its own.
 */
export function countOwnScores(
  db: Queryable,
  platformId: string,
  livemode: boolean,
  now: Date,
): Promise<ScoreBin[]> {
  return db.query<ScoreBin>(
    `select ${membershipSql('$3')} as bits, round(final_score)::integer as points, count(*)::integer as records,
       sum(final_score * 100)::bigint as hundredths
     from score where platform_id = $1 and livemode = $2 group by 1, 2`,
    [platformId, livemode, now],
  );
}

export interface EditionRow {
  edition: number;
  madeAt: Date;
  taken: number;
  cohorts: CohortFigures[];
  cells: Cells;
  /** The caller's records; null if it has none. */
  own: Cells | null;
}

/**
 * The latest two editions of a universe, with the platform's own records in each. Those of the live
 * universe are in the first ledger group.
 */
export function findEditions(
  db: Queryable,
  universe: string,
  platformId: string | null,
): Promise<EditionRow[]> {
  const home = universe === LIVE_UNIVERSE ? db.shared : db;
  return home.query<EditionRow>(
    `select e.edition, e.made_at, e.taken, e.cohorts, e.cells, o.cells as own
     from benchmark_edition e left join benchmark_own o on o.platform_id = $2 and o.edition = e.edition
     where e.universe = $1 order by e.edition desc limit 2`,
    [universe, platformId],
  );
}
