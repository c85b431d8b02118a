import type { ConfidenceLabel, Factor, ScoreBand } from '@reliability/scoring';
import type { StoredReason } from '../../domain/storedReasons.js';
import type { Queryable } from '../../kit/db/database.js';

export interface ReportedScore {
  final_score: number;
  score_band: ScoreBand;
  confidence: number;
  confidence_label: ConfidenceLabel;
  behavioral_quality: number;
  total_events: number;
  verified_events: number;
  frozen_at: Date | null;
  snapshot_no: number;
  factors: { name: Factor; contribution: number; description: string }[];
  adverse: StoredReason[];
  supporting: StoredReason[];
  formula_version: string;
  computed_at: Date;
}

/** A score with all that explains it; null for a subject without one. */
export async function findReportedScore(db: Queryable, subjectId: string): Promise<ReportedScore | null> {
  const [row] = await db.query<ReportedScore>(
    `select final_score, score_band, confidence, confidence_label, behavioral_quality, total_events, verified_events, frozen_at,
       snapshot_no, detail -> 'factors' as factors, detail -> 'adverse' as adverse, detail -> 'supporting' as supporting,
       formula_version, computed_at
     from score where subject_id = $1`,
    [subjectId],
  );
  return row ?? null;
}

/** A published change of the score. */
export interface ScorePoint {
  readonly finalScore: number;
  readonly scoreBand: ScoreBand;
  readonly totalEvents: number;
  readonly verifiedEvents: number;
  readonly reason: string | null;
  readonly computedAt: Date;
}

/** Changes up to and with a snapshot, newest first. */
export function findChanges(
  db: Queryable,
  subjectId: string,
  upToNo: number,
  limit: number,
): Promise<ScorePoint[]> {
  return db.query<ScorePoint>(
    `select final_score as "finalScore", score_band as "scoreBand", total_events as "totalEvents",
       verified_events as "verifiedEvents", reason, computed_at as "computedAt"
     from score_snapshot where subject_id = $1 and snapshot_no <= $2 order by snapshot_no desc limit $3`,
    [subjectId, upToNo, limit],
  );
}
