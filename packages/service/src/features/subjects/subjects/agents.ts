import type { z } from 'zod';
import { type AgentFacts, changed, type Declared } from '../../../domain/declaredSubject.js';
import { fail } from '../../../domain/errors.js';
import type { Queryable } from '../../../kit/db/database.js';
import type { TypedAnswer } from '../../../kit/http/answer.js';
import type { IdempotencyClaim, Owner } from '../../../kit/http/route.js';
import type { LoadOutcomes } from '../../../ledger/profile/outcomeRecords.js';
import { type DeclareDeps, declare } from './declare.js';
import type { Agent, AgentBody, AgentRegistered } from './schemas.js';
import { type DeclaredRow, findDeclared, findScore } from './store.js';

type DeclaredAgent = Extract<Declared, { subjectType: 'AGENT' }>;

const NO_FACTS: AgentFacts = {
  name: null,
  description: null,
  operator: { name: null, homepage: null, did: null },
};

/** POST /agents. If the platform does not run the agent, the request names the operator. */
export function registerAgent(
  deps: DeclareDeps,
  owner: Owner,
  body: z.output<typeof AgentBody>,
  claim: IdempotencyClaim | null,
): Promise<TypedAnswer<201, AgentRegistered>> {
  const { userId, name, description, platformIsOperator, operator } = body;
  return declare<DeclaredAgent, AgentRegistered>(deps, owner, claim, {
    userId,
    subjectType: 'AGENT',
    ownFlag: 'platformIsOperator',
    declared(before) {
      const { facts, isOwn } = before ?? { facts: NO_FACTS, isOwn: true };
      const run = operator === null ? NO_FACTS.operator : changed(facts.operator, operator ?? {});
      const after = {
        facts: { ...changed(facts, { name, description }), operator: run },
        isOwn: platformIsOperator ?? isOwn,
      };
      if (!after.isOwn && run.name === null) fail('OPERATOR_NOT_DECLARED');
      return after;
    },
    taken: 'This id belongs to a person or a business, and cannot become an agent.',
    toResponse,
  });
}

/** GET /agents/{id}. Throws NOT_FOUND. */
export async function readAgent(
  { db, loadOutcomes }: { db: Queryable; loadOutcomes: LoadOutcomes },
  subjectId: string,
): Promise<Agent> {
  const row = await findDeclared<DeclaredAgent>(db, subjectId, 'AGENT');
  const outcomes = row && (await loadOutcomes(subjectId));
  if (!row || !outcomes) return fail('NOT_FOUND', { message: 'No agent with this id is registered.' });
  const score = await findScore(db, subjectId);
  return { ...toResponse(row), score, deliveryRecord: outcomes.record.deliveries };
}

function toResponse({ externalId, facts, isOwn, ...times }: DeclaredRow<AgentFacts>): AgentRegistered {
  const { name, description, operator } = facts;
  return {
    userId: externalId,
    subjectType: 'AGENT',
    name,
    description,
    platformIsOperator: isOwn,
    operator,
    ...times,
  };
}
