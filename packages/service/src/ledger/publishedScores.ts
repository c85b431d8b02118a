import type { ConfidenceLabel, ScoreBand } from '@reliability/scoring';
import type { Queryable } from '../kit/db/database.js';

/** What `GET /users/{id}/score` tells of a subject. */
export interface StoredScore {
  final_score: number;
  score_band: ScoreBand;
  confidence: number;
  confidence_label: ConfidenceLabel;
  behavioral_quality: number;
  total_events: number;
  verified_events: number;
  frozen: boolean;
  formula_version: string;
  computed_at: Date;
}

/** The figures as answers name them. */
export function figuresOf(score: StoredScore) {
  return {
    finalScore: score.final_score,
    scoreBand: score.score_band,
    confidence: score.confidence,
    confidenceLabel: score.confidence_label,
    behavioralQuality: score.behavioral_quality,
    totalEvents: score.total_events,
    verifiedEvents: score.verified_events,
    frozen: score.frozen,
    formulaVersion: score.formula_version,
    computedAt: score.computed_at,
  };
}

/**
 * Scores by subject; who has none is left out. A subject's id follows from platform, mode and external id, so it is the scope:
 * no caller can name another platform's.
 */
export async function findScores(
  db: Queryable,
  subjectIds: readonly string[],
): Promise<Map<string, StoredScore>> {
  const rows = await db.query<StoredScore & { subject_id: string }>(
    `select subject_id, final_score, score_band, confidence, confidence_label, behavioral_quality, total_events,
       verified_events, frozen_at is not null as frozen, formula_version, computed_at
     from score where subject_id = any($1::uuid[])`,
    [subjectIds],
  );
  return new Map(rows.map((row) => [row.subject_id, row]));
}
