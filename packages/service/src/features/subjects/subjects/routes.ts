import { userPath } from '../../../domain/externalId.js';
import { ok } from '../../../kit/http/answer.js';
import { keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import type { LoadOutcomes } from '../../../ledger/profile/outcomeRecords.js';
import { subjectOf } from '../../../ledger/requests/addressedSubject.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { readAgent, registerAgent } from './agents.js';
import { readBusiness, readBusinessRecord, registerBusiness } from './businesses.js';
import {
  Agent,
  AgentBody,
  AgentRegistered,
  Business,
  BusinessBody,
  BusinessRecord,
  BusinessRegistered,
} from './schemas.js';

type SubjectDeps = Pick<ServiceDeps, 'db' | 'clock' | 'ids' | 'withIdempotency'> & {
  loadOutcomes: LoadOutcomes;
};

const DECLARING =
  'A field left out of a later declaration keeps its value; null clears it. The service keeps every declaration: each outcome is ' +
  'judged by the one in force when it was reported. Each change is an entry of the activity log.';

/**
 * Agents and businesses (RULES S19): a declaration of who answers for the subject. The score
 * formula is the same.
 */
export function subjectRoutes(deps: SubjectDeps): RouteTable {
  const common = { access: keyFor('scores'), tag: 'Agents and businesses' };
  return {
    'POST /agents': route({
      operationId: 'registerAgent',
      ...common,
      summary: 'Register an agent, or change its declaration',
      description: `${DECLARING} 409 \`CONFLICT\` if the id belongs to a person or a business.`,
      plan: 'agents',
      idempotent: true,
      body: AgentBody,
      answers: { 201: AgentRegistered },
      errors: ['OPERATOR_NOT_DECLARED', 'RESERVED_EXTERNAL_ID', 'CONFLICT'],
      handle: ({ owner, body, claim }) => registerAgent(deps, owner, body, claim),
    }),
    'GET /agents/{id}': route({
      operationId: 'readAgent',
      ...common,
      params: userPath,
      answers: { 200: Agent },
      errors: ['NOT_FOUND'],
      handle: async (context) => ok(await readAgent(deps, subjectOf(context))),
    }),
    'POST /businesses': route({
      operationId: 'registerBusiness',
      ...common,
      summary: 'Register a business, or change its declaration',
      description: `${DECLARING} 409 \`CONFLICT\` if the id belongs to a person or an agent.`,
      idempotent: true,
      body: BusinessBody,
      answers: { 201: BusinessRegistered },
      errors: ['BUSINESS_IDENTITY_NOT_DECLARED', 'RESERVED_EXTERNAL_ID', 'CONFLICT'],
      handle: ({ owner, body, claim }) => registerBusiness(deps, owner, body, claim),
    }),
    'GET /businesses/{id}': route({
      operationId: 'readBusiness',
      ...common,
      params: userPath,
      answers: { 200: Business },
      errors: ['NOT_FOUND'],
      handle: async (context) => ok(await readBusiness(deps.db, subjectOf(context))),
    }),
    'GET /businesses/{id}/record': route({
      operationId: 'readBusinessRecord',
      ...common,
      params: userPath,
      answers: { 200: BusinessRecord },
      errors: ['NOT_FOUND'],
      handle: async (context) => ok(await readBusinessRecord(deps.loadOutcomes, subjectOf(context))),
    }),
  };
}
