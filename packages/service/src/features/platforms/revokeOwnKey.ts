import type { z } from 'zod';
import { type Answer, ok } from '../../kit/http/answer.js';
import type { KeyAccess, RequestContext } from '../../kit/http/route.js';
import { recordActivity } from '../../ledger/activity.js';
import { holdKeys } from './heldKeys.js';
import type { ownKeyPath } from './keySchemas.js';
import { announceKeyChange, saveKey } from './keyStore.js';
import type { PlatformParts } from './parts.js';

/** DELETE /platform/keys/{keyId}: the end of a key, the one in use among them. A key that is revoked stays so. */
export async function revokeOwnKey(
  { db, clock, ids, forgetKeys }: PlatformParts,
  { caller, params }: RequestContext<KeyAccess, undefined, undefined, z.output<typeof ownKeyPath>>,
): Promise<Answer> {
  const answer = await db.transaction(async (tx) => {
    const now = clock.now();
    const { target } = await holdKeys(tx, now, caller, params.keyId);
    const { id, isTest, isActive } = target;
    if (!isActive) return ok({ id, revoked: true, alreadyRevoked: true });
    await saveKey(tx, caller.platformId, { ...target, isActive: false });
    await announceKeyChange(tx);
    await recordActivity(tx, {
      id: ids.at(now),
      platformId: caller.platformId,
      livemode: !isTest,
      action: 'API_KEY_REVOKED',
      actor: `key:${caller.keyId}`,
      target: id,
      at: now,
    });
    return ok({ id, revoked: true, alreadyRevoked: false });
  });
  forgetKeys();
  return answer;
}
