import type { z } from 'zod';
import { fail } from '../../../domain/errors.js';
import { type TrustPoint, trustSummaryOf } from '../../../domain/trustSummary.js';
import type { Database } from '../../../kit/db/database.js';
import { type Answer, ok } from '../../../kit/http/answer.js';
import { subjectOf, type UserContext } from '../../../ledger/requests/userContext.js';
import type { Narrate } from './narrate.js';
import type { TrustQuery } from './schemas.js';
import { findTrust, type TrustRow } from './store.js';

/**
 * GET /users/{id}/trust-summary: the stored score in plain words. The AI is asked after the read has ended and holds nothing of
 * the database; whatever becomes of it, the rest of the answer is the same.
 */
export async function readTrustSummary(
  { db, narrate }: { db: Database; narrate: Narrate },
  context: UserContext<z.output<typeof TrustQuery>>,
): Promise<Answer> {
  const row = await findTrust(db, subjectOf(context));
  if (!row) return fail('USER_NOT_FOUND');
  const trust = trustSummaryOf(factsOf(row));
  return ok({
    userId: context.params.id,
    finalScore: row.finalScore,
    scoreBand: row.scoreBand,
    confidence: row.confidence,
    summary: trust.summary,
    strengths: trust.strengths.map(shown),
    risks: trust.risks.map(shown),
    narrative: context.query.narrative === '1' ? await narrate(trust) : null,
  });
}

function factsOf(row: TrustRow) {
  return {
    finalScore: row.finalScore,
    scoreBand: row.scoreBand,
    confidenceLabel: row.confidenceLabel,
    totalEvents: row.totalEvents,
    verifiedEvents: row.verifiedEvents,
    frozenAt: row.frozenAt,
    factors: row.factors,
    adverse: row.adverse,
    supporting: row.supporting,
  };
}

function shown({ code, text }: TrustPoint) {
  return { code, text };
}
