import { fail } from '../../domain/errors.js';
import { type Answer, ok } from '../../kit/http/answer.js';
import { subjectOf, type UserContext } from '../../ledger/userContext.js';
import type { LoadScore } from './loadScores.js';

/** GET /users/{id}/score */
export async function readScore(loadScore: LoadScore, context: UserContext): Promise<Answer> {
  const score = await loadScore(subjectOf(context));
  if (!score) return fail('USER_NOT_FOUND');
  return ok({
    userId: context.params.id,
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
  });
}
