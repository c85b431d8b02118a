import { dayOf, type FactorShare, FORMULA_VERSION, type Score, type ScoreBand } from '@reliability/scoring';
import type { Queryable, Tx } from '#kit/db/database.js';
import { raw, rowsOf, sql } from '#kit/db/rows.js';
import { LOWEST_ID } from '#kit/ids.js';
import { queuedKinds } from '../log/queue.js';
import type { ReasonCodes } from '../reads/publishedScores.js';
import type { ScoreChange } from './scoreChange.js';

/** Queued records, longest waiting first. Skips failed ones until their next attempt is due. */
export function findQueuedRecords(db: Queryable, limit: number, now: Date) {
  return db.query<{ recordId: string; failedAttempts: number }>(
    `select record_id, coalesce(failed_attempts, 0) as failed_attempts from (
       select record_id, queue_id from recompute_queue
       where record_id not in (select record_id from recompute_failure where retry_at > $2)
       order by queue_id limit $1
     ) as oldest left join recompute_failure using (record_id)
     group by record_id, failed_attempts order by min(queue_id)`,
    [limit, now],
  );
}

/**
 * Makes all statements of the transaction look rows up by index. A connection keeps the plans that it
 * made while the tables were young: an import of 10 000 new subjects then read the whole table of
 * subjects and the whole queue for each batch, which doubled its time.
 */
export async function refuseScans(tx: Tx): Promise<void> {
  await tx.execute("select set_config('enable_seqscan', 'off', true)");
}

export interface QueueEntry {
  recordId: string;
  reason: string | null;
  enqueuedAt: Date;
}

/**
 * Locks those of the records that no other worker has locked, until the transaction ends, and takes
 * their queue rows. Rows that another worker has taken in the meantime are not among them.
 */
export function takeQueued(tx: Tx, recordIds: readonly string[]): Promise<QueueEntry[]> {
  return tx.query<QueueEntry>(
    `delete from recompute_queue where record_id = any(array(
       select record_id from unnest($1::uuid[]) as wanted (record_id)
       where pg_try_advisory_xact_lock(hashtextextended(record_id::text, $2))
     )) returning record_id, reason, enqueued_at`,
    [recordIds, tx.ledgers.own],
  );
}

export interface MemberRow {
  subjectId: string;
  /** Null: erased. Its outcomes count, and nothing is published about it. */
  externalId: string | null;
  recordId: string;
  platformId: string;
  livemode: boolean;
  subjectType: 'PERSON' | 'AGENT' | 'ORGANIZATION';
  displayName: string | null;
  eventCount: number;
  lastActivityAt: Date | null;
  registeredAt: Date;
  velocityClearedAt: Date | null;
  days: number[] | null;
  codes: number[] | null;
  counts: number[] | null;
  finalScore: number | null;
  scoreBand: ScoreBand | null;
  confidence: number | null;
  behavioralQuality: number | null;
  totalEvents: number | null;
  verifiedEvents: number | null;
  factors: readonly Pick<FactorShare, 'name' | 'contribution'>[] | null;
  snapshotNo: number | null;
  position: number | null;
  frozenAt: Date | null;
  isScored: boolean;
  isWatched: boolean;
}

/**
 * All members of the records. One statement, so that counters and tallies agree. A subject that
 * lost its score when it was unlinked continues its snapshot numbers. Scores are read by a lateral
 * lookup: while young tables have no statistics, a join would read all of them.
 */
export function readMembers(tx: Tx, recordIds: readonly string[]): Promise<MemberRow[]> {
  return tx.query<MemberRow>(
    `select s.subject_id, s.external_id, s.record_id, s.platform_id, s.livemode, s.subject_type, s.display_name, s.event_count,
       s.last_activity_at, s.registered_at, s.velocity_cleared_at, t.days, t.codes, t.counts, c.final_score, c.score_band, c.confidence,
       c.behavioral_quality, c.total_events, c.verified_events, c.detail -> 'factors' as factors, c.position, c.frozen_at, s.is_scored,
       exists (select 1 from monitor m where m.subject_id = s.subject_id and m.is_active) or exists (
         select 1 from policy w where w.platform_id = s.platform_id and w.livemode = s.livemode and w.is_active
           and (w.subject_id is null or w.subject_id = s.subject_id)
       ) as is_watched,
       coalesce(c.snapshot_no, (select max(snapshot_no) from score_snapshot n where n.subject_id = s.subject_id)) as snapshot_no
     from subject s
     left join lateral (select * from score where score.subject_id = s.subject_id limit 1) c on true
     left join lateral (
       select array_agg(day) as days, array_agg(code) as codes, array_agg(count) as counts
       from (select day, code, count from tally where tally.subject_id = s.subject_id order by day, code) as sorted
     ) t on true
     where s.record_id = any($1::uuid[])
     order by s.record_id, s.subject_id`,
    [recordIds],
  );
}

/** Identity and mode are copied from the subject, because lists filter and sort by both tables' columns. */
export interface ScoreRow
  extends Pick<
      MemberRow,
      'subjectId' | 'recordId' | 'platformId' | 'livemode' | 'subjectType' | 'displayName'
    >,
    Pick<MemberRow, 'registeredAt' | 'lastActivityAt' | 'frozenAt' | 'isScored'>,
    Omit<Score, 'factors'> {
  externalId: string;
  searchText: string;
  ownEvents: number;
  ownVerifiedEvents: number;
  detail: object;
  position: number;
  snapshotNo: number;
}

export type OwnPart = Pick<ScoreRow, 'subjectId' | 'ownEvents' | 'ownVerifiedEvents' | 'lastActivityAt'>;

const ownColumns = rowsOf<OwnPart>({
  uuid: ['subjectId'],
  integer: ['ownEvents', 'ownVerifiedEvents'],
  timestamptz: ['lastActivityAt'],
});

export async function updateOwnParts(tx: Tx, parts: readonly OwnPart[]): Promise<void> {
  if (parts.length === 0) return;
  await sql`update score s set own_events = own.own_events, own_verified_events = own.own_verified_events,
      last_activity_at = own.last_activity_at
    from ${ownColumns.as('own', parts)} where s.subject_id = own.subject_id
      and (s.own_events, s.own_verified_events, s.last_activity_at)
        is distinct from (own.own_events, own.own_verified_events, own.last_activity_at)`.execute(tx);
}

const scoreColumns = rowsOf<ScoreRow>({
  uuid: ['subjectId', 'recordId', 'platformId'],
  boolean: ['livemode'],
  numeric: ['finalScore', 'confidence', 'behavioralQuality'],
  text: ['scoreBand', 'confidenceLabel', 'externalId', 'subjectType', 'displayName', 'searchText'],
  integer: ['totalEvents', 'verifiedEvents', 'ownEvents', 'ownVerifiedEvents', 'position', 'snapshotNo'],
  timestamptz: ['lastActivityAt', 'frozenAt', 'registeredAt'],
  json: ['detail'],
});

const SCORE_CHANGES = raw(
  [...scoreColumns.all.map(([name]) => name), 'formula_version', 'as_of', 'computed_at']
    .filter((name) => name !== 'subject_id')
    .map((name) => `${name} = excluded.${name}`)
    .join(', '),
);

// Sets the subject's has-score flag once. `is not true` fits none of the partial indexes on `not
// is_scored`, which a plan would read as a whole. Skips a subject that an append or a reset has locked:
// waiting here could deadlock with a reset, which waits for this worker. Readers tolerate a late
// flag.
export async function upsertScores(tx: Tx, scores: readonly ScoreRow[], now: Date): Promise<void> {
  if (scores.length === 0) return;
  const unscoredIds = scores.filter((row) => !row.isScored).map((row) => row.subjectId);
  await sql`
with written as (
  insert into score (${scoreColumns.columns}, formula_version, as_of, computed_at)
  select *, ${FORMULA_VERSION}::text, ${dayOf(now)}::integer, ${now}::timestamptz from ${scoreColumns.as('scores', scores)}
  on conflict (subject_id) do update set ${SCORE_CHANGES}
)
update subject set is_scored = true
where subject_id in (
  select subject_id from subject where subject_id = any(${unscoredIds}::uuid[]) and is_scored is not true
  for no key update skip locked
)`.execute(tx);
}

export interface SnapshotRow {
  change: ScoreChange;
  asOf: number;
  reasonCodes: ReasonCodes;
}

const snapshotColumns = rowsOf<SnapshotRow>(
  { integer: ['asOf'], json: ['reasonCodes'] },
  {
    subjectId: ['uuid', ({ change }) => change.subjectId],
    snapshotNo: ['integer', ({ change }) => change.snapshotNo],
    platformId: ['uuid', ({ change }) => change.platformId],
    livemode: ['boolean', ({ change }) => change.livemode],
    finalScore: ['numeric', ({ change }) => change.after.score],
    scoreBand: ['text', ({ change }) => change.after.band],
    confidence: ['numeric', ({ change }) => change.after.confidence],
    behavioralQuality: ['numeric', ({ change }) => change.after.behavioralQuality],
    totalEvents: ['integer', ({ change }) => change.after.totalEvents],
    verifiedEvents: ['integer', ({ change }) => change.after.verifiedEvents],
    previousScore: ['numeric', ({ change }) => change.before?.score],
    reason: ['text', ({ change }) => change.reason],
    factors: ['json', ({ change }) => change.after.factors],
    // Null is stored as JSON: the column is not null.
    components: ['jsonText', ({ change }) => JSON.stringify(change.after.components)],
    positions: ['json', ({ change }) => change.positions],
    formulaVersion: ['text', ({ change }) => change.formulaVersion],
    computedAt: ['timestamptz', ({ change }) => change.computedAt],
  },
);

/** Live ones are queued for the log. */
export async function insertSnapshots(tx: Tx, rows: readonly SnapshotRow[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`with written as (
      insert into score_snapshot (${snapshotColumns.columns}) select * from ${snapshotColumns.as('computed', rows)}
      returning subject_id, livemode, computed_at
    )
    insert into log_queue (subject_ids, kinds, queued_at)
    select array_agg(subject_id), ${queuedKinds.snapshots}::smallint, max(computed_at)
    from written where livemode having count(*) > 0`.execute(tx);
}

export interface AgedPosition {
  asOf: number;
  subjectId: string;
}

/**
 * Queues records whose scores were computed before `day`, examining up to `limit` scores after
 * `after`. Skips frozen and already queued records. `next` is where the walk continues; null: done.
 */
export async function queueAgedScores(
  db: Queryable,
  day: number,
  after: AgedPosition | null,
  limit: number,
  now: Date,
): Promise<{ queued: number; next: AgedPosition | null }> {
  const [row] = await db.query<{ seen: number; queued: number; asOf: number; subjectId: string }>(
    `with aged as (
       select as_of, subject_id, record_id from score
       where as_of < $1 and frozen_at is null and (as_of, subject_id) > ($2::integer, $3::uuid)
       order by as_of, subject_id limit $4
     ), queued as (
       insert into recompute_queue (record_id, reason, enqueued_at)
       select distinct record_id, 'decay', $5::timestamptz from aged
       where not exists (select 1 from recompute_queue waiting where waiting.record_id = aged.record_id)
       returning 1
     )
     select (select count(*) from aged) as seen, (select count(*) from queued) as queued, as_of, subject_id
     from aged order by as_of desc, subject_id desc limit 1`,
    [day, after?.asOf ?? 0, after?.subjectId ?? LOWEST_ID, limit, now],
  );
  if (!row) return { queued: 0, next: null };
  const { queued, asOf, subjectId } = row;
  return { queued, next: row.seen < limit ? null : { asOf, subjectId } };
}

export async function beat(db: Queryable, workerId: string, now: Date): Promise<void> {
  await db.execute(
    `with gone as (delete from worker_heartbeat where beat_at < $2::timestamptz - interval '1 day')
     insert into worker_heartbeat (worker_id, beat_at) values ($1, $2::timestamptz)
     on conflict (worker_id) do update set beat_at = excluded.beat_at`,
    [workerId, now],
  );
}
