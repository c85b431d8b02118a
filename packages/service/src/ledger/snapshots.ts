import type { Factor, ScoreBand } from '@reliability/scoring';
import type { Queryable } from '../kit/db/database.js';

export interface Snapshot {
  snapshot_no: number;
  final_score: number;
  score_band: ScoreBand;
  confidence: number;
  behavioral_quality: number;
  total_events: number;
  verified_events: number;
  previous_score: number | null;
  reason: string | null;
  factors: Record<Factor, number>;
  /** Ledger position, by subject, of every member of the record. */
  positions: Record<string, number>;
  formula_version: string;
  computed_at: Date;
}

/** Snapshots before `beforeNo`, newest first. */
export async function findSnapshots(
  db: Queryable,
  subjectId: string,
  beforeNo: number,
  limit: number,
): Promise<Snapshot[]> {
  return db.query<Snapshot>(
    `select snapshot_no, final_score, score_band, confidence, behavioral_quality, total_events, verified_events,
       previous_score, reason, factors, positions, formula_version, computed_at
     from score_snapshot where subject_id = $1 and snapshot_no < $2 order by snapshot_no desc limit $3`,
    [subjectId, beforeNo, limit],
  );
}

/** A published change of the score as answers show it (RULES S15). */
export function historyEntryOf(snapshot: Snapshot) {
  return {
    finalScore: snapshot.final_score,
    scoreBand: snapshot.score_band,
    confidence: snapshot.confidence,
    behavioralQuality: snapshot.behavioral_quality,
    totalEvents: snapshot.total_events,
    verifiedEvents: snapshot.verified_events,
    previousScore: snapshot.previous_score,
    reason: snapshot.reason,
    formulaVersion: snapshot.formula_version,
    computedAt: snapshot.computed_at,
  };
}
