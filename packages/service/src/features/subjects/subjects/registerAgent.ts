import type { z } from 'zod';
import { type AgentFacts, changed, type Declared } from '../../../domain/declaredSubject.js';
import { fail } from '../../../domain/errors.js';
import type { Answer } from '../../../kit/http/answer.js';
import type { KeyAccess, RequestContext } from '../../../kit/http/route.js';
import { declare } from './declare.js';
import type { SubjectDeps } from './deps.js';
import type { AgentBody } from './schemas.js';
import { agentOf } from './toResponse.js';

type Agent = Extract<Declared, { subjectType: 'AGENT' }>;

const NO_FACTS: AgentFacts = {
  name: null,
  description: null,
  operator: { name: null, homepage: null, did: null },
};

/** POST /agents. Somebody else who runs the agent has to be named. */
export function registerAgent(
  deps: SubjectDeps,
  context: RequestContext<KeyAccess, z.output<typeof AgentBody>, undefined, undefined>,
): Promise<Answer> {
  const { userId, name, description, platformIsOperator, operator } = context.body;
  return declare<Agent>(deps, context, {
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
    taken: 'This id has the record of a person or a business already, and cannot become an agent.',
    shown: agentOf,
  });
}
