import { noContent, ok } from '../../../kit/http/answer.js';
import { keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import { createPolicy, deletePolicy, type PolicyDeps, updatePolicy } from './changePolicies.js';
import { previewPolicy } from './previewPolicy.js';
import {
  Policy,
  PolicyBody,
  PolicyChanges,
  PolicyPage,
  PolicyPreview,
  PolicyQuery,
  PreviewBody,
  policyPath,
} from './schemas.js';
import { listPolicies, readPolicy } from './store.js';

export function policyRoutes(deps: PolicyDeps): RouteTable {
  const own = { access: keyFor('webhooks'), tag: 'Policies' };
  const onOne = { ...own, params: policyPath, errors: ['NOT_FOUND'] } as const;
  return {
    'POST /policies': route({
      operationId: 'createPolicy',
      ...own,
      idempotent: true,
      body: PolicyBody,
      answers: { 201: Policy },
      errors: ['USER_NOT_FOUND', 'POLICY_LIMIT_REACHED'],
      handle: ({ owner, body, claim }) => createPolicy(deps, owner, body, claim),
    }),
    'GET /policies': route({
      operationId: 'listPolicies',
      ...own,
      query: PolicyQuery,
      answers: { 200: PolicyPage },
      handle: async ({ owner, query }) => ok(await listPolicies(deps.db, owner, query)),
    }),
    'GET /policies/{id}': route({
      operationId: 'readPolicy',
      ...onOne,
      answers: { 200: Policy },
      handle: async ({ owner, params }) => ok(await readPolicy(deps.db, owner, params.id)),
    }),
    'PATCH /policies/{id}': route({
      operationId: 'updatePolicy',
      ...onOne,
      body: PolicyChanges,
      answers: { 200: Policy },
      errors: ['NOT_FOUND', 'USER_NOT_FOUND', 'POLICY_LIMIT_REACHED'],
      handle: async ({ owner, params, body }) => ok(await updatePolicy(deps, owner, params.id, body)),
    }),
    'DELETE /policies/{id}': route({
      operationId: 'deletePolicy',
      ...onOne,
      answers: { 204: null },
      async handle({ owner, params }) {
        await deletePolicy(deps, owner, params.id);
        return noContent();
      },
    }),
    'POST /policies/preview': route({
      operationId: 'previewPolicy',
      ...own,
      access: keyFor('webhooks', 'either'),
      body: PreviewBody,
      answers: { 200: PolicyPreview },
      errors: ['USER_NOT_FOUND'],
      handle: async ({ owner, body }) => ok(await previewPolicy(deps, owner, body)),
    }),
  };
}
