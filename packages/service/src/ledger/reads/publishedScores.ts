import type { ConfidenceLabel, ScoreBand } from '@reliability/scoring';
import type { PublishedScore } from '../../domain/scoreCourse.js';
import type { Queryable } from '../../kit/db/database.js';

/** The score in the response of `GET /users/{id}/score`. */
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

export function figuresOf(score: StoredScore) {
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

/**
 * Scores by subject. Subjects without a score are omitted. Needs no check of the owner: a subject's
 * id is derived from the caller's platform and mode, so no caller can name another platform's.
 */
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
export async function findFrozenScore(db: Queryable, subjectId: string): Promise<PublishedScore | null> {
  const [row] = await db.query<PublishedScore>(
    `select as_of, final_score, score_band, confidence from score where subject_id = $1 and frozen_at is not null`,
    [subjectId],
  );
  return row ?? null;
}
