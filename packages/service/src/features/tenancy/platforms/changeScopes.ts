import type { z } from 'zod';
import { type Answer, ok } from '../../../kit/http/answer.js';
import type { OperatorAccess, RequestContext } from '../../../kit/http/route.js';
import { recordActivity } from '../../../ledger/activity.js';
import { type PlatformDeps, platformOf } from './deps.js';
import type { platformKeyPath, ScopesBody } from './keySchemas.js';
import { announceKeyChange, saveKey } from './keyStore.js';
import { lockKey } from './lockKeys.js';

type Context = RequestContext<
  OperatorAccess,
  z.output<typeof ScopesBody>,
  undefined,
  z.output<typeof platformKeyPath>
>;

/** PATCH /admin/platforms/{id}/keys/{keyId}: what a key may do, replaced in place; everything else of it stays. */
export async function changeScopes(
  { db, clock, ids, forgetKeys }: PlatformDeps,
  { body, params }: Context,
): Promise<Answer> {
  const key = await db.transaction(async (tx) => {
    const { id: platformId } = await platformOf(tx, params);
    const before = await lockKey(tx, platformId, params.keyId);
    const after = { ...before, scopes: [...new Set(body.scopes)] };
    const now = clock.now();
    await saveKey(tx, platformId, after);
    await announceKeyChange(tx);
    await recordActivity(tx, {
      id: ids.at(now),
      platformId,
      livemode: !before.isTest,
      action: 'API_KEY_SCOPES_UPDATED',
      actor: 'operator',
      target: before.id,
      details: { from: before.scopes, to: after.scopes },
      at: now,
    });
    return after;
  });
  forgetKeys();
  return ok(key);
}
