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

/** Threshold policies. */
export function policyRoutes(deps: PolicyDeps): RouteTable {
  const own = { access: keyFor('webhooks'), tag: 'Policies' };
  const onOne = { ...own, params: policyPath, errors: ['NOT_FOUND'] } as const;
  return {
    'POST /policies': route({
      operationId: 'createPolicy',
      ...own,
      summary: 'Create a policy',
      description:
        'From the next move of a score on, `policy.threshold_crossed` is told once for each crossing, with the evidence: never ' +
        'with a decision. A subject without a score stands at the baseline: 20, `Unproven`, no verified event, no components. ' +
        'The plan caps active policies, for each mode apart.',
      idempotent: true,
      body: PolicyBody,
      answers: { 201: Policy },
      errors: ['USER_NOT_FOUND', 'POLICY_LIMIT_REACHED'],
      handle: ({ owner, body, claim }) => createPolicy(deps, owner, body, claim),
    }),
    'GET /policies': route({
      operationId: 'listPolicies',
      ...own,
      summary: 'List policies',
      description:
        'Your policies in the mode of the key, newest first, those that are switched off included.',
      query: PolicyQuery,
      answers: { 200: PolicyPage },
      handle: async ({ owner, query }) => ok(await listPolicies(deps.db, owner, query)),
    }),
    'GET /policies/{id}': route({
      operationId: 'readPolicy',
      ...onOne,
      summary: 'Read a policy',
      description:
        'Its condition, whether it watches one subject or all of yours, and whether it is active. A policy only ' +
        'reports: it never decides and moves no score.',
      answers: { 200: Policy },
      handle: async ({ owner, params }) => ok(await readPolicy(deps.db, owner, params.id)),
    }),
    'PATCH /policies/{id}': route({
      operationId: 'updatePolicy',
      ...onOne,
      summary: 'Change a policy, switch it off or on again',
      description:
        'Fields left out stay as they are; a `condition` is replaced as a whole. Holds from the next move of a ' +
        "score on: what already meets the condition does not fire. Switching on counts against the plan's cap " +
        '(409 `POLICY_LIMIT_REACHED`).',
      body: PolicyChanges,
      answers: { 200: Policy },
      errors: ['NOT_FOUND', 'USER_NOT_FOUND', 'POLICY_LIMIT_REACHED'],
      handle: async ({ owner, params, body }) => ok(await updatePolicy(deps, owner, params.id, body)),
    }),
    'DELETE /policies/{id}': route({
      operationId: 'deletePolicy',
      ...onOne,
      summary: 'Delete a policy',
      description:
        "Nothing is sent for it any more, and it stops counting against the plan's cap. To stop it for a while, " +
        'set `isActive` to false instead.',
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
      summary: 'Try a condition on the history',
      description:
        'Who stands past it now, and who would have crossed it in the last 90 days. Writes nothing. Steps by time alone are ' +
        'kept one a month after 30 days, so a crossing among the older ones may carry a later date, or be missing where the ' +
        'score came back before the month was over.',
      body: PreviewBody,
      answers: { 200: PolicyPreview },
      errors: ['USER_NOT_FOUND'],
      handle: (context) => previewPolicy(deps, context),
    }),
  };
}
