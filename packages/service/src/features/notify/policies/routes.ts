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
      summary: 'Create a policy',
      description:
        'From the next change of a score on, `policy.threshold_crossed` is sent once for each crossing, with the evidence and ' +
        'never with a decision. A subject without a score counts as being at the baseline: 20, `Unproven`, no verified event, ' +
        'no components. A component that is null before or after a change crosses nothing. The plan caps the active policies of ' +
        'each mode.',
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
      description: 'Your policies in the mode of the key, newest first, including inactive ones.',
      query: PolicyQuery,
      answers: { 200: PolicyPage },
      handle: async ({ owner, query }) => ok(await listPolicies(deps.db, owner, query)),
    }),
    'GET /policies/{id}': route({
      operationId: 'readPolicy',
      ...onOne,
      summary: 'Read a policy',
      description:
        'Its condition, whether it watches one subject or all of yours, and whether it is active. A policy only reports: it ' +
        'never decides and never changes a score.',
      answers: { 200: Policy },
      handle: async ({ owner, params }) => ok(await readPolicy(deps.db, owner, params.id)),
    }),
    'PATCH /policies/{id}': route({
      operationId: 'updatePolicy',
      ...onOne,
      summary: 'Change, enable or disable a policy',
      description:
        'Fields left out stay as they are; a `condition` is replaced as a whole. The change applies from the next change of a ' +
        'score on: a subject that already meets the condition does not fire. An enabled policy counts against the cap of the ' +
        'plan (409 `POLICY_LIMIT_REACHED`).',
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
        "Nothing is sent for it any more, and it stops counting against the plan's cap. To pause it, set `isActive` to false " +
        'instead.',
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
        'Lists the subjects that meet the condition now, and those that would have crossed it in the last 90 days. Writes ' +
        'nothing. By default (`by: "outcome"`) each outcome counts from the UTC day on which it happened: a replay compares the ' +
        'figures at the end of each day with those of the day before. With `by: "recorded"` the published scores are compared. Of ' +
        'those, changes by time alone are thinned to one a month after 30 days. So an older crossing can have a later date, or be ' +
        'missing if the score came back within the month. Whether a subject meets the condition now is always read from its ' +
        'published score.',
      body: PreviewBody,
      answers: { 200: PolicyPreview },
      errors: ['USER_NOT_FOUND'],
      handle: async ({ owner, body }) => ok(await previewPolicy(deps, owner, body)),
    }),
  };
}
