import type { z } from 'zod';
import { type AgentFacts, type BusinessFacts, changed, type Declared } from '#domain/declaredSubject.js';
import { fail } from '#domain/errors.js';
import { userPath } from '#domain/externalId.js';
import type { Queryable } from '#kit/db/database.js';
import { ok, type TypedAnswer } from '#kit/http/answer.js';
import { type IdempotencyClaim, keyFor, type Owner, type RouteTable, route } from '#kit/http/route.js';
import type { LoadOutcomes } from '#ledger/profile/outcomeRecords.js';
import { subjectOf } from '#ledger/requests/addressedSubject.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { type DeclareDeps, type DeclaredRow, declare, findDeclared, findScore } from './declare.js';
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
    toResponse: toAgent,
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
  return { ...toAgent(row), score, deliveryRecord: outcomes.record.deliveries };
}

function toAgent({ externalId, facts, isOwn, ...times }: DeclaredRow<AgentFacts>): AgentRegistered {
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

type DeclaredBusiness = Extract<Declared, { subjectType: 'ORGANIZATION' }>;

const NO_IDENTITY: BusinessFacts = { legalName: null, tradingName: null, homepage: null, did: null };

/** POST /businesses. At least one identity has to be declared. */
export function registerBusiness(
  deps: DeclareDeps,
  owner: Owner,
  body: z.output<typeof BusinessBody>,
  claim: IdempotencyClaim | null,
): Promise<TypedAnswer<201, BusinessRegistered>> {
  const { userId, business, platformIsController } = body;
  return declare<DeclaredBusiness, BusinessRegistered>(deps, owner, claim, {
    userId,
    subjectType: 'ORGANIZATION',
    ownFlag: 'platformIsController',
    declared(before) {
      const { facts, isOwn } = before ?? { facts: NO_IDENTITY, isOwn: false };
      const identity = business === null ? NO_IDENTITY : changed(facts, business ?? {});
      if (Object.values(identity).every((value) => value === null)) fail('BUSINESS_IDENTITY_NOT_DECLARED');
      return { facts: identity, isOwn: platformIsController ?? isOwn };
    },
    taken: 'This id belongs to a person or an agent, and cannot become a business.',
    toResponse: toBusiness,
  });
}

/** GET /businesses/{id}. Throws NOT_FOUND. */
export async function readBusiness(db: Queryable, subjectId: string): Promise<Business> {
  const row = await findDeclared<DeclaredBusiness>(db, subjectId, 'ORGANIZATION');
  if (!row) return failUnknownBusiness();
  return { ...toBusiness(row), score: await findScore(db, subjectId) };
}

/** GET /businesses/{id}/record. Throws NOT_FOUND. */
export async function readBusinessRecord(
  loadOutcomes: LoadOutcomes,
  subjectId: string,
): Promise<BusinessRecord> {
  const outcomes = await loadOutcomes(subjectId);
  if (outcomes?.subjectType !== 'ORGANIZATION') return failUnknownBusiness();
  const { externalId, record, asOf } = outcomes;
  return { userId: externalId, ...record.business, asOf };
}

function failUnknownBusiness(): never {
  return fail('NOT_FOUND', { message: 'No business with this id is registered.' });
}

function toBusiness({ externalId, facts, isOwn, ...times }: DeclaredRow<BusinessFacts>): BusinessRegistered {
  return {
    userId: externalId,
    subjectType: 'ORGANIZATION',
    business: facts,
    platformIsController: isOwn,
    ...times,
  };
}
