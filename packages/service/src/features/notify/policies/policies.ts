import type { z } from 'zod';
import { planOf } from '#domain/catalogues/plans.js';
import { fail } from '#domain/errors.js';
import type { Tx } from '#kit/db/database.js';
import { insertRow, pick, updateRow } from '#kit/db/rows.js';
import { created, noContent, ok, type TypedAnswer } from '#kit/http/answer.js';
import { type IdempotencyClaim, keyFor, type Owner, type RouteTable, route } from '#kit/http/route.js';
import { withoutUndefined } from '#kit/lists.js';
import { type Activity, differences, recordOwnerActivity } from '#ledger/activity.js';
import { ownedRows } from '#ledger/reads/ownedRows.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { lockCount, lockSubject } from '../store.js';
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

const stored = ownedRows<Policy>({
  table: 'policy',
  id: 'policy_id',
  columns: `policy_id as id, name, json_build_object('metric', metric, 'direction', direction,
      'threshold', threshold, 'component', component, 'band', band) as condition,
    external_id as user_id, is_active, created_at, updated_at`,
  join: 'left join subject using (subject_id)',
  missing: 'There is no policy with this id.',
});

function columnsOf(policy: Policy, subjectId: string | null) {
  return {
    ...pick(policy, 'name', 'isActive', 'updatedAt'),
    ...pick(policy.condition, 'metric', 'direction', 'threshold', 'component', 'band'),
    subjectId,
  };
}

type PolicyDeps = Pick<ServiceDeps, 'config' | 'db' | 'clock' | 'ids' | 'withIdempotency'>;
type Changes = z.output<typeof PolicyChanges>;

/**
 * POST /policies. Only later score changes can trigger it; subjects past the threshold now crossed
 * it earlier.
 */
function createPolicy(
  deps: PolicyDeps,
  owner: Owner,
  body: z.output<typeof PolicyBody>,
  claim: IdempotencyClaim | null,
): Promise<TypedAnswer<201, Policy>> {
  const now = deps.clock.now();
  return deps.withIdempotency(claim, { now }, async (tx) => {
    const { name, condition, userId = null, isActive = true } = body;
    const subjectId = userId === null ? null : await lockSubject(tx, owner, userId);
    if (isActive) await assertPolicyLimit(tx, owner);
    const id = deps.ids.at(now);
    const policy: Policy = { id, name, condition, userId, isActive, createdAt: now, updatedAt: now };
    const { platformId, livemode } = owner;
    const row = { platformId, livemode, policyId: id, createdAt: now, ...columnsOf(policy, subjectId) };
    await insertRow(tx, 'policy', row);
    const details = { name, condition, isActive };
    await recordPolicyActivity(tx, deps, owner, policy, { action: 'POLICY_CREATED', details, at: now });
    return created(policy);
  });
}

/** PATCH /policies/{id}. A body that changes nothing writes nothing. */
function updatePolicy(deps: PolicyDeps, owner: Owner, id: string, changes: Changes): Promise<Policy> {
  return deps.db.transaction(async (tx) => {
    const before = await stored.lock(tx, owner, id);
    const now = deps.clock.now();
    const after: Policy = { ...before, ...withoutUndefined(changes), updatedAt: now };
    const details = differences(before, after, CHANGEABLE);
    if (Object.keys(details).length === 0) return before;
    const subjectId = after.userId === null ? null : await lockSubject(tx, owner, after.userId);
    if (after.isActive && !before.isActive) await assertPolicyLimit(tx, owner);
    await updateRow(tx, 'policy', { policyId: id }, columnsOf(after, subjectId));
    await recordPolicyActivity(tx, deps, owner, after, { action: 'POLICY_UPDATED', details, at: now });
    return after;
  });
}

const CHANGEABLE = ['name', 'condition', 'userId', 'isActive'] as const;

/** DELETE /policies/{id}. The envelopes that it caused stay. */
function deletePolicy(deps: PolicyDeps, owner: Owner, id: string): Promise<void> {
  return deps.db.transaction(async (tx) => {
    const policy = await stored.remove(tx, owner, id);
    const details = { name: policy.name, condition: policy.condition };
    await recordPolicyActivity(tx, deps, owner, policy, {
      action: 'POLICY_DELETED',
      details,
      at: deps.clock.now(),
    });
  });
}

/** Throws POLICY_LIMIT_REACHED if one more active policy exceeds the plan's cap. */
async function assertPolicyLimit(tx: Tx, owner: Owner): Promise<void> {
  const limit = planOf(owner.plan).limits.policies;
  if ((await lockCount(tx, 'policies', owner)) < limit) return;
  const mode = owner.livemode ? 'live' : 'test';
  fail('POLICY_LIMIT_REACHED', { details: { limit, tier: owner.plan, mode } });
}

/** Activity about a policy of one subject is also activity about that subject. */
function recordPolicyActivity(
  tx: Tx,
  { ids }: PolicyDeps,
  owner: Owner,
  { id, userId }: Policy,
  activity: Pick<Activity, 'action' | 'details' | 'at'>,
): Promise<void> {
  const { platformId, livemode } = owner;
  const subject = userId === null ? {} : { subjectId: subjectIdOf(platformId, livemode, userId) };
  return recordOwnerActivity(tx, ids, owner, { ...activity, ...subject, target: id });
}

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
      async handle({ owner, query }) {
        const { rows, nextCursor } = await stored.list(deps.db, owner, query);
        return ok({ policies: rows, nextCursor });
      },
    }),
    'GET /policies/{id}': route({
      operationId: 'readPolicy',
      ...onOne,
      answers: { 200: Policy },
      handle: async ({ owner, params }) => ok(await stored.read(deps.db, owner, params.id)),
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
