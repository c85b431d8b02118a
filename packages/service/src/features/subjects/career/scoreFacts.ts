import type { StoredScore } from '../../../ledger/reads/publishedScores.js';

/** The figures of a score as an export states them. */
export function scoreFacts(score: StoredScore) {
  return {
    finalScore: score.finalScore,
    scoreBand: score.scoreBand,
    confidence: score.confidence,
    totalEvents: score.totalEvents,
    verifiedEvents: score.verifiedEvents,
    frozen: score.frozen,
    formulaVersion: score.formulaVersion,
    computedAt: score.computedAt,
  };
}

/** The same in a sentence. */
export function scoreSentence({ finalScore, scoreBand, totalEvents, verifiedEvents }: StoredScore): string {
  const basis = `${verifiedEvents} of ${totalEvents} recorded outcomes confirmed by others`;
  return `${finalScore.toFixed(2)} of 100, band ${scoreBand}: ${basis}. Evidence, never a decision.`;
}
