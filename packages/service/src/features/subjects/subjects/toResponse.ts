import type { AgentFacts, BusinessFacts } from '../../../domain/declaredSubject.js';
import type { Queryable } from '../../../kit/db/database.js';
import { figuresOf, findScores } from '../../../ledger/reads/publishedScores.js';
import type { DeclaredRow } from './store.js';

/** An agent as answers show it. */
export function agentOf({
  externalId,
  facts,
  isOwn,
  declaredAt,
  updatedAt,
  changedAt,
}: DeclaredRow<AgentFacts>) {
  const { name, description, operator } = facts;
  return {
    userId: externalId,
    subjectType: 'AGENT',
    name,
    description,
    platformIsOperator: isOwn,
    operator,
    createdAt: declaredAt,
    updatedAt,
    declarationChangedAt: changedAt,
  };
}

/** A business as answers show it. */
export function businessOf({
  externalId,
  facts,
  isOwn,
  declaredAt,
  updatedAt,
  changedAt,
}: DeclaredRow<BusinessFacts>) {
  return {
    userId: externalId,
    subjectType: 'ORGANIZATION',
    business: facts,
    platformIsController: isOwn,
    createdAt: declaredAt,
    updatedAt,
    declarationChangedAt: changedAt,
  };
}

/** The score of the record; null before the first event. */
export async function scoreShown(db: Queryable, subjectId: string) {
  const score = (await findScores(db, [subjectId])).get(subjectId);
  if (!score) return null;
  const { behavioralQuality: _, ...shown } = figuresOf(score);
  return shown;
}
