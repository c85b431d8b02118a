import { userPath } from '../../../domain/externalId.js';
import { keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import type { SubjectDeps } from './deps.js';
import { readAgent } from './readAgent.js';
import { readBusiness, readBusinessRecord } from './readBusiness.js';
import { registerAgent } from './registerAgent.js';
import { registerBusiness } from './registerBusiness.js';
import {
  Agent,
  AgentBody,
  AgentRegistered,
  Business,
  BusinessBody,
  BusinessRecord,
  BusinessRegistered,
} from './schemas.js';

const DECLARING =
  'What a later declaration leaves out keeps its value, and null takes it back. Declarations are kept: each outcome is judged by the ' +
  'one in force when it was reported, and a change is an entry of the activity log.';

/** Subjects that are no persons (RULES S19). A label and who answers for them; their score follows from the same formula. */
export function subjectRoutes(deps: SubjectDeps): RouteTable {
  const common = { access: keyFor('scores'), tag: 'Agents and businesses' };
  return {
    'POST /agents': route({
      operationId: 'registerAgent',
      ...common,
      summary: 'Register an agent, or change its declaration',
      description: `${DECLARING} 409 \`CONFLICT\` where the id has the record of a person or a business already.`,
      plan: 'agents',
      idempotent: true,
      body: AgentBody,
      answers: { 201: AgentRegistered },
      errors: ['OPERATOR_NOT_DECLARED', 'RESERVED_EXTERNAL_ID', 'CONFLICT'],
      handle: (context) => registerAgent(deps, context),
    }),
    'GET /agents/{id}': route({
      operationId: 'readAgent',
      ...common,
      summary: 'Read an agent, its score and its deliveries',
      description:
        'A delivery counts as confirmed only where another party than the agent, its operator and your platform confirmed it, or you ' +
        'reported one of an agent that you do not run as verified.',
      params: userPath,
      answers: { 200: Agent },
      errors: ['NOT_FOUND'],
      handle: (context) => readAgent(deps, context),
    }),
    'POST /businesses': route({
      operationId: 'registerBusiness',
      ...common,
      summary: 'Register a business, or change its declaration',
      description: `${DECLARING} 409 \`CONFLICT\` where the id has the record of a person or an agent already.`,
      idempotent: true,
      body: BusinessBody,
      answers: { 201: BusinessRegistered },
      errors: ['BUSINESS_IDENTITY_NOT_DECLARED', 'RESERVED_EXTERNAL_ID', 'CONFLICT'],
      handle: (context) => registerBusiness(deps, context),
    }),
    'GET /businesses/{id}': route({
      operationId: 'readBusiness',
      ...common,
      summary: 'Read a business and its score',
      description:
        'The declared identity of the business and its score. The figures are null until its first event is ' +
        'scored. 404 `NOT_FOUND` for an id that is not registered as a business.',
      params: userPath,
      answers: { 200: Business },
      errors: ['NOT_FOUND'],
      handle: (context) => readBusiness(deps, context),
    }),
    'GET /businesses/{id}/record': route({
      operationId: 'readBusinessRecord',
      ...common,
      summary: 'Read what is recorded of a business',
      description:
        'Where the business is linked across platforms, that of all of them. `confirmedOutcomes` is the only number that is evidence.',
      params: userPath,
      answers: { 200: BusinessRecord },
      errors: ['NOT_FOUND'],
      handle: (context) => readBusinessRecord(deps, context),
    }),
  };
}
