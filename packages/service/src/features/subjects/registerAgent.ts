import type { z } from 'zod';
import { type Declared, isDeclared } from '../../domain/declaredSubject.js';
import { fail } from '../../domain/errors.js';
import type { Answer } from '../../kit/http/answer.js';
import type { KeyAccess, RequestContext } from '../../kit/http/route.js';
import { declare } from './declare.js';
import type { SubjectParts } from './parts.js';
import type { AgentBody } from './schemas.js';
import { agentOf } from './shown.js';

type Agent = Extract<Declared, { subjectType: 'AGENT' }>;

/** POST /agents: the declaration stands as a whole, so what a later one leaves out is declared no more. */
export function registerAgent(
  parts: SubjectParts,
  context: RequestContext<KeyAccess, z.output<typeof AgentBody>, undefined, undefined>,
): Promise<Answer> {
  const { userId, name, description, platformIsOperator, operator } = context.body;
  const named = {
    name: operator?.name ?? null,
    homepage: operator?.homepage ?? null,
    did: operator?.did ?? null,
  };
  const isOwn = platformIsOperator ?? true;
  if (!isOwn && !isDeclared(named)) fail('OPERATOR_NOT_DECLARED');
  const facts = { name: name ?? null, description: description ?? null, operator: named };
  return declare<Agent>(parts, context, {
    userId,
    declared: { subjectType: 'AGENT', facts },
    isOwn,
    taken: 'This id has the record of a person or a business already, and cannot become an agent.',
    shown: agentOf,
  });
}
