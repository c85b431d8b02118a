import type { z } from 'zod';
import { type Answer, created } from '../../../kit/http/answer.js';
import type { KeyAccess, RequestContext } from '../../../kit/http/route.js';
import { lockSubject } from '../watchedSubject.js';
import { ownerOfKey } from '../watchOwner.js';
import type { PolicyDeps } from './deps.js';
import { assertPolicyLimit, recordPolicyActivity } from './lockPolicy.js';
import type { PolicyBody } from './schemas.js';
import { insertPolicy, type Policy } from './store.js';

type Context = RequestContext<KeyAccess, z.output<typeof PolicyBody>, undefined, undefined>;

/** POST /policies: it sees moves from the next one on; who stands past it by now has crossed it before. */
export function createPolicy(deps: PolicyDeps, { caller, body, claim }: Context): Promise<Answer> {
  const owner = ownerOfKey(caller);
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
