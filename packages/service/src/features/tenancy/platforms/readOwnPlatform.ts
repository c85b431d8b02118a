import { scopeCatalogue } from '../../../domain/scopes.js';
import { type Answer, ok } from '../../../kit/http/answer.js';
import type { KeyAccess, KeyCaller, RequestContext } from '../../../kit/http/route.js';

/** GET /platform: the platform behind the key in use, and what that key may do. */
export function readOwnPlatform({
  caller,
}: RequestContext<KeyAccess, undefined, undefined, undefined>): Answer {
  return ok(ownPlatform(caller));
}

/** The platform as one of its keys reads it. */
export function ownPlatform(caller: KeyCaller): object {
  return {
    id: caller.platformId,
    name: caller.platformName,
    tier: caller.plan,
    trustTier: caller.trustTier,
    rateLimitPerMinute: caller.rateLimitPerMinute,
    maxKeyLifetimeDays: caller.maxKeyLifetimeDays,
    confirmationsRequireWrite: caller.confirmationsRequireWrite,
    mode: caller.livemode ? 'live' : 'test',
    scopes: caller.scopes,
    keyId: caller.keyId,
    scopeCatalogue,
  };
}
