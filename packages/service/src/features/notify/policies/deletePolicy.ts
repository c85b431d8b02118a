import type { z } from 'zod';
import type { Answer } from '../../../kit/http/answer.js';
import type { KeyAccess, RequestContext } from '../../../kit/http/route.js';
import { ownerOfKey } from '../watchOwner.js';
import { holdPolicy, recordPolicyActivity } from './heldPolicy.js';
import type { PolicyParts } from './parts.js';
import type { policyPath } from './schemas.js';
import { deletePolicyRow } from './store.js';

/** DELETE /policies/{id}: what it has told stays told. */
export async function deletePolicy(
  parts: PolicyParts,
  { caller, params }: RequestContext<KeyAccess, undefined, undefined, z.output<typeof policyPath>>,
): Promise<Answer> {
  const owner = ownerOfKey(caller);
  await parts.db.transaction(async (tx) => {
    const policy = await holdPolicy(tx, owner, params.id);
    await deletePolicyRow(tx, policy.id);
    const details = { name: policy.name, condition: policy.condition };
    await recordPolicyActivity(tx, parts, owner, policy, {
      action: 'POLICY_DELETED',
      details,
      at: parts.clock.now(),
    });
  });
  return { status: 204, body: null };
}
