import type { StoredScore } from '../../../ledger/publishedScores.js';

/** The figures of a score as an export states them. */
export function scoreFacts(score: StoredScore) {
  return {
    finalScore: score.final_score,
    scoreBand: score.score_band,
    confidence: score.confidence,
    totalEvents: score.total_events,
    verifiedEvents: score.verified_events,
    frozen: score.frozen,
    formulaVersion: score.formula_version,
    computedAt: score.computed_at,
  };
}

/** The same in a sentence. */
export function scoreSentence({
  final_score,
  score_band,
  total_events,
  verified_events,
}: StoredScore): string {
  const basis = `${verified_events} of ${total_events} recorded outcomes confirmed by others`;
  return `${final_score.toFixed(2)} of 100, band ${score_band}: ${basis}. Evidence, never a decision.`;
}
