import type { z } from 'zod';
import { fail } from '../../../domain/errors.js';
import { type Answer, created } from '../../../kit/http/answer.js';
import type { KeyAccess, KeyCaller, RequestContext } from '../../../kit/http/route.js';
import { canonicalNetworks } from '../../../kit/networks.js';
import { addKey, newKey } from './addKey.js';
import { announceNewKey } from './announceKeys.js';
import { type PlatformDeps, settingsOf } from './deps.js';
import type { OwnKeyBody } from './keySchemas.js';
import { assertNotReplaced, assertWithinCeiling, endAfter, endOfKey, warningsOfScopes } from './keyTerms.js';
import { lockOwnKey } from './lockKeys.js';

/** POST /platform/keys: one more key, at or below what the key in use may do itself (RULES K4). */
export async function mintOwnKey(
  { clock, ids, withIdempotency, outbox }: PlatformDeps,
  { caller, body, claim }: RequestContext<KeyAccess, z.output<typeof OwnKeyBody>, undefined, undefined>,
): Promise<Answer> {
  const { label = null, expiresInDays } = body;
  const isTest = modeFor(caller, body.isTest);
  const now = clock.now();
  const answer = await withIdempotency(claim, { now, isSecret: true }, async (tx) => {
    const platform = await settingsOf(tx, caller.platformId);
    const own = await lockOwnKey(tx, now, caller);
    assertNotReplaced(own);
    const scopes = [...new Set(body.scopes ?? own.scopes)];
    const allowedCidrs = canonicalNetworks(body.allowedCidrs ?? own.allowedCidrs);
    assertWithinCeiling(own, { scopes, allowedCidrs });
    const asked = { expiresAt: endAfter(now, expiresInDays), isExplicit: expiresInDays !== undefined };
    const { expiresAt, warnings } = endOfKey(now, asked, own, platform);
    const key = newKey(isTest ? 'test' : 'live');
    const stored = await addKey(tx, ids, now, {
      platformId: caller.platformId,
      key,
      label,
      scopes,
      isTest,
      expiresAt,
      allowedCidrs,
      actor: `key:${caller.keyId}`,
    });
    await announceNewKey(tx, ids, platform.id, stored, null);
    return created({ ...stored, key, warnings: [...warnings, ...warningsOfScopes(scopes, platform)] });
  });
  outbox.written();
  return answer;
}

function modeFor(caller: KeyCaller, wanted = !caller.livemode): boolean {
  if (caller.livemode || wanted) return wanted;
  return fail('TEST_MODE_NOT_ALLOWED', { message: 'A test key mints test keys only.' });
}
