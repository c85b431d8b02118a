import { reasonCodeCatalog } from '@reliability/scoring';
import { fail } from '../../domain/errors.js';
import { type Answer, ok } from '../../kit/http/answer.js';
import { subjectOf, type UserContext } from '../../ledger/userContext.js';
import type { ScoreParts } from './parts.js';
import { type DetailedScore, findDetailedScore, type StoredReason } from './store.js';

/** GET /users/{id}/score/explain: the attribution of the score as it was computed, with the catalogue's texts put back. */
export async function explainScore({ db }: ScoreParts, context: UserContext): Promise<Answer> {
  const score = await findDetailedScore(db, subjectOf(context));
  if (!score) return fail('USER_NOT_FOUND');
  return ok({
    userId: context.params.id,
    finalScore: score.final_score,
    scoreBand: score.score_band,
    factors: score.detail.factors,
    reasonCodes: {
      adverseActionReasons: adverseReasonsOf(score).map(withTexts),
      supportingFactors: score.detail.supporting.map(withTexts),
      disclosures: reasonCodeCatalog.disclosures,
    },
    reasonCodesVersion: reasonCodeCatalog.reasonCodesVersion,
    keyFactorLimit: reasonCodeCatalog.keyFactorLimit,
    formulaVersion: score.formula_version,
  });
}

/** A freeze comes and goes without a recompute, so the stored reasons do not know of it. It ranks first (SCORING). */
function adverseReasonsOf({ detail, frozen_at }: DetailedScore): StoredReason[] {
  if (!frozen_at) return detail.adverse;
  const review = { code: UNDER_REVIEW, evidence: { frozenSince: frozen_at.toISOString() } };
  return [review, ...detail.adverse.filter(({ code }) => code !== UNDER_REVIEW)];
}

const UNDER_REVIEW = 'RECORD_UNDER_VELOCITY_REVIEW';

function withTexts({ code, evidence }: StoredReason) {
  const entry = entryByCode.get(code);
  if (!entry) throw new Error(`a stored reason has the code ${code}, which the catalogue does not know`);
  const { factor, title, description } = entry;
  return { code, factor, title, description, evidence };
}

type CatalogEntry = (typeof reasonCodeCatalog.codes)[number];
const entryByCode = new Map<string, CatalogEntry>(
  reasonCodeCatalog.codes.map((entry) => [entry.code, entry]),
);
