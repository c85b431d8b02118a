import type { AgentFacts, BusinessFacts } from '../../domain/declaredSubject.js';
import type { Queryable } from '../../kit/db/database.js';
import { findScores } from '../../ledger/publishedScores.js';
import type { DeclaredRow } from './store.js';

/** An agent as answers show it. */
export function agentOf({ external_id, facts, is_own, declared_at, updated_at }: DeclaredRow<AgentFacts>) {
  const { name, description, operator } = facts;
  return {
    userId: external_id,
    subjectType: 'AGENT',
    name,
    description,
    platformIsOperator: is_own,
    operator,
    createdAt: declared_at,
    updatedAt: updated_at,
  };
}

/** A business as answers show it. */
export function businessOf({
  external_id,
  facts,
  is_own,
  declared_at,
  updated_at,
}: DeclaredRow<BusinessFacts>) {
  return {
    userId: external_id,
    subjectType: 'ORGANIZATION',
    business: facts,
    platformIsController: is_own,
    createdAt: declared_at,
    updatedAt: updated_at,
  };
}

/** The score of the record; null before the first event. */
export async function scoreShown(db: Queryable, subjectId: string) {
  const score = (await findScores(db, [subjectId])).get(subjectId);
  if (!score) return null;
  return {
    finalScore: score.final_score,
    scoreBand: score.score_band,
    confidence: score.confidence,
    confidenceLabel: score.confidence_label,
    totalEvents: score.total_events,
    verifiedEvents: score.verified_events,
    frozen: score.frozen,
    formulaVersion: score.formula_version,
    computedAt: score.computed_at,
  };
}
