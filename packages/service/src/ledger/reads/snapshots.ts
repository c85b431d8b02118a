import type { Factor, ReasonCode, ScoreBand } from '@reliability/scoring';
import type { Queryable } from '../../kit/db/database.js';
import { pick } from '../../kit/db/rows.js';

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

/** Snapshots before `beforeNo`, newest first. */
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

/** The newest snapshots with what explains them. */
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
export function historyEntryOf(snapshot: Snapshot) {
  return {
    ...pick(snapshot, 'finalScore', 'scoreBand', 'confidence', 'behavioralQuality', 'totalEvents'),
    ...pick(snapshot, 'verifiedEvents', 'previousScore', 'reason', 'formulaVersion', 'computedAt'),
  };
}
