import { type Answer, ok } from '../../../kit/http/answer.js';
import type { KeyAccess, RequestContext } from '../../../kit/http/route.js';
import type { PlatformDeps } from './deps.js';
import { findKeys } from './keyStore.js';
import { isVisible } from './lockKeys.js';

/** GET /platform/keys: the platform's keys; to a test key, its test keys. */
export async function listOwnKeys(
  { db, keyUses }: Pick<PlatformDeps, 'db' | 'keyUses'>,
  { caller }: RequestContext<KeyAccess, undefined, undefined, undefined>,
): Promise<Answer> {
  await keyUses.flush();
  const keys = await findKeys(db, caller.platformId);
  return ok({ keys: keys.filter((key) => isVisible(key, caller)) });
}
