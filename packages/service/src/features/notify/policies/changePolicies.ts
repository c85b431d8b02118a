import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { planOf } from '../../../domain/catalogues/plans.js';
import { fail } from '../../../domain/errors.js';
import type { Tx } from '../../../kit/db/database.js';
import { created, type TypedAnswer } from '../../../kit/http/answer.js';
import type { IdempotencyClaim, Owner } from '../../../kit/http/route.js';
import { type Activity, recordOwnerActivity } from '../../../ledger/activity.js';
import { subjectIdOf } from '../../../ledger/subjectId.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { lockCount, lockSubject } from '../store.js';
import type { Policy, PolicyBody, PolicyChanges } from './schemas.js';
import { deletePolicyRow, insertPolicy, lockPolicy, savePolicy } from './store.js';

export type PolicyDeps = Pick<ServiceDeps, 'config' | 'db' | 'clock' | 'ids' | 'withIdempotency'>;
type Changes = z.output<typeof PolicyChanges>;

/**
 * POST /policies. Only later score changes can trigger it; subjects past the threshold now crossed
 * it earlier.
 */
export function createPolicy(
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
    await insertPolicy(tx, owner, subjectId, policy);
    const details = { name, condition, isActive };
    await recordPolicyActivity(tx, deps, owner, policy, { action: 'POLICY_CREATED', details, at: now });
    return created(policy);
  });
}

/** PATCH /policies/{id}. A body that changes nothing writes nothing. */
export function updatePolicy(deps: PolicyDeps, owner: Owner, id: string, changes: Changes): Promise<Policy> {
  return deps.db.transaction(async (tx) => {
    const before = await lockPolicy(tx, owner, id);
    const now = deps.clock.now();
    const after: Policy = { ...before, ...given(changes), updatedAt: now };
    const changed = CHANGEABLE.filter((field) => !isDeepStrictEqual(before[field], after[field]));
    if (changed.length === 0) return before;
    const subjectId = after.userId === null ? null : await lockSubject(tx, owner, after.userId);
    if (after.isActive && !before.isActive) await assertPolicyLimit(tx, owner);
    await savePolicy(tx, subjectId, after);
    const details = Object.fromEntries(
      changed.map((field) => [field, { from: before[field], to: after[field] }]),
    );
    await recordPolicyActivity(tx, deps, owner, after, { action: 'POLICY_UPDATED', details, at: now });
    return after;
  });
}

const CHANGEABLE = ['name', 'condition', 'userId', 'isActive'] as const;

/** Removes the fields that were left out, so that they do not overwrite stored values. */
function given(body: Changes): Partial<Policy> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

/** DELETE /policies/{id}. The envelopes that it caused stay. */
export function deletePolicy(deps: PolicyDeps, owner: Owner, id: string): Promise<void> {
  return deps.db.transaction(async (tx) => {
    const policy = await lockPolicy(tx, owner, id);
    await deletePolicyRow(tx, policy.id);
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
