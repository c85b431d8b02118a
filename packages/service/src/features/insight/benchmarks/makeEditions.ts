import { EVERY_COHORT } from '#domain/benchmarkCohorts.js';
import { DAY_MS } from '#domain/timestamp.js';
import type { Database, Queryable, Tx } from '#kit/db/database.js';
import { insertRow, pick, rowsOf, sql } from '#kit/db/rows.js';
import { groupBy } from '#kit/lists.js';
import { platformIdsOf } from '#ledger/groups/platforms.js';
import { inSlices, SLICE_ROWS, type Sweep } from '#ledger/sweep.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { type CohortFigures, figuresOf, type ScoreBin } from './benchmarkFigures.js';
import { type Cells, publishedCells, refreshableCohorts, type Turnover } from './benchmarkPrivacy.js';
import { countOwnScores, findEditions, LIVE_UNIVERSE, membershipSql } from './store.js';

/** The edition in progress. */
interface Draft {
  readonly edition: number;
  /** The cohorts that the previous edition published from its draft, as bits. */
  readonly takenBefore: number;
  readonly now: Date;
}

/**
 * Drafts the cohorts and scores of the records of `limit` live subjects, in the order of record ids
 * after `afterId`. A record is drafted once per edition, whichever process drafts it.
 * @returns the last id, or null if there are no more.
 */
async function draftMembers(
  tx: Tx,
  { edition, takenBefore, now }: Draft,
  afterId: string,
  limit: number,
): Promise<string | null> {
  const [row] = await tx.query<{ lastId: string | null }>(
    `with walked as (
       select record_id from subject where livemode and record_id > $1 order by record_id limit $2
     ), current as (
       select w.record_id, max(c.final_score) as final_score, max(c.total_events) as total_events,
         max(c.verified_events) as verified_events, min(c.subject_type) as subject_type,
         least(min(c.registered_at), (
           select min(r.registered_at) from remote_member r where r.record_id = w.record_id
         )) as registered_at
       from (select distinct record_id from walked) as w join subject s using (record_id)
       join score c on c.subject_id = s.subject_id
       group by w.record_id
     ), drafted as (
       insert into benchmark_member as m (record_id, published, drafted, score, edition)
       select record_id, 0, ${membershipSql('$5')}, final_score, $3 from current
       on conflict (record_id) do update set published = (m.published & ~$4::integer) | (m.drafted & $4::integer),
         drafted = excluded.drafted, score = excluded.score, edition = excluded.edition
       where m.edition < excluded.edition
     )
     select (select record_id from walked order by record_id desc limit 1) as last_id`,
    [afterId, limit, edition, takenBefore, now],
  );
  return row?.lastId ?? null;
}

/**
 * Empties up to `limit` records that no longer exist because they were merged into another. Returns
 * their number.
 */
async function draftGone(tx: Tx, { edition, takenBefore }: Draft, limit: number): Promise<number> {
  const count = await tx.execute(
    `update benchmark_member set published = (published & ~$2::integer) | (drafted & $2::integer), drafted = 0, edition = $1
     where record_id in (select record_id from benchmark_member where edition < $1 limit $3)`,
    [edition, takenBefore, limit],
  );
  if (count < limit) await tx.execute('delete from benchmark_member where published = 0 and drafted = 0');
  return count;
}

/** A record with members in several ledger groups is counted in the first of them. */
const IS_COUNTED =
  'not exists (select from remote_member r where r.record_id = m.record_id and r.group_id < $1)';

/** The changes between the published edition and the draft, over all records. */
function readTurnover(db: Queryable): Promise<Turnover[]> {
  return db.query<Turnover>(
    `select published as before, drafted as after, count(*)::integer as records from benchmark_member m
     where ${IS_COUNTED} group by 1, 2`,
    [db.ledgers.own],
  );
}

/**
 * The same by platform, over the records it has a subject in. A platform has at most one subject
 * per record.
 */
function readOwnTurnover(db: Queryable): Promise<(Turnover & { platformId: string })[]> {
  return db.query(
    `select s.platform_id, m.published as before, m.drafted as after, count(*)::integer as records
     from benchmark_member m join subject s using (record_id) where s.livemode group by 1, 2, 3`,
  );
}

/** The drafted scores by cohorts and whole points. */
function readDraftedScores(db: Queryable): Promise<ScoreBin[]> {
  return db.query<ScoreBin>(
    `select drafted as bits, round(score)::integer as points, count(*)::integer as records, sum(score * 100)::bigint as hundredths
     from benchmark_member m where drafted <> 0 and ${IS_COUNTED} group by 1, 2`,
    [db.ledgers.own],
  );
}

/** Every platform with test scores. */
async function findTestUniverses(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ platformId: string }>(
    `select platform_id from unnest($1::uuid[]) as p (platform_id)
     where exists (select 1 from score c where c.platform_id = p.platform_id and not c.livemode)
     order by platform_id`,
    [await platformIdsOf(db)],
  );
  return rows.map(({ platformId }) => platformId);
}

interface Edition {
  readonly universe: string;
  readonly edition: number;
  readonly madeAt: Date;
  readonly taken: number;
  readonly cohorts: readonly CohortFigures[];
  readonly cells: Cells;
  readonly own: ReadonlyMap<string, Cells>;
}

const ownCells = rowsOf<readonly [platformId: string, cells: Cells]>(
  {},
  { platformId: ['uuid', ([platformId]) => platformId], cells: ['json', ([, cells]) => cells] },
);

/**
 * Publishes an edition and deletes all but the previous one. False if another process has published
 * it. The live universe has its editions in the first ledger group alone.
 */
async function insertEdition(tx: Tx, row: Edition): Promise<boolean> {
  const { universe, edition, own } = row;
  const figures = { cohorts: JSON.stringify(row.cohorts), cells: JSON.stringify(row.cells) };
  const columns = { ...pick(row, 'universe', 'edition', 'madeAt', 'taken'), ...figures };
  const inserted = await insertRow(tx, 'benchmark_edition', columns, 'on conflict do nothing');
  if (inserted === 0) return false;
  await tx.execute('delete from benchmark_edition where universe = $1 and edition < $2 - 1', [
    universe,
    edition,
  ]);
  if (universe !== LIVE_UNIVERSE) return true;
  await sql`insert into benchmark_own (edition, ${ownCells.columns})
    select ${edition}::integer, * from ${ownCells.as('own', [...own])}`.execute(tx);
  await tx.execute('delete from benchmark_own where edition < $1 - 1', [edition]);
  return true;
}

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
    cells: publishedCells(total, taken),
    own: new Map([...own].map(([platformId, rows]) => [platformId, publishedCells(rows, taken)])),
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
      cells: [],
      own: new Map(),
    }),
  );
  return made.length;
}
