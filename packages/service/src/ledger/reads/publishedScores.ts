import {
  type ConfidenceLabel,
  type Day,
  dayOf,
  type Factor,
  type ReasonCode,
  type ScoreBand,
} from '@reliability/scoring';
import type { PublishedScore } from '#domain/scoreCourse.js';
import type { Queryable } from '#kit/db/database.js';

export interface StoredScore {
  finalScore: number;
  scoreBand: ScoreBand;
  confidence: number;
  confidenceLabel: ConfidenceLabel;
  behavioralQuality: number;
  totalEvents: number;
  verifiedEvents: number;
  frozen: boolean;
  formulaVersion: string;
  computedAt: Date;
}

export function figuresOf(score: StoredScore): StoredScore {
  return {
    finalScore: score.finalScore,
    scoreBand: score.scoreBand,
    confidence: score.confidence,
    confidenceLabel: score.confidenceLabel,
    behavioralQuality: score.behavioralQuality,
    totalEvents: score.totalEvents,
    verifiedEvents: score.verifiedEvents,
    frozen: score.frozen,
    formulaVersion: score.formulaVersion,
    computedAt: score.computedAt,
  };
}

/** Needs no check of the owner: a subject's id is derived from the caller's platform and mode. */
export async function findScores(
  db: Queryable,
  subjectIds: readonly string[],
): Promise<Map<string, StoredScore>> {
  const rows = await db.query<StoredScore & { subjectId: string }>(
    `select subject_id, final_score, score_band, confidence, confidence_label, behavioral_quality, total_events,
       verified_events, frozen_at is not null as frozen, formula_version, computed_at
     from score where subject_id = any($1::uuid[])`,
    [subjectIds],
  );
  return new Map(rows.map((row) => [row.subjectId, row]));
}

/** Null for a score that is not frozen, and for a subject without one. */
export async function findFrozenScore(
  db: Queryable,
  subjectId: string,
): Promise<(PublishedScore & Pick<HeldScore, 'positions'>) | null> {
  const [row] = await db.query<PublishedScore & Pick<HeldScore, 'positions'>>(
    `select c.as_of, c.final_score, c.score_band, c.confidence, s.positions
     from score c join score_snapshot s using (subject_id, snapshot_no)
     where c.subject_id = $1 and c.frozen_at is not null`,
    [subjectId],
  );
  return row ?? null;
}

/** The reasons for a score, as it was published. Its factors are the other half of its explanation. */
export interface ReasonCodes {
  /** Largest cost first. */
  readonly adverse: readonly ReasonCode[];
  /** In the order of the catalogue. */
  readonly supporting: readonly ReasonCode[];
}

export interface Snapshot {
  snapshotNo: number;
  finalScore: number;
  scoreBand: ScoreBand;
  confidence: number;
  behavioralQuality: number;
  totalEvents: number;
  verifiedEvents: number;
  previousScore: number | null;
  reason: string | null;
  formulaVersion: string;
  computedAt: Date;
}

export interface ExplainedSnapshot extends Snapshot {
  factors: Record<Factor, number>;
  /** Ledger positions of all members of the record, by subject. */
  positions: Record<string, number>;
}

export function findSnapshots(
  db: Queryable,
  subjectId: string,
  beforeNo: number,
  limit: number,
): Promise<Snapshot[]> {
  return db.query<Snapshot>(
    `select ${FIGURES}
     from score_snapshot where subject_id = $1 and snapshot_no < $2 order by snapshot_no desc limit $3`,
    [subjectId, beforeNo, limit],
  );
}

export function findLatestExplained(
  db: Queryable,
  subjectId: string,
  limit: number,
): Promise<ExplainedSnapshot[]> {
  return db.query<ExplainedSnapshot>(
    `select ${FIGURES}, factors, positions
     from score_snapshot where subject_id = $1 order by snapshot_no desc limit $2`,
    [subjectId, limit],
  );
}

const FIGURES = `snapshot_no, final_score, score_band, confidence, behavioral_quality, total_events, verified_events,
  previous_score, reason, formula_version, computed_at`;

/** A published score change, for responses (RULES S15). */
export function historyEntryOf({ snapshotNo, ...entry }: Snapshot): Omit<Snapshot, 'snapshotNo'> {
  return entry;
}

/** The score that was published on days of a freeze that has ended. */
export interface HeldScore extends PublishedScore {
  readonly from: Day;
  /** The first day at whose end it was not published any more. */
  readonly until: Day;
  readonly frozenSince: Date;
  /** Ledger positions of all members of the record, by subject. */
  readonly positions: Readonly<Record<string, number>>;
}

/** Of all freezes of a subject that have ended, oldest first. A member that joined during one has several. */
export async function findHeldScores(db: Queryable, subjectId: string): Promise<HeldScore[]> {
  const rows = await db.query<
    Omit<HeldScore, 'from' | 'until'> & { endedAt: Date; computedAt: Date; nextAt: Date | null }
  >(
    `with period as (
       select action, at as frozen_since, lead(at) over (order by number) as ended_at,
         (date_trunc('day', at at time zone 'UTC') + interval '1 day') at time zone 'UTC' as first_end
       from freeze_fact where subject_id = $1
     )
     select f.frozen_since, f.ended_at, s.as_of, s.final_score, s.score_band, s.confidence, s.positions, s.computed_at,
       lead(s.computed_at) over (partition by f.frozen_since order by s.snapshot_no) as next_at
     from period f join score_snapshot s on s.subject_id = $1 and s.computed_at < f.ended_at
       and s.snapshot_no >= (
         select max(snapshot_no) from score_snapshot before
         where before.subject_id = $1 and before.computed_at < least(f.first_end, f.ended_at)
       )
     where f.action = 'set'
     order by s.snapshot_no`,
    [subjectId],
  );
  return rows.map(({ endedAt, computedAt, nextAt, ...held }) => ({
    ...held,
    from: Math.max(dayOf(held.frozenSince), dayOf(computedAt)),
    until: Math.min(dayOf(endedAt), nextAt ? dayOf(nextAt) : Infinity),
  }));
}

export function heldOn(held: readonly HeldScore[], day: Day): HeldScore | undefined {
  return held.find(({ from, until }) => from <= day && day < until);
}

export interface Book {
  readonly platformId: string;
  readonly livemode: boolean;
}

interface KeptHistogram {
  readonly counts: readonly number[];
  readonly countedAt: Date;
}

export async function findHistogram(
  db: Queryable,
  { platformId, livemode }: Book,
): Promise<KeptHistogram | null> {
  const [row] = await db.query<KeptHistogram>(
    'select counts, counted_at from book_histogram where platform_id = $1 and livemode = $2',
    [platformId, livemode],
  );
  return row ?? null;
}
