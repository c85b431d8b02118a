import type { Factor, OutcomeFacts, PlatformTier, ScoreBand, Tally } from '@reliability/scoring';
import type { DisputeStatus } from '#domain/dispute.js';
import type { Queryable } from '#kit/db/database.js';
import { isUuid } from '#kit/ids.js';
import { failErased } from '#ledger/erasure/erasedSubjects.js';
import { knownPlatforms, platformIn } from '#ledger/groups/platforms.js';
import { readsOfMembers } from '#ledger/links/recordReads.js';
import { EVENT_COLUMNS, EVENT_ROWS, type EventRow } from '#ledger/reads/eventRow.js';
import type { ModeOwner } from '#ledger/reads/ownedRows.js';
import { talliesAt } from '#ledger/reads/talliesAt.js';
import type { RecordFacts } from '#ledger/recompute/evaluateRecord.js';

/** A subject with its score; all figures are null before the first score. */
export interface DispatchRow {
  finalScore: number | null;
  scoreBand: ScoreBand | null;
  confidence: number | null;
  frozen: boolean;
  verifiedEvents: number | null;
  totalEvents: number | null;
  factors: { name: Factor; contribution: number }[] | null;
  onTime: number | null;
  facts: RecordFacts | null;
}

export async function findDispatch(db: Queryable, subjectId: string): Promise<DispatchRow | null> {
  const [row] = await db.query<DispatchRow>(
    `select c.final_score, c.score_band, c.confidence, c.frozen_at is not null as frozen, c.verified_events, c.total_events,
       c.detail -> 'factors' as factors, c.detail -> 'components' -> 'timeliness' as on_time, c.detail -> 'record' as facts
     from subject s left join score c using (subject_id)
     where s.subject_id = $1`,
    [subjectId],
  );
  return row ?? null;
}

/** The last positions of a subject's ledger and its snapshots; null for an unknown subject. */
export async function findTimelineEnd(
  db: Queryable,
  subjectId: string,
): Promise<{ position: number; snapshotNo: number } | null> {
  const [row] = await db.query<{ position: number; snapshotNo: number }>(
    `select s.event_count as position, coalesce(c.snapshot_no, 0) as snapshot_no
     from subject s left join score c using (subject_id)
     where s.subject_id = $1`,
    [subjectId],
  );
  return row ?? null;
}

/**
 * A subject's events up to a ledger position and before an id, newest first. Planned for this
 * subject: a plan for the average subject would sort all events of one with a hundred thousand.
 */
export function findEvents(
  db: Queryable,
  subjectId: string,
  { upTo, beforeId }: { upTo: number; beforeId: string },
  limit: number,
): Promise<EventRow[]> {
  return db.query<EventRow>(
    `select ${EVENT_COLUMNS}
     from ${EVENT_ROWS}
     where e.subject_id = $1 and e.position <= $2 and e.event_id < $3
     order by e.event_id desc limit $4`,
    [subjectId, upTo, beforeId, limit],
    { isUncached: true },
  );
}

export interface ContributionRow {
  isSelf: boolean;
  /** Null for every other platform. */
  name: string | null;
  /** Nothing is shown about an erased member, but its events count. */
  isErased: boolean;
  trustTier: PlatformTier;
  /** Of the events that the published score counts. */
  tallies: readonly Tally[];
  verifiedEventCount: number | null;
  firstEventAt: Date | null;
  lastEventAt: Date | null;
}

interface StoredContribution extends Omit<ContributionRow, 'name' | 'trustTier' | 'tallies'> {
  subjectId: string;
  platformId: string;
}

/**
 * Each member that the published score of the subject counts, the subject itself first; empty before
 * the first score. Null for an unknown subject. Other platforms have no names here.
 */
export async function findContributions(db: Queryable, subjectId: string): Promise<ContributionRow[] | null> {
  const [known] = await db.query<{ positions: Record<string, number> | null }>(
    `select s.positions from subject m left join score c using (subject_id)
       left join score_snapshot s on s.subject_id = c.subject_id and s.snapshot_no = c.snapshot_no
     where m.subject_id = $1`,
    [subjectId],
  );
  if (!known?.positions) return known ? [] : null;
  const tallies = await talliesAt(db, known.positions);
  const reads = await readsOfMembers(db, [...tallies.keys()]);
  const rows = await reads.query<StoredContribution>(
    `select m.subject_id, m.platform_id, m.subject_id = $1 as is_self,
       m.external_id is null as is_erased, c.own_verified_events as verified_event_count,
       (select e.created_at from event e where e.subject_id = m.subject_id order by e.event_id limit 1) as first_event_at,
       (select e.created_at from event e where e.subject_id = m.subject_id order by e.event_id desc limit 1) as last_event_at
     from subject m left join score c using (subject_id)
     where m.subject_id = any($2::uuid[])`,
    [subjectId, [...tallies.keys()]],
  );
  const platforms = await knownPlatforms(db, rows);
  return rows
    .map(({ subjectId: id, platformId, ...row }) => {
      const { name, trustTier } = platformIn(platforms, platformId);
      return { ...row, name: row.isSelf ? name : null, trustTier, tallies: tallies.get(id) ?? [] };
    })
    .filter(({ tallies }) => tallies.length > 0);
}

/** Whether the platform operates or controls the subject itself; false for an unknown subject. */
export async function isOwnSubject(db: Queryable, subjectId: string): Promise<boolean> {
  const rows = await db.query('select 1 from subject where subject_id = $1 and is_own', [subjectId]);
  return rows.length > 0;
}

/** A dispute, and of the event that counts while it is open what the formula reads. */
interface ContestedRow extends Readonly<OutcomeFacts> {
  readonly disputeId: string;
  readonly userId: string;
  readonly subjectId: string;
  readonly status: DisputeStatus;
  readonly respondBy: Date;
}

/** Null: the owner has no dispute with this id. Throws SUBJECT_ERASED. */
export async function findContested(
  db: Queryable,
  { platformId, livemode }: ModeOwner,
  id: string,
): Promise<ContestedRow | null> {
  if (!isUuid(id)) return null;
  const [row] = await db.query<Omit<ContestedRow, 'userId'> & { userId: string | null }>(
    `select d.dispute_id, s.external_id as user_id, d.subject_id, d.status, d.respond_by, c.event_type, c.stake_level,
       c.platform_tier, c.is_verified, c.created_at, c.completed_at, c.due_date
     from dispute d join subject s using (subject_id)
     join event c on c.subject_id = d.subject_id and c.event_id = coalesce(d.filed_event_id, d.event_id)
     where d.dispute_id = $3 and d.platform_id = $1 and d.livemode = $2`,
    [platformId, livemode, id],
  );
  if (!row) return null;
  const { userId } = row;
  return userId === null ? failErased() : { ...row, userId };
}
