import type { z } from 'zod';
import { type Answer, created } from '../../../kit/http/answer.js';
import type { OperatorAccess, RequestContext } from '../../../kit/http/route.js';
import { newKey } from './addKey.js';
import { addPlatform } from './addPlatform.js';
import type { PlatformDeps } from './deps.js';
import type { PlatformBody } from './schemas.js';

/** POST /admin/platforms: a platform with its first live and test key. */
export function createPlatform(
  { clock, ids, withIdempotency }: PlatformDeps,
  { body, claim }: RequestContext<OperatorAccess, z.output<typeof PlatformBody>, undefined, undefined>,
): Promise<Answer> {
  const now = clock.now();
  const { name, trustTier = 'STARTER', plan = 'starter' } = body;
  return withIdempotency(claim, { now, isSecret: true }, async (tx) => {
    const keys = { live: newKey('live'), test: newKey('test') };
    const id = ids.at(now);
    return created(await addPlatform(tx, ids, now, { id, name, trustTier, plan, keys, actor: 'operator' }));
  });
}
