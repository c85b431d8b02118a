import type { z } from 'zod';
import {
  type BenchmarkDimension,
  benchmarkDimensions,
  type Cohort,
  type CohortFacts,
  cohortOf,
  EVERY_COHORT,
} from '../../../domain/benchmarkCohorts.js';
import { versions } from '../../../domain/catalogues/versions.js';
import { fail } from '../../../domain/errors.js';
import { type Answer, ok } from '../../../kit/http/answer.js';
import { subjectOf, type UserContext } from '../../../ledger/requests/userContext.js';
import { type CohortFigures, figuresOf, percentileOf, sizeBandOf, statisticsOf } from './benchmarkFigures.js';
import { visibleCohorts } from './benchmarkPrivacy.js';
import { type BenchmarkDeps, LIVE_UNIVERSE, SMALL_UNIVERSE } from './deps.js';
import { disclosures } from './disclosures.js';
import { isOfToday, makeLiveEdition } from './makeEditions.js';
import type { BenchmarkQuery } from './schemas.js';
import {
  type BenchmarkedRow,
  countLiveScores,
  countOwnScores,
  type EditionRow,
  findBenchmarked,
  findCompany,
  findEditions,
} from './store.js';

type Context = UserContext<z.output<typeof BenchmarkQuery>>;

/** GET /users/{id}/benchmark: where a score stands among others, and only where these are enough not to be told apart. */
export async function readBenchmark(deps: BenchmarkDeps, context: Context): Promise<Answer> {
  const { caller, params, query } = context;
  const [row, shown] = await Promise.all([
    findBenchmarked(deps.db, subjectOf(context)),
    shownCohorts(deps, caller),
  ]);
  if (!row) return fail('USER_NOT_FOUND');
  const asked = query.dimension === 'all' ? benchmarkDimensions : [query.dimension];
  const now = deps.clock.now();
  const k = deps.config.benchmarkMinCohort;
  return ok({
    userId: params.id,
    benchmarksVersion: versions.benchmarks,
    dimensions: asked.map((dimension) => entryOf(dimension, row, shown, k, now)),
    disclosures,
  });
}

/** The figures that the caller may see. */
async function shownCohorts(
  deps: BenchmarkDeps,
  { platformId, livemode }: Context['caller'],
): Promise<readonly CohortFigures[]> {
  const { db, clock, config } = deps;
  const now = clock.now();
  const k = config.benchmarkMinCohort;
  const universe = livemode ? LIVE_UNIVERSE : platformId;
  const [company, editions] = await Promise.all([
    findCompany(db, platformId, livemode, SMALL_UNIVERSE),
    findEditions(db, universe, platformId),
  ]);
  if (!company.hasOthers && company.own <= SMALL_UNIVERSE) {
    // Nobody else is in it, so there is nothing to hide but in numbers, and it is small: told as it stands now.
    const figures = figuresOf(await countOwnScores(db, platformId, livemode, now), EVERY_COHORT, now);
    return figures.filter(({ records }) => records >= k);
  }
  if (!livemode) return (editions[0]?.cohorts ?? []).filter(({ records }) => records >= k);
  const [latest, before] = await upToDate(deps, platformId, editions, now);
  if (!latest) return [];
  const visible = visibleCohorts(
    { ...massesOf(latest), taken: latest.taken },
    before ? massesOf(before) : null,
    k,
  );
  return latest.cohorts.filter(({ bit }) => visible & bit);
}

/** The first read of a day makes the figures of a small universe; those of a large one come by the sweep. */
async function upToDate(
  deps: BenchmarkDeps,
  platformId: string,
  editions: EditionRow[],
  now: Date,
): Promise<EditionRow[]> {
  const [latest] = editions;
  if (latest && isOfToday(latest.madeAt, now)) return editions;
  if ((await countLiveScores(deps.db, SMALL_UNIVERSE)) > SMALL_UNIVERSE) return editions;
  await makeLiveEdition(deps, now, new AbortController().signal);
  return findEditions(deps.db, LIVE_UNIVERSE, platformId);
}

function massesOf({ masses, own }: EditionRow) {
  return { total: masses, own: own ?? [] };
}

function entryOf(
  dimension: BenchmarkDimension,
  row: BenchmarkedRow,
  shown: readonly CohortFigures[],
  k: number,
  now: Date,
) {
  const facts = factsOf(row);
  if (!facts || row.finalScore === null) return { dimension, ...NOTHING, reason: 'no_score', cohort: null };
  const cohort = cohortOf(dimension, facts, now);
  const figures = shown.find(({ bit }) => bit === cohort.bit);
  if (!figures) return { dimension, ...NOTHING, reason: 'insufficient_data', cohort: nameOf(cohort, null) };
  return {
    dimension,
    available: true,
    reason: null,
    cohort: nameOf(cohort, sizeBandOf(figures.records, k)),
    percentile: percentileOf(figures, row.finalScore),
    statistics: statisticsOf(figures),
    asOf: figures.asOf,
  };
}

const NOTHING = { available: false, percentile: null, statistics: null, asOf: null };

function nameOf({ key, label }: Cohort, size: number | null) {
  return { key, label, size };
}

function factsOf(row: BenchmarkedRow): CohortFacts | null {
  const { subjectType, totalEvents, verifiedEvents, registeredAt } = row;
  if (totalEvents === null || verifiedEvents === null) return null;
  return {
    subjectType,
    totalEvents,
    verifiedEvents,
    registeredAt,
  };
}
