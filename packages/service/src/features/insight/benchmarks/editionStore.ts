import type { Queryable, Tx } from '../../../kit/db/database.js';
import { rowsOf, sql } from '../../../kit/db/rows.js';
import { platformIdsOf } from '../../../ledger/groups/platforms.js';
import type { CohortFigures, ScoreBin } from './benchmarkFigures.js';
import type { Masses, Turnover } from './benchmarkPrivacy.js';
import { membershipSql } from './cohortSql.js';
import { LIVE_UNIVERSE } from './store.js';

/** The edition in progress. */
export interface Draft {
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
export async function draftMembers(
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
export async function draftGone(tx: Tx, { edition, takenBefore }: Draft, limit: number): Promise<number> {
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
export function readTurnover(db: Queryable): Promise<Turnover[]> {
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
export function readOwnTurnover(db: Queryable): Promise<(Turnover & { platformId: string })[]> {
  return db.query(
    `select s.platform_id, m.published as before, m.drafted as after, count(*)::integer as records
     from benchmark_member m join subject s using (record_id) where s.livemode group by 1, 2, 3`,
  );
}

/** The drafted scores by cohorts and whole points. */
export function readDraftedScores(db: Queryable): Promise<ScoreBin[]> {
  return db.query<ScoreBin>(
    `select drafted as bits, round(score)::integer as points, count(*)::integer as records, sum(score * 100)::bigint as hundredths
     from benchmark_member m where drafted <> 0 and ${IS_COUNTED} group by 1, 2`,
    [db.ledgers.own],
  );
}

/** Every platform with test scores. */
export async function findTestUniverses(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ platformId: string }>(
    `select platform_id from unnest($1::uuid[]) as p (platform_id)
     where exists (select 1 from score c where c.platform_id = p.platform_id and not c.livemode)
     order by platform_id`,
    [await platformIdsOf(db)],
  );
  return rows.map(({ platformId }) => platformId);
}

export interface Edition {
  readonly universe: string;
  readonly edition: number;
  readonly madeAt: Date;
  readonly taken: number;
  readonly cohorts: readonly CohortFigures[];
  readonly masses: Masses;
  readonly own: ReadonlyMap<string, Masses>;
}

const ownMasses = rowsOf<readonly [platformId: string, masses: Masses]>(
  {},
  { platformId: ['uuid', ([platformId]) => platformId], masses: ['json', ([, masses]) => masses] },
);

/**
 * Publishes an edition and deletes all but the previous one. False if another process has published
 * it. The live universe has its editions in the first ledger group alone.
 */
export async function insertEdition(tx: Tx, row: Edition): Promise<boolean> {
  const { universe, edition, madeAt, taken, cohorts, masses, own } = row;
  const inserted = await tx.execute(
    `insert into benchmark_edition (universe, edition, made_at, taken, cohorts, masses)
     values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
    [universe, edition, madeAt, taken, JSON.stringify(cohorts), JSON.stringify(masses)],
  );
  if (inserted === 0) return false;
  await tx.execute('delete from benchmark_edition where universe = $1 and edition < $2 - 1', [
    universe,
    edition,
  ]);
  if (universe !== LIVE_UNIVERSE) return true;
  await sql`insert into benchmark_own (edition, ${ownMasses.columns})
    select ${edition}::integer, * from ${ownMasses.as('own', [...own])}`.execute(tx);
  await tx.execute('delete from benchmark_own where edition < $1 - 1', [edition]);
  return true;
}
