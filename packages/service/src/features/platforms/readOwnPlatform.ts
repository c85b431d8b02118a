import { scopeCatalogue } from '../../domain/scopes.js';
import { type Answer, ok } from '../../kit/http/answer.js';
import type { KeyAccess, RequestContext } from '../../kit/http/route.js';

/** GET /platform: the platform behind the key in use, and what that key may do (INTERFACE 4.7). */
export function readOwnPlatform({
  caller,
}: RequestContext<KeyAccess, undefined, undefined, undefined>): Answer {
  return ok({
    id: caller.platformId,
    name: caller.platformName,
    tier: caller.plan,
    trustTier: caller.trustTier,
    rateLimitPerMinute: caller.rateLimitPerMinute,
    mode: caller.livemode ? 'live' : 'test',
    scopes: caller.scopes,
    keyId: caller.keyId,
    scopeCatalogue,
  });
}
