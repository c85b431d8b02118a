import type { AgentFacts, BusinessFacts } from '../../../domain/declaredSubject.js';
import type { Queryable } from '../../../kit/db/database.js';
import { figuresOf, findScores } from '../../../ledger/publishedScores.js';
import type { DeclaredRow } from './store.js';

/** An agent as answers show it. */
export function agentOf({
  external_id,
  facts,
  is_own,
  declared_at,
  updated_at,
  changed_at,
}: DeclaredRow<AgentFacts>) {
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
    declarationChangedAt: changed_at,
  };
}

/** A business as answers show it. */
export function businessOf({
  external_id,
  facts,
  is_own,
  declared_at,
  updated_at,
  changed_at,
}: DeclaredRow<BusinessFacts>) {
  return {
    userId: external_id,
    subjectType: 'ORGANIZATION',
    business: facts,
    platformIsController: is_own,
    createdAt: declared_at,
    updatedAt: updated_at,
    declarationChangedAt: changed_at,
  };
}

/** The score of the record; null before the first event. */
export async function scoreShown(db: Queryable, subjectId: string) {
  const score = (await findScores(db, [subjectId])).get(subjectId);
  if (!score) return null;
  const { behavioralQuality: _, ...shown } = figuresOf(score);
  return shown;
}
