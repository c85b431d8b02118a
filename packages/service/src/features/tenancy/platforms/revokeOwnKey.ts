import type { z } from 'zod';
import { type Answer, ok } from '../../../kit/http/answer.js';
import type { KeyAccess, RequestContext } from '../../../kit/http/route.js';
import { recordActivities } from '../../../ledger/activity.js';
import type { PlatformDeps } from './deps.js';
import type { ownKeyPath, RevokeQuery } from './keySchemas.js';
import { announceKeyChange, findDescendants, lockKeys, saveKey } from './keyStore.js';
import { lockKeysOrFail } from './lockKeys.js';
import { lockPlatform } from './store.js';

type Context = RequestContext<
  KeyAccess,
  undefined,
  z.output<typeof RevokeQuery>,
  z.output<typeof ownKeyPath>
>;

/**
 * DELETE /platform/keys/{keyId}: the end of a key, the one in use among them, and with `cascade` of all that descend from it. A key that
 * is revoked stays so.
 */
export async function revokeOwnKey(
  { db, clock, ids, forgetKeys }: PlatformDeps,
  { caller, params, query }: Context,
): Promise<Answer> {
  const { platformId } = caller;
  const answer = await db.transaction(async (tx) => {
    const now = clock.now();
    // Keys are made under a share of this lock, so none of them can be made while the descendants are looked for.
    if (query.cascade) await lockPlatform(tx, platformId);
    const { target } = await lockKeysOrFail(tx, now, caller, params.keyId);
    const below = query.cascade
      ? await lockKeys(tx, platformId, await findDescendants(tx, platformId, target.id))
      : [];
    const revoked = [target, ...below.filter(({ id }) => id !== target.id)].filter(
      ({ isActive }) => isActive,
    );
    for (const key of revoked) await saveKey(tx, platformId, { ...key, isActive: false });
    if (revoked.length > 0) await announceKeyChange(tx);
    await recordActivities(
      tx,
      revoked.map(({ id, isTest }) => ({
        id: ids.at(now),
        platformId,
        livemode: !isTest,
        action: 'API_KEY_REVOKED' as const,
        actor: `key:${caller.keyId}`,
        target: id,
        ...(id !== target.id && { details: { cascadeFrom: target.id } }),
        at: now,
      })),
    );
    const alreadyRevoked = !target.isActive;
    const descendantsRevoked = revoked.length - (alreadyRevoked ? 0 : 1);
    return ok({ id: target.id, revoked: true, alreadyRevoked, descendantsRevoked });
  });
  forgetKeys();
  return answer;
}
