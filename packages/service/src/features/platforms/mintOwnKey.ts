import type { z } from 'zod';
import { fail } from '../../domain/errors.js';
import { type Answer, created } from '../../kit/http/answer.js';
import type { KeyAccess, KeyCaller, RequestContext } from '../../kit/http/route.js';
import { addKey, endAfter, newKey } from './addKey.js';
import { assertWithinCeiling, holdOwnKey } from './heldKeys.js';
import type { OwnKeyBody } from './keySchemas.js';
import type { PlatformParts } from './parts.js';

/** POST /platform/keys: one more key, at or below what the key in use may do itself (INTERFACE 4.7, 5.4). */
export function mintOwnKey(
  { clock, ids, once }: PlatformParts,
  { caller, body, claim }: RequestContext<KeyAccess, z.output<typeof OwnKeyBody>, undefined, undefined>,
): Promise<Answer> {
  const { label = null, expiresInDays } = body;
  const isTest = modeFor(caller, body.isTest);
  const now = clock.now();
  return once.run(claim, { now, isSecret: true }, async (tx) => {
    const own = await holdOwnKey(tx, now, caller);
    const scopes = [...new Set(body.scopes ?? own.scopes)];
    assertWithinCeiling(own.scopes, scopes);
    const key = newKey(isTest ? 'test' : 'live');
    const stored = await addKey(tx, ids, now, {
      platformId: caller.platformId,
      key,
      label,
      scopes,
      isTest,
      expiresAt: endAfter(now, expiresInDays),
      actor: `key:${caller.keyId}`,
    });
    return created({ ...stored, key });
  });
}

function modeFor(caller: KeyCaller, wanted = !caller.livemode): boolean {
  if (caller.livemode || wanted) return wanted;
  return fail('TEST_MODE_NOT_ALLOWED', { message: 'A test key mints test keys only.' });
}
