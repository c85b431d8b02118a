import type { Factor, ScoreBand } from '@reliability/scoring';
import type { StoredReason } from '../../../domain/recordWords.js';
import type { Queryable } from '../../../kit/db/database.js';
import type { StoredScore } from '../../../ledger/reads/publishedScores.js';

export interface ReportedScore extends StoredScore {
  frozenAt: Date | null;
  /** The day on which it was computed. */
  asOf: number;
  snapshotNo: number;
  factors: { name: Factor; contribution: number; description: string }[];
  adverse: StoredReason[];
  supporting: StoredReason[];
}

/** A score and its explanation. Null for a subject without a score. */
export async function findReportedScore(db: Queryable, subjectId: string): Promise<ReportedScore | null> {
  const [row] = await db.query<ReportedScore>(
    `select final_score, score_band, confidence, confidence_label, behavioral_quality, total_events, verified_events,
       frozen_at is not null as frozen, frozen_at, as_of, snapshot_no, formula_version, computed_at,
       detail -> 'factors' as factors, detail -> 'adverse' as adverse, detail -> 'supporting' as supporting
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

/** Changes up to and including a snapshot, newest first. */
export function findChanges(
  db: Queryable,
  subjectId: string,
  upToNo: number,
  limit: number,
): Promise<ScorePoint[]> {
  return db.query<ScorePoint>(
    `select final_score, score_band, total_events,
       verified_events, reason, computed_at
     from score_snapshot where subject_id = $1 and snapshot_no <= $2 order by snapshot_no desc limit $3`,
    [subjectId, upToNo, limit],
  );
}
