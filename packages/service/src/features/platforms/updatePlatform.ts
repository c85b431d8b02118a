import type { z } from 'zod';
import { type Answer, ok } from '../../kit/http/answer.js';
import type { OperatorAccess, RequestContext } from '../../kit/http/route.js';
import { recordActivity } from '../../ledger/activity.js';
import { failUnknownPlatform, type platformPath } from '../../ledger/knownPlatform.js';
import { announceKeyChange } from './keyStore.js';
import { type PlatformParts, platformIdOf } from './parts.js';
import type { PlatformChanges } from './schemas.js';
import { lockPlatform, type Platform, savePlatform } from './store.js';

type Changes = z.output<typeof PlatformChanges>;

/**
 * PATCH /admin/platforms/{id}: what the operator alone decides of a platform. A new trust tier weighs on events reported
 * from now on; those in the ledger keep theirs. A body that changes nothing writes nothing.
 */
export async function updatePlatform(
  { db, clock, ids, forgetKeys }: PlatformParts,
  { body, params }: RequestContext<OperatorAccess, Changes, undefined, z.output<typeof platformPath>>,
): Promise<Answer> {
  const platformId = platformIdOf(params);
  const platform = await db.transaction(async (tx) => {
    const before = (await lockPlatform(tx, platformId)) ?? failUnknownPlatform();
    const changed = changedFields(before, body);
    if (changed.length === 0) return before;
    const now = clock.now();
    const after: Platform = { ...before, ...given(body), updatedAt: now };
    await savePlatform(tx, after);
    await announceKeyChange(tx);
    await recordActivity(tx, {
      id: ids.at(now),
      platformId,
      livemode: true,
      action: 'PLATFORM_UPDATED',
      actor: 'operator',
      target: platformId,
      details: Object.fromEntries(changed.map((field) => [field, { from: before[field], to: after[field] }])),
      at: now,
    });
    return after;
  });
  forgetKeys();
  return ok(platform);
}

function changedFields(before: Platform, body: Changes): (keyof Changes)[] {
  return (Object.keys(given(body)) as (keyof Changes)[]).filter((field) => body[field] !== before[field]);
}

/** Without the fields that were left out, which would overwrite what stands. */
function given(body: Changes): Partial<Platform> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}
