import type { z } from 'zod';
import { fail } from '../../../domain/errors.js';
import { type Answer, ok } from '../../../kit/http/answer.js';
import type { KeyAccess, RequestContext } from '../../../kit/http/route.js';
import { failUnknownPlatform } from '../../../ledger/requests/knownPlatform.js';
import { changePlatform } from './changePlatform.js';
import type { PlatformDeps } from './deps.js';
import { lockOwnKey } from './lockKeys.js';
import { ownPlatform } from './readOwnPlatform.js';
import type { OwnPlatformChanges } from './schemas.js';
import { lockPlatform } from './store.js';

/**
 * PATCH /platform: what a platform decides for itself. It holds for both modes, so test keys, which are handed to people who are not
 * trusted with live data, cannot change it.
 */
export async function updateOwnPlatform(
  deps: PlatformDeps,
  { caller, body }: RequestContext<KeyAccess, z.output<typeof OwnPlatformChanges>, undefined, undefined>,
): Promise<Answer> {
  if (!caller.livemode) {
    fail('TEST_MODE_NOT_ALLOWED', {
      message: 'These settings hold for live keys too, so a test key cannot change them. Use a live key.',
    });
  }
  const { maxKeyLifetimeDays, confirmationsRequireWrite } = await deps.db.transaction(async (tx) => {
    const before = (await lockPlatform(tx, caller.platformId)) ?? failUnknownPlatform();
    await lockOwnKey(tx, deps.clock.now(), caller);
    return changePlatform(tx, deps, before, body, `key:${caller.keyId}`);
  });
  deps.forgetKeys();
  return ok(ownPlatform({ ...caller, maxKeyLifetimeDays, confirmationsRequireWrite }));
}
