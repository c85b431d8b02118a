import type { EventType, PlatformTier, StakeLevel } from '@reliability/scoring';
import type { z } from 'zod';
import type { Queryable, Tx } from '../../kit/db/database.js';
import { remainsOf, textOf } from '../text/eventText.js';
import type { StoredScore, StoredSnapshot } from './storedRows.js';

/** Sorts before every id. */
export const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

/** True if the database has been migrated. */
export async function hasLedger(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ exists: boolean }>(
    `select to_regclass('score_snapshot') is not null as exists`,
  );
  return row?.exists === true;
}

/** The next subjects by id, with the event count of the subject row. */
export function findSubjectIds(
  db: Queryable,
  afterId: string,
  limit: number,
): Promise<{ subjectId: string; eventCount: number }[]> {
  return db.query(
    'select subject_id, event_count from subject where subject_id > $1 order by subject_id limit $2',
    [afterId, limit],
  );
}

export interface Orphan {
  tableName: string;
  subjectId: string;
}

/** Rows without a subject in a range of ids; `upToId` null: to the end. */
export function findOrphans(
  db: Queryable,
  afterId: string,
  upToId: string | null,
  limit: number,
): Promise<Orphan[]> {
  return db.query<Orphan>(
    `select table_name, subject_id from (
       select distinct 'event' as table_name, subject_id from event
       where subject_id > $1 and ($2::uuid is null or subject_id <= $2)
       union all
       select distinct 'tally', subject_id from tally
       where subject_id > $1 and ($2::uuid is null or subject_id <= $2)
       union all
       select 'score', subject_id from score
       where subject_id > $1 and ($2::uuid is null or subject_id <= $2)
       union all
       select distinct 'score_snapshot', subject_id from score_snapshot
       where subject_id > $1 and ($2::uuid is null or subject_id <= $2)
       union all
       select distinct 'subject_link', subject_id from subject_link
       where subject_id > $1 and ($2::uuid is null or subject_id <= $2)
       union all
       select distinct 'declaration_fact', subject_id from declaration_fact
       where subject_id > $1 and ($2::uuid is null or subject_id <= $2)
       union all
       select distinct 'dispute', subject_id from dispute
       where subject_id > $1 and ($2::uuid is null or subject_id <= $2)
     ) as present
     left join subject using (subject_id)
     where subject.platform_id is null
     order by subject_id, table_name limit $3`,
    [afterId, upToId, limit],
  );
}

export interface AuditedSubject {
  subjectId: string;
  platformId: string;
  livemode: boolean;
  /** Null: erased. */
  externalId: string | null;
  /** An erasure is on record. */
  isErased: boolean;
  subjectType: 'PERSON' | 'AGENT' | 'ORGANIZATION';
  declarationNo: number;
  isOwn: boolean;
  recordId: string;
  /** All members of the record, in this ledger group and in others. */
  memberIds: string[];
  eventCount: number;
  lastActivityAt: Date | null;
  registeredAt: Date;
  velocityClearedAt: Date | null;
  /** It is said to have a score. */
  isScored: boolean;
  /** Its record waits for a recompute. */
  isQueued: boolean;
}

export function readSubjects(tx: Tx, subjectIds: readonly string[]): Promise<AuditedSubject[]> {
  return tx.query<AuditedSubject>(
    `select subject_id, platform_id, livemode, external_id, subject_type, declaration_no, is_own, record_id, event_count, last_activity_at, registered_at,
       velocity_cleared_at, is_scored, exists (select from recompute_queue q where q.record_id = s.record_id) as is_queued,
       exists (select from erasure x where x.subject_id = s.subject_id) as is_erased,
       array(
         select member.subject_id from subject member where member.record_id = s.record_id
         union all select remote.subject_id from remote_member remote where remote.record_id = s.record_id
       ) as member_ids
     from subject s where subject_id = any($1::uuid[]) order by subject_id`,
    [subjectIds],
  );
}

export interface TallyRow {
  subjectId: string;
  day: number;
  code: number;
  count: number;
}

export function readTallies(tx: Tx, subjectIds: readonly string[]): Promise<TallyRow[]> {
  return tx.query<TallyRow>(
    'select subject_id, day, code, count from tally where subject_id = any($1::uuid[])',
    [subjectIds],
  );
}

/** The figures that a score row and its latest snapshot must share. */
export interface Figures {
  finalScore: number;
  scoreBand: string;
  confidence: number;
  behavioralQuality: number;
  totalEvents: number;
  verifiedEvents: number;
}

/** A score as it is stored: its JSON as text. */
export interface ScoreRow extends Figures {
  subjectId: string;
  recordId: string;
  confidenceLabel: string;
  ownEvents: number;
  ownVerifiedEvents: number;
  lastActivityAt: Date | null;
  position: number;
  snapshotNo: number;
  formulaVersion: string;
  asOf: number;
  computedAt: Date;
  frozenAt: Date | null;
  detail: string;
  externalId: string;
  registeredAt: Date;
  platformId: string;
  livemode: boolean;
  subjectType: AuditedSubject['subjectType'];
}

export type AuditedScore = Omit<ScoreRow, 'detail'> & Pick<z.output<typeof StoredScore>, 'detail'>;

export function readScores(tx: Tx, subjectIds: readonly string[]): Promise<ScoreRow[]> {
  return tx.query<ScoreRow>(
    `select subject_id, record_id, final_score, score_band, confidence, confidence_label, behavioral_quality, total_events,
       verified_events, own_events, own_verified_events, last_activity_at, position, snapshot_no, formula_version, as_of,
       computed_at, frozen_at, detail::text, external_id, registered_at, platform_id, livemode, subject_type
     from score where subject_id = any($1::uuid[])`,
    [subjectIds],
  );
}

/** How many events of each member of a record in this group its score counts. An erased member has no score. */
export function readCounted(
  db: Queryable,
  recordId: string,
): Promise<{ subjectId: string; position: number }[]> {
  return db.query(
    `select subject_id, coalesce(c.position, s.event_count) as position from subject s left join score c using (subject_id)
     where s.record_id = $1`,
    [recordId],
  );
}

/** A freeze, or the end of one. */
export interface FreezeFact {
  subjectId: string;
  action: 'set' | 'cleared';
  at: Date;
}

/** The freeze facts of subjects, oldest first. */
export function readFreezes(tx: Tx, subjectIds: readonly string[]): Promise<FreezeFact[]> {
  return tx.query<FreezeFact>(
    'select subject_id, action, at from freeze_fact where subject_id = any($1::uuid[]) order by subject_id, number',
    [subjectIds],
  );
}

/** When an import of a platform ran. */
export interface ImportRun {
  platformId: string;
  livemode: boolean;
  from: Date;
  /** Null: it is running. */
  until: Date | null;
}

export function readImportRuns(db: Queryable, platformIds: readonly string[]): Promise<ImportRun[]> {
  return db.query<ImportRun>(
    `select platform_id, livemode, created_at as "from", completed_at as until from import_job
     where platform_id = any($1::uuid[])`,
    [platformIds],
  );
}

/** Platforms whose imports recorded another number of live events than are marked as imported. */
export function findImportDifferences(
  db: Queryable,
): Promise<{ platformId: string; marked: number; recorded: number }[]> {
  return db.query(
    `select platform_id, coalesce(marked, 0) as marked, coalesce(recorded, 0) as recorded from (
       select platform_id, count(*) as marked from event where imported and livemode group by platform_id
     ) e full join (
       select platform_id, sum(created_count)::bigint as recorded from import_job where livemode group by platform_id
     ) i using (platform_id) where coalesce(marked, 0) <> coalesce(recorded, 0) order by platform_id`,
  );
}

export interface AuditedEvent {
  subjectId: string;
  eventId: string;
  position: number;
  eventType: EventType;
  stakeLevel: StakeLevel;
  isVerified: boolean;
  attester: string | null;
  /** Set if the attester's name was dropped by age. */
  attesterHash: Buffer | null;
  byOperator: boolean | null;
  imported: boolean;
  platformTier: PlatformTier;
  dueDate: Date | null;
  completedAt: Date | null;
  createdAt: Date;
  disputeId: string | null;
  closesEventId: string | null;
}

/** Events after the given one, by subject and position. */
export function readEvents(
  tx: Queryable,
  subjectIds: readonly string[],
  after: { subjectId: string; position: number; eventId: string },
  limit: number,
): Promise<AuditedEvent[]> {
  return tx.query<AuditedEvent>(
    `select e.subject_id, e.event_id, e.position, e.event_type, e.stake_level, e.is_verified, t.attester, r.attester_hash,
       e.by_operator, e.imported, e.platform_tier, e.due_date, e.completed_at, e.created_at, e.dispute_id, e.closes_event_id
     from event e ${textOf('e')} ${remainsOf('e')}
     where e.subject_id = any($1::uuid[]) and (e.subject_id, e.position, e.event_id) > ($2::uuid, $3::integer, $4::uuid)
     order by e.subject_id, e.position, e.event_id limit $5`,
    [subjectIds, after.subjectId, after.position, after.eventId, limit],
  );
}

/** A snapshot as it is stored: its JSON as text. */
export interface SnapshotRow extends Figures {
  subjectId: string;
  snapshotNo: number;
  factors: string;
  reasonCodes: string;
  components: string;
  positions: string;
  formulaVersion: string;
  asOf: number;
  computedAt: Date;
  /** Of the snapshot before it; null: there is none. */
  previousScore: number | null;
  reason: string | null;
  isKept: boolean;
  platformId: string;
  livemode: boolean;
}

type SnapshotJson = 'factors' | 'reasonCodes' | 'components' | 'positions';

export type AuditedSnapshot = Omit<SnapshotRow, SnapshotJson> &
  Pick<z.output<typeof StoredSnapshot>, SnapshotJson>;

/** Snapshots after the given one, by subject and number. */
export function readSnapshots(
  tx: Tx,
  subjectIds: readonly string[],
  after: { subjectId: string; snapshotNo: number },
  limit: number,
): Promise<SnapshotRow[]> {
  return tx.query<SnapshotRow>(
    `select subject_id, snapshot_no, final_score, score_band, confidence, behavioral_quality, total_events,
       verified_events, factors::text, reason_codes::text, components::text, positions::text, formula_version,
       as_of, computed_at, previous_score, reason, is_kept, platform_id, livemode
     from score_snapshot
     where subject_id = any($1::uuid[]) and (subject_id, snapshot_no) > ($2::uuid, $3::integer)
     order by subject_id, snapshot_no limit $4`,
    [subjectIds, after.subjectId, after.snapshotNo, limit],
  );
}
