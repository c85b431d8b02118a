import { reasonCodeCatalog } from '@reliability/scoring';
import { reasonEntryOf, type StoredReason, withReview } from '../../../domain/storedReasons.js';
import type { Queryable } from '../../../kit/db/database.js';
import { subjectOf, type UserContext } from '../../../ledger/requests/userContext.js';
import type { Explanation } from './explanationSchema.js';
import { readDetailedScore } from './store.js';

/** GET /users/{id}/score/explain: the attribution stored with the score, with the catalogue's texts. Throws USER_NOT_FOUND. */
export async function explainScore(
  db: Queryable,
  context: Pick<UserContext, 'owner' | 'params'>,
): Promise<Explanation> {
  const score = await readDetailedScore(db, subjectOf(context));
  const review = score.frozenAt && { frozenSince: score.frozenAt.toISOString() };
  return {
    userId: context.params.id,
    finalScore: score.finalScore,
    scoreBand: score.scoreBand,
    factors: score.detail.factors,
    reasonCodes: {
      adverseActionReasons: withReview(score.detail.adverse, review).map(withTexts),
      supportingFactors: score.detail.supporting.map(withTexts),
      disclosures: [...reasonCodeCatalog.disclosures],
    },
    reasonCodesVersion: reasonCodeCatalog.reasonCodesVersion,
    keyFactorLimit: reasonCodeCatalog.keyFactorLimit,
    formulaVersion: score.formulaVersion,
  };
}

function withTexts({ code, evidence }: StoredReason) {
  const entry = reasonEntryOf(code);
  if (!entry) throw new Error(`a stored reason has the code ${code}, which is not in the catalogue`);
  const { factor, title, description } = entry;
  return { code, factor, title, description, evidence };
}
