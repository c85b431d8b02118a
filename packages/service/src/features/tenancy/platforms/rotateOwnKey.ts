import type { z } from 'zod';
import { type Answer, created } from '../../../kit/http/answer.js';
import type { KeyAccess, RequestContext } from '../../../kit/http/route.js';
import { type PlatformDeps, settingsOf } from './deps.js';
import type { ownKeyPath, RotationBody } from './keySchemas.js';
import { assertNotReplaced, assertWithinCeiling } from './keyTerms.js';
import { lockKeysOrFail } from './lockKeys.js';
import { DEFAULT_GRACE_HOURS, replaceKey } from './replaceKey.js';

type Context = RequestContext<
  KeyAccess,
  z.output<typeof RotationBody>,
  undefined,
  z.output<typeof ownKeyPath>
>;

/** POST /platform/keys/{keyId}/rotate. Whoever rotates a key holds its successor, so the ceiling counts here as well. */
export async function rotateOwnKey(
  { clock, ids, withIdempotency, forgetKeys, outbox }: PlatformDeps,
  { caller, body, params, claim }: Context,
): Promise<Answer> {
  const { graceHours = DEFAULT_GRACE_HOURS } = body;
  const now = clock.now();
  const answer = await withIdempotency(claim, { now, isSecret: true }, async (tx) => {
    const platform = await settingsOf(tx, caller.platformId);
    const { own, target } = await lockKeysOrFail(tx, now, caller, params.keyId);
    assertNotReplaced(own);
    assertWithinCeiling(own, target);
    return created(await replaceKey(tx, ids, now, { platform, own, previous: target, graceHours }));
  });
  forgetKeys();
  outbox.written();
  return answer;
}
