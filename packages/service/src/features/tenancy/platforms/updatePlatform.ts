import type { z } from 'zod';
import { type Answer, ok } from '../../../kit/http/answer.js';
import type { OperatorAccess, RequestContext } from '../../../kit/http/route.js';
import { failUnknownPlatform, type platformPath } from '../../../ledger/requests/knownPlatform.js';
import { changePlatform } from './changePlatform.js';
import { type PlatformDeps, platformIdOf } from './deps.js';
import type { PlatformChanges } from './schemas.js';
import { lockPlatform } from './store.js';

type Changes = z.output<typeof PlatformChanges>;

/**
 * PATCH /admin/platforms/{id}: what the operator alone decides of a platform. A new trust tier weighs on events reported
 * from now on; those in the ledger keep theirs. A body that changes nothing writes nothing.
 */
export async function updatePlatform(
  deps: PlatformDeps,
  { body, params }: RequestContext<OperatorAccess, Changes, undefined, z.output<typeof platformPath>>,
): Promise<Answer> {
  const platformId = platformIdOf(params);
  const platform = await deps.db.transaction(async (tx) => {
    const before = (await lockPlatform(tx, platformId)) ?? failUnknownPlatform();
    return changePlatform(tx, deps, before, body, 'operator');
  });
  deps.forgetKeys();
  return ok(platform);
}
