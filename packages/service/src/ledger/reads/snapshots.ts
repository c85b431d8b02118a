import type { Factor, ScoreBand } from '@reliability/scoring';
import type { Queryable } from '../../kit/db/database.js';

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
  factors: Record<Factor, number>;
  /** Ledger positions of all members of the record, by subject. */
  positions: Record<string, number>;
  formulaVersion: string;
  computedAt: Date;
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

/** A published score change, for responses (RULES S15). */
export function historyEntryOf(snapshot: Snapshot) {
  return {
    finalScore: snapshot.finalScore,
    scoreBand: snapshot.scoreBand,
    confidence: snapshot.confidence,
    behavioralQuality: snapshot.behavioralQuality,
    totalEvents: snapshot.totalEvents,
    verifiedEvents: snapshot.verifiedEvents,
    previousScore: snapshot.previousScore,
    reason: snapshot.reason,
    formulaVersion: snapshot.formulaVersion,
    computedAt: snapshot.computedAt,
  };
}
