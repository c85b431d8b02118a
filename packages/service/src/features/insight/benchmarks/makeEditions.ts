import { EVERY_COHORT } from '../../../domain/benchmarkCohorts.js';
import { DAY_MS } from '../../../domain/timestamp.js';
import type { Database } from '../../../kit/db/database.js';
import { groupBy } from '../../../kit/groupBy.js';
import { inSlices, SLICE_ROWS, type Sweep } from '../../../ledger/sweep.js';
import { figuresOf } from './benchmarkFigures.js';
import { publishedMasses, refreshableCohorts } from './benchmarkPrivacy.js';
import { type BenchmarkDeps, LIVE_UNIVERSE } from './deps.js';
import {
  type Draft,
  draftGone,
  draftMembers,
  findTestUniverses,
  insertEdition,
  readDraftedScores,
  readOwnTurnover,
  readTurnover,
} from './editionStore.js';
import { countOwnScores, findEditions } from './store.js';

/** The sweep `benchmarks`: makes the figures of all universes anew. Answers how many cohorts were. */
export function benchmarkSweep(deps: Omit<BenchmarkDeps, 'clock'>): Sweep {
  return async (now, until) => {
    let affected = await makeLiveEdition(deps, now, until);
    for (const platformId of await findTestUniverses(deps.db)) {
      if (until.aborted) break;
      affected += await makeTestEdition(deps.db, platformId, now);
    }
    return affected;
  };
}

/** The same for the schedule, which comes by more often than once a UTC day. */
export function dailyBenchmarkSweep(deps: Omit<BenchmarkDeps, 'clock'>): Sweep {
  const sweep = benchmarkSweep(deps);
  return async (now, until) => {
    const [latest] = await findEditions(deps.db, LIVE_UNIVERSE, null);
    return latest && isOfToday(latest.madeAt, now) ? 0 : sweep(now, until);
  };
}

export function isOfToday(madeAt: Date, now: Date): boolean {
  return Math.floor(madeAt.getTime() / DAY_MS) === Math.floor(now.getTime() / DAY_MS);
}

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/**
 * Drafts what every live record counts for, in short transactions, and publishes those cohorts whose change gives nobody away.
 * A process that finds another at it leaves it the work; what a dead one has drafted is gone on with.
 */
export async function makeLiveEdition(
  { db, config }: Omit<BenchmarkDeps, 'clock'>,
  now: Date,
  until: AbortSignal,
): Promise<number> {
  const [latest] = await findEditions(db, LIVE_UNIVERSE, null);
  const draft = { edition: (latest?.edition ?? 0) + 1, takenBefore: latest?.taken ?? 0, now };
  if (!(await isDrafted(db, draft, until))) return 0;
  const [total, ownRows, scores] = await Promise.all([
    readTurnover(db),
    readOwnTurnover(db),
    readDraftedScores(db),
  ]);
  const own = groupBy(ownRows, (row) => row.platformId);
  const taken = refreshableCohorts(total, own.values(), config.benchmarkMinCohort);
  const kept = (latest?.cohorts ?? []).filter(({ bit }) => (taken & bit) === 0);
  const made = figuresOf(scores, taken, now);
  if (made.length === 0 && !latest) return 0; // nobody has a score
  const isPublished = await db.transaction((tx) =>
    insertEdition(tx, {
      universe: LIVE_UNIVERSE,
      edition: draft.edition,
      madeAt: now,
      taken,
      cohorts: [...kept, ...made],
      masses: publishedMasses(total, taken),
      own: new Map([...own].map(([platformId, rows]) => [platformId, publishedMasses(rows, taken)])),
    }),
  );
  return isPublished ? made.length : 0;
}

/** False where another process is at it, or the sweep is to end. */
async function isDrafted(db: Database, draft: Draft, until: AbortSignal): Promise<boolean> {
  let afterId: string | null = BEFORE_ALL;
  let isWhole = false;
  await inSlices(db, 'benchmarks', until, async (tx) => {
    if (afterId !== null) {
      afterId = await draftMembers(tx, draft, afterId, SLICE_ROWS);
    } else {
      isWhole = (await draftGone(tx, draft, SLICE_ROWS)) < SLICE_ROWS;
    }
    return { affected: 0, isLast: isWhole };
  });
  return isWhole;
}

/** A test universe holds nobody's subjects but the platform's own: there is nobody to be given away. */
async function makeTestEdition(db: Database, platformId: string, now: Date): Promise<number> {
  const [latest] = await findEditions(db, platformId, null);
  const made = figuresOf(await countOwnScores(db, platformId, false, now), EVERY_COHORT, now);
  await db.transaction((tx) =>
    insertEdition(tx, {
      universe: platformId,
      edition: (latest?.edition ?? 0) + 1,
      madeAt: now,
      taken: EVERY_COHORT,
      cohorts: made,
      masses: [],
      own: new Map(),
    }),
  );
  return made.length;
}
