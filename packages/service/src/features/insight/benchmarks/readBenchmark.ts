import {
  type BenchmarkDimension,
  benchmarkDimensions,
  type Cohort,
  type CohortFacts,
  cohortOf,
  EVERY_COHORT,
} from '#domain/benchmarkCohorts.js';
import { versions } from '#domain/catalogues/versions.js';
import { userPath } from '#domain/externalId.js';
import type { Database } from '#kit/db/database.js';
import { ok } from '#kit/http/answer.js';
import { fixedDocument } from '#kit/http/fixedDocument.js';
import { everyone, keyFor, type Owner, type RouteTable, route } from '#kit/http/route.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { type CohortFigures, figuresOf, percentileOf, sizeBandOf, statisticsOf } from './benchmarkFigures.js';
import { visibleCohorts } from './benchmarkPrivacy.js';
import {
  Benchmark,
  BenchmarkCatalogue,
  BenchmarkQuery,
  benchmarkCatalogue,
  disclosures,
} from './catalogue.js';
import { isOfToday, makeLiveEdition } from './makeEditions.js';
import {
  type BenchmarkedRow,
  countLiveScores,
  countOwnScores,
  type EditionRow,
  findEditions,
  LIVE_UNIVERSE,
  readBenchmarked,
  readUniverseShape,
} from './store.js';

type BenchmarkDeps = Pick<ServiceDeps, 'db' | 'groups' | 'clock' | 'config'>;

/** Up to this number of records, a read may compute the figures. */
const SMALL_UNIVERSE = 1000;

/** A score compared with its cohorts, as far as they are large enough to identify nobody. */
async function readBenchmark(
  deps: BenchmarkDeps,
  owner: Owner,
  userId: string,
  dimension: BenchmarkDimension,
): Promise<Benchmark> {
  const row = await readBenchmarked(deps.db, owner, userId);
  const visible = await visibleFigures(deps, owner);
  const dimensions = dimension === 'all' ? benchmarkDimensions : [dimension];
  const now = deps.clock.now();
  const k = deps.config.benchmarkMinCohort;
  return {
    userId,
    benchmarksVersion: versions.benchmarks,
    dimensions: dimensions.map((each) => entryOf(each, row, visible, k, now)),
    disclosures: [...disclosures],
  };
}

/** The figures that the caller may see. */
async function visibleFigures(
  deps: BenchmarkDeps,
  { platformId, livemode }: Owner,
): Promise<readonly CohortFigures[]> {
  const { db, groups, clock, config } = deps;
  const now = clock.now();
  const k = config.benchmarkMinCohort;
  const universe = livemode ? LIVE_UNIVERSE : platformId;
  const [shape, editions] = await Promise.all([
    readUniverseShape(db, platformId, livemode, SMALL_UNIVERSE),
    findEditions(db, universe, platformId),
  ]);
  const hasOthers = shape.hasOthers || (livemode && (await hasScoresElsewhere(db, groups())));
  if (!hasOthers && shape.own <= SMALL_UNIVERSE) {
    // No other platform's records need protection, and the universe is small: compute the current
    // figures.
    const figures = figuresOf(await countOwnScores(db, platformId, livemode, now), EVERY_COHORT, now);
    return figures.filter(({ records }) => records >= k);
  }
  if (!livemode) return (editions[0]?.cohorts ?? []).filter(({ records }) => records >= k);
  const [latest, before] = await upToDate(deps, platformId, editions, now);
  if (!latest) return [];
  const visible = visibleCohorts(
    { ...cellsOf(latest), taken: latest.taken },
    before ? cellsOf(before) : null,
    k,
  );
  return latest.cohorts.filter(({ bit }) => visible & bit);
}

async function hasScoresElsewhere(own: Database, groups: readonly Database[]): Promise<boolean> {
  for (const db of groups)
    if (db.ledgers.own !== own.ledgers.own && (await countLiveScores(db, 0)) > 0) return true;
  return false;
}

/**
 * The first read of a day computes the figures of a small universe. The sweep computes those of a
 * large one.
 */
async function upToDate(
  deps: BenchmarkDeps,
  platformId: string,
  editions: EditionRow[],
  now: Date,
): Promise<EditionRow[]> {
  const [latest] = editions;
  if (latest && isOfToday(latest.madeAt, now)) return editions;
  let scores = 0;
  for (const db of deps.groups()) scores += await countLiveScores(db, SMALL_UNIVERSE);
  if (scores > SMALL_UNIVERSE) return editions;
  await makeLiveEdition(deps, now, new AbortController().signal);
  return findEditions(deps.db, LIVE_UNIVERSE, platformId);
}

function cellsOf({ cells, own }: EditionRow) {
  return { total: cells, own: own ?? [] };
}

function entryOf(
  dimension: BenchmarkDimension,
  row: BenchmarkedRow,
  visible: readonly CohortFigures[],
  k: number,
  now: Date,
): Benchmark['dimensions'][number] {
  const facts = factsOf(row);
  if (!facts || row.finalScore === null) return { dimension, ...NOTHING, reason: 'no_score', cohort: null };
  const cohort = cohortOf(dimension, facts, now);
  const figures = visible.find(({ bit }) => bit === cohort.bit);
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

/** Comparison with others, none of whom can be identified (RULES B1). */
export function benchmarkRoutes(deps: BenchmarkDeps): RouteTable {
  return {
    'GET /users/{id}/benchmark': route({
      operationId: 'readBenchmark',
      access: keyFor('scores'),
      tag: 'Benchmarks',
      params: userPath,
      query: BenchmarkQuery,
      answers: { 200: Benchmark },
      errors: ['USER_NOT_FOUND'],
      handle: async ({ owner, params, query }) =>
        ok(await readBenchmark(deps, owner, params.id, query.dimension)),
    }),
    'GET /benchmarks': route({
      operationId: 'listBenchmarks',
      access: everyone,
      tag: 'Benchmarks',
      answers: { 200: BenchmarkCatalogue, 304: null },
      handle: fixedDocument(benchmarkCatalogue(deps.config.benchmarkMinCohort)),
    }),
  };
}
