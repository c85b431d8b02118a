import { planOf } from '../../../domain/catalogues/plans.js';
import { fail } from '../../../domain/errors.js';
import type { Tx } from '../../../kit/db/database.js';
import { isUuid } from '../../../kit/ids.js';
import { type Activity, recordActivity } from '../../../ledger/activity.js';
import { subjectIdOf } from '../../../ledger/subjectId.js';
import { countActiveAlone } from '../activeCap.js';
import type { WatchOwner } from '../watchOwner.js';
import type { PolicyDeps } from './deps.js';
import { lockPolicy, type Policy } from './store.js';

/** The policy that a path names, held until the transaction ends. Throws NOT_FOUND. */
export async function lockPolicyOrFail(tx: Tx, owner: WatchOwner, id: string): Promise<Policy> {
  const policy = isUuid(id) ? await lockPolicy(tx, owner, id) : null;
  return policy ?? failUnknownPolicy();
}

export function failUnknownPolicy(): never {
  return fail('NOT_FOUND', { message: 'There is no policy with this id.' });
}

/** Throws POLICY_LIMIT_REACHED where one more active policy would pass the plan's cap. */
export async function assertPolicyLimit(tx: Tx, owner: WatchOwner): Promise<void> {
  const limit = planOf(owner.plan).limits.policies;
  if ((await countActiveAlone(tx, 'policy', owner)) < limit) return;
  const mode = owner.livemode ? 'live' : 'test';
  fail('POLICY_LIMIT_REACHED', { details: { limit, tier: owner.plan, mode } });
}

/** A line of the audit trail about a policy; about its subject too where it watches only one. */
export function recordPolicyActivity(
  tx: Tx,
  { ids }: PolicyDeps,
  owner: WatchOwner,
  { id, userId }: Policy,
  { action, details, at }: Pick<Activity, 'action' | 'details' | 'at'>,
): Promise<void> {
  const { platformId, livemode, actor } = owner;
  const subject = userId === null ? {} : { subjectId: subjectIdOf(platformId, livemode, userId) };
  return recordActivity(tx, {
    id: ids.at(at),
    platformId,
    livemode,
    action,
    actor,
    target: id,
    ...subject,
    details,
    at,
  });
}
