import { reasonCodeCatalog } from '@reliability/scoring';
import { fail } from '../../../domain/errors.js';
import { reasonEntryOf, type StoredReason, withReview } from '../../../domain/storedReasons.js';
import { type Answer, ok } from '../../../kit/http/answer.js';
import { subjectOf, type UserContext } from '../../../ledger/requests/userContext.js';
import type { ScoreDeps } from './deps.js';
import { findDetailedScore } from './store.js';

/** GET /users/{id}/score/explain: the attribution of the score as it was computed, with the catalogue's texts put back. */
export async function explainScore({ db }: ScoreDeps, context: UserContext): Promise<Answer> {
  const score = await findDetailedScore(db, subjectOf(context));
  if (!score) return fail('USER_NOT_FOUND');
  const review = score.frozenAt && { frozenSince: score.frozenAt.toISOString() };
  return ok({
    userId: context.params.id,
    finalScore: score.finalScore,
    scoreBand: score.scoreBand,
    factors: score.detail.factors,
    reasonCodes: {
      adverseActionReasons: withReview(score.detail.adverse, review).map(withTexts),
      supportingFactors: score.detail.supporting.map(withTexts),
      disclosures: reasonCodeCatalog.disclosures,
    },
    reasonCodesVersion: reasonCodeCatalog.reasonCodesVersion,
    keyFactorLimit: reasonCodeCatalog.keyFactorLimit,
    formulaVersion: score.formulaVersion,
  });
}

function withTexts({ code, evidence }: StoredReason) {
  const entry = reasonEntryOf(code);
  if (!entry) throw new Error(`a stored reason has the code ${code}, which the catalogue does not know`);
  const { factor, title, description } = entry;
  return { code, factor, title, description, evidence };
}
