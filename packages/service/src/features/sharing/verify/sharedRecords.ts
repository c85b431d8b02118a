import type { Day, ScoreBand } from '@reliability/scoring';
import { serviceError } from '#domain/errors.js';
import { createBatcher } from '#kit/batcher.js';
import { hashOfSecret } from '#kit/crypto.js';
import { byteas } from '#kit/db/arrays.js';
import type { Database, Queryable } from '#kit/db/database.js';
import type { StatusEntry } from '#ledger/issuing/statusEntries.js';
import type { ScoreBasis } from '#ledger/profile/concentrations.js';

/**
 * What a share token opens: a subject by its inner ids, and the figures of its record. Nothing in
 * it says who the subject is.
 */
export interface SharedRecord {
  readonly tokenId: string;
  readonly subjectId: string;
  readonly recordId: string;
  readonly subjectType: 'PERSON' | 'AGENT' | 'ORGANIZATION';
  /** The subject shares its professional profile, too. */
  readonly includeProfile: boolean;
  /** When the first subject of the record was first reported on. */
  readonly registeredAt: Date;
  readonly status: StatusEntry;
  /** Null before the first score. */
  readonly score: SharedScore | null;
}

export interface SharedScore {
  readonly finalScore: number;
  readonly scoreBand: ScoreBand;
  readonly confidence: number;
  readonly totalEvents: number;
  readonly verifiedEvents: number;
  /** Platforms with verified outcomes on the record. */
  readonly verifiedPlatforms: number;
  readonly frozen: boolean;
  readonly formulaVersion: string;
  readonly computedAt: Date;
  /** Number of the published snapshot within the subject. */
  readonly snapshotNo: number;
  readonly basis: ScoreBasis;
}

/**
 * Null for a token that is unknown or withdrawn. Nothing is remembered, so a withdrawal holds from
 * the next read on.
 */
export type LoadShared = (token: string) => Promise<SharedRecord | null>;

const TOKEN = /^st_[A-Za-z0-9_-]{32}$/;
const MAX_TOKENS_PER_QUERY = 500;
/** As for reads of scores: past this queries only take each other's time. */
const MAX_QUERIES_AT_ONCE = 2;
const MAX_WAITING_READS = 20_000;

/** Reads by share token that arrive together share one run. Null for a text that is no token. */
export function readByToken<Found>(
  db: Database,
  run: (tokens: readonly string[]) => Promise<(Found | null)[]>,
): (token: string) => Promise<Found | null> {
  const reads = createBatcher<string, Found | null>({
    run,
    refuse: () => serviceError('OVERLOADED'),
    maxWeight: MAX_TOKENS_PER_QUERY,
    concurrency: db.hasOneConnection ? 1 : MAX_QUERIES_AT_ONCE,
    maxWaiting: MAX_WAITING_READS,
  });
  return (token) => (TOKEN.test(token) ? reads.submit(token) : Promise.resolve(null));
}

export function createSharedRecordLoader(db: Database): LoadShared {
  return readByToken(db, (tokens) => loadAll(db, tokens));
}

/** One query, and a second one where linked records are among them. */
async function loadAll(db: Database, tokens: readonly string[]): Promise<(SharedRecord | null)[]> {
  const rows = await findShared(db, byteas(tokens, hashOfSecret));
  const linked = rows.filter(isLinked).map((row) => row.recordId);
  const known = linked.length === 0 ? null : await findLinkedRecords(db, linked);
  const records: (SharedRecord | null)[] = tokens.map(() => null);
  for (const row of rows) {
    records[row.ordinal - 1] = sharedRecordOf(row, (isLinked(row) && known?.get(row.recordId)) || alone(row));
  }
  return records;
}

/** Alone, a subject's record has the subject's own id. */
function isLinked(row: SharedRow): boolean {
  return row.recordId !== row.subjectId;
}

function alone({ subjectId, registeredAt, position, ownVerifiedEvents }: SharedRow): LinkedRecord {
  return {
    verifiedPlatforms: (ownVerifiedEvents ?? 0) > 0 ? 1 : 0,
    registeredAt,
    subjectIds: [subjectId],
    positions: [position ?? 0],
  };
}

function sharedRecordOf(row: SharedRow, record: LinkedRecord): SharedRecord {
  return {
    tokenId: row.tokenId,
    subjectId: row.subjectId,
    recordId: row.recordId,
    subjectType: row.subjectType,
    includeProfile: row.includeProfile,
    registeredAt: record.registeredAt,
    status: { list: row.statusList, index: row.statusIndex },
    score: scoreOf(row, record),
  };
}

function scoreOf(
  row: SharedRow,
  { verifiedPlatforms, subjectIds, positions }: LinkedRecord,
): SharedScore | null {
  if (row.finalScore === null) return null;
  return {
    finalScore: row.finalScore,
    scoreBand: row.scoreBand,
    confidence: row.confidence,
    totalEvents: row.totalEvents,
    verifiedEvents: row.verifiedEvents,
    verifiedPlatforms,
    frozen: row.frozen,
    formulaVersion: row.formulaVersion,
    computedAt: row.computedAt,
    snapshotNo: row.snapshotNo,
    basis: {
      members: subjectIds.map((subjectId, index) => ({ subjectId, position: positions[index] ?? 0 })),
      asOf: row.asOf,
    },
  };
}

/** An active token, its subject, and the score of the record: all of its figures or none. */
type SharedRow = TokenColumns & (ScoreColumns | Record<keyof ScoreColumns, null>);

interface TokenColumns extends Omit<SharedRecord, 'status' | 'score'> {
  /** Which of the hashes asked for, from 1. */
  ordinal: number;
  statusList: number;
  statusIndex: number;
}

interface ScoreColumns extends Omit<SharedScore, 'verifiedPlatforms' | 'basis'> {
  ownVerifiedEvents: number;
  position: number;
  asOf: Day;
}

/**
 * What active tokens open, with the score of the record that their subjects are in. Unknown and
 * withdrawn ones are left out.
 * @param tokenHashes an array as `byteas` makes it.
 */
function findShared(db: Queryable, tokenHashes: Buffer): Promise<SharedRow[]> {
  return db.query<SharedRow>(
    `select asked.ordinal::integer, t.token_id, t.subject_id, s.record_id, s.subject_type, t.include_profile, s.registered_at,
       t.status_list, t.status_index, c.final_score, c.score_band, c.confidence, c.total_events, c.verified_events, c.own_verified_events,
       case when c.subject_id is not null then c.frozen_at is not null end as frozen, c.formula_version, c.computed_at,
       c.snapshot_no, c.position, c.as_of
     from unnest($1::bytea[]) with ordinality as asked (token_hash, ordinal)
     join share_token t using (token_hash) join subject s using (subject_id) left join score c using (subject_id)
     where t.withdrawn_at is null`,
    [tokenHashes],
  );
}

/** What is known of a record besides its score. */
interface LinkedRecord {
  /** How many platforms have reported verified outcomes: each has one subject in it (RULES L2). */
  verifiedPlatforms: number;
  /** When the first of its subjects was. */
  registeredAt: Date;
  /** The subjects with a score, in order, and the positions that it rests on. */
  subjectIds: string[];
  positions: number[];
}

async function findLinkedRecords(
  db: Queryable,
  recordIds: readonly string[],
): Promise<Map<string, LinkedRecord>> {
  const rows = await db.query<LinkedRecord & { recordId: string }>(
    `select record_id, (count(*) filter (where verified_events > 0))::integer as verified_platforms,
       min(registered_at) as registered_at, array_agg(subject_id::text order by subject_id) as subject_ids,
       array_agg(position order by subject_id) as positions
     from (
       select s.record_id, s.subject_id, s.registered_at, c.own_verified_events as verified_events, c.position
       from subject s join score c using (subject_id) where s.record_id = any($1::uuid[])
       union all
       select record_id, subject_id, registered_at, verified_events, position
       from remote_member where record_id = any($1::uuid[])
     ) as member
     group by record_id`,
    [recordIds],
  );
  return new Map(rows.map((row) => [row.recordId, row]));
}
