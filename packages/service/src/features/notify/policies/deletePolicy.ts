import type { z } from 'zod';
import type { Answer } from '../../../kit/http/answer.js';
import type { KeyAccess, RequestContext } from '../../../kit/http/route.js';
import { ownerOfKey } from '../watchOwner.js';
import type { PolicyDeps } from './deps.js';
import { lockPolicyOrFail, recordPolicyActivity } from './lockPolicy.js';
import type { policyPath } from './schemas.js';
import { deletePolicyRow } from './store.js';

/** DELETE /policies/{id}: what it has told stays told. */
export async function deletePolicy(
  deps: PolicyDeps,
  { caller, params }: RequestContext<KeyAccess, undefined, undefined, z.output<typeof policyPath>>,
): Promise<Answer> {
  const owner = ownerOfKey(caller);
  await deps.db.transaction(async (tx) => {
    const policy = await lockPolicyOrFail(tx, owner, params.id);
    await deletePolicyRow(tx, policy.id);
    const details = { name: policy.name, condition: policy.condition };
    await recordPolicyActivity(tx, deps, owner, policy, {
      action: 'POLICY_DELETED',
      details,
      at: deps.clock.now(),
    });
  });
  return { status: 204, body: null };
}
