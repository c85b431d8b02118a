import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { type Answer, ok } from '../../../kit/http/answer.js';
import type { KeyAccess, RequestContext } from '../../../kit/http/route.js';
import { lockSubject } from '../watchedSubject.js';
import { ownerOfKey } from '../watchOwner.js';
import type { PolicyDeps } from './deps.js';
import { assertPolicyLimit, lockPolicyOrFail, recordPolicyActivity } from './lockPolicy.js';
import type { PolicyChanges, policyPath } from './schemas.js';
import { type Policy, savePolicy } from './store.js';

type Changes = z.output<typeof PolicyChanges>;

/** PATCH /policies/{id}. A body that changes nothing writes nothing. */
export async function updatePolicy(
  deps: PolicyDeps,
  { caller, params, body }: RequestContext<KeyAccess, Changes, undefined, z.output<typeof policyPath>>,
): Promise<Answer> {
  const owner = ownerOfKey(caller);
  const policy = await deps.db.transaction(async (tx) => {
    const before = await lockPolicyOrFail(tx, owner, params.id);
    const now = deps.clock.now();
    const after: Policy = { ...before, ...given(body), updatedAt: now };
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
  return ok(policy);
}

const CHANGEABLE = ['name', 'condition', 'userId', 'isActive'] as const;

/** Without the fields that were left out, which would overwrite what stands. */
function given(body: Changes): Partial<Policy> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}
