import { EVERY_COHORT } from '../../../domain/benchmarkCohorts.js';
import { DAY_MS } from '../../../domain/timestamp.js';
import type { Database } from '../../../kit/db/database.js';
import { groupBy } from '../../../kit/lists.js';
import { inSlices, SLICE_ROWS, type Sweep } from '../../../ledger/sweep.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { figuresOf } from './benchmarkFigures.js';
import { publishedMasses, refreshableCohorts } from './benchmarkPrivacy.js';
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
import { countOwnScores, findEditions, LIVE_UNIVERSE } from './store.js';

type EditionDeps = Pick<ServiceDeps, 'db' | 'groups' | 'config'>;

/**
 * The sweep `benchmarks`: computes the figures of the test universes of a ledger group, and in the
 * first group those of the live universe. Returns the number of new cohorts.
 */
export function benchmarkSweep(deps: EditionDeps): Sweep {
  return async (now, until) => {
    let affected = deps.db === deps.db.shared ? await makeLiveEdition(deps, now, until) : 0;
    for (const platformId of await findTestUniverses(deps.db)) {
      if (until.aborted) break;
      affected += await makeTestEdition(deps.db, platformId, now);
    }
    return affected;
  };
}

/**
 * The same for the schedule, which runs more than once a day: does nothing if there is an edition
 * of this UTC day.
 */
export function dailyBenchmarkSweep(deps: EditionDeps): Sweep {
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
 * Drafts the cohorts of every live record of all ledger groups in short transactions, then publishes
 * the cohorts whose change identifies nobody, in the first group. Does nothing while another process
 * does it, and continues the draft of a process that died.
 */
export async function makeLiveEdition(
  { groups, config }: Pick<EditionDeps, 'groups' | 'config'>,
  now: Date,
  until: AbortSignal,
): Promise<number> {
  const handles = groups();
  const [db] = handles;
  if (!db) return 0;
  const [latest] = await findEditions(db, LIVE_UNIVERSE, null);
  const draft = { edition: (latest?.edition ?? 0) + 1, takenBefore: latest?.taken ?? 0, now };
  for (const handle of handles) if (!(await isDrafted(handle, draft, until))) return 0;
  const [total, ownRows, scores] = await Promise.all([
    fromAll(handles, readTurnover),
    fromAll(handles, readOwnTurnover),
    fromAll(handles, readDraftedScores),
  ]);
  const own = groupBy(ownRows, (row) => row.platformId);
  const taken = refreshableCohorts(total, own.values(), config.benchmarkMinCohort);
  const unchanged = (latest?.cohorts ?? []).filter(({ bit }) => (taken & bit) === 0);
  const made = figuresOf(scores, taken, now);
  if (made.length === 0 && !latest) return 0; // there are no scores
  const edition = {
    universe: LIVE_UNIVERSE,
    edition: draft.edition,
    madeAt: now,
    taken,
    cohorts: [...unchanged, ...made],
    masses: publishedMasses(total, taken),
    own: new Map([...own].map(([platformId, rows]) => [platformId, publishedMasses(rows, taken)])),
  };
  const isPublished = await db.transaction((tx) => insertEdition(tx, edition));
  return isPublished ? made.length : 0;
}

async function fromAll<T>(handles: readonly Database[], read: (db: Database) => Promise<T[]>): Promise<T[]> {
  return (await Promise.all(handles.map(read))).flat();
}

/** False if another process does it, or the sweep was aborted. */
async function isDrafted(db: Database, draft: Draft, until: AbortSignal): Promise<boolean> {
  let afterId: string | null = BEFORE_ALL;
  let isComplete = false;
  await inSlices(db, 'benchmarks', until, async (tx) => {
    if (afterId !== null) {
      afterId = await draftMembers(tx, draft, afterId, SLICE_ROWS);
    } else {
      isComplete = (await draftGone(tx, draft, SLICE_ROWS)) < SLICE_ROWS;
    }
    return { affected: 0, isLast: isComplete };
  });
  return isComplete;
}

/** A test universe holds only the platform's own subjects, so no cohort needs protection. */
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
