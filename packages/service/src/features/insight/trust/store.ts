import type { ConfidenceLabel, Factor, ScoreBand } from '@reliability/scoring';
import type { StoredReason } from '#domain/recordWords.js';
import type { Queryable } from '#kit/db/database.js';

export interface TrustRow {
  finalScore: number;
  scoreBand: ScoreBand;
  confidence: number;
  confidenceLabel: ConfidenceLabel;
  totalEvents: number;
  verifiedEvents: number;
  frozenAt: Date | null;
  /** The day on which it was computed. */
  asOf: number;
  factors: { name: Factor; contribution: number }[];
  adverse: StoredReason[];
  supporting: StoredReason[];
}

/** A score with the reasons it was stored with; null for a subject without one. */
export async function findTrust(db: Queryable, subjectId: string): Promise<TrustRow | null> {
  const [row] = await db.query<TrustRow>(
    `select final_score, score_band, confidence, confidence_label, total_events, verified_events, frozen_at, as_of,
       detail -> 'factors' as factors, detail -> 'adverse' as adverse, detail -> 'supporting' as supporting
     from score where subject_id = $1`,
    [subjectId],
  );
  return row ?? null;
}
