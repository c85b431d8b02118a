import type { z } from 'zod';
import { type Answer, created } from '../../../kit/http/answer.js';
import type { OperatorAccess, RequestContext } from '../../../kit/http/route.js';
import { type PlatformDeps, platformIdOf, settingsOf } from './deps.js';
import type { platformKeyPath, RotationBody } from './keySchemas.js';
import { lockKey } from './lockKeys.js';
import { DEFAULT_GRACE_HOURS, replaceKey } from './replaceKey.js';

type Context = RequestContext<
  OperatorAccess,
  z.output<typeof RotationBody>,
  undefined,
  z.output<typeof platformKeyPath>
>;

/** POST /admin/platforms/{id}/keys/{keyId}/rotate: as the platform's own, for the operator. */
export async function rotateKey(
  { clock, ids, withIdempotency, forgetKeys, outbox }: PlatformDeps,
  { body, params, claim }: Context,
): Promise<Answer> {
  const { graceHours = DEFAULT_GRACE_HOURS } = body;
  const now = clock.now();
  const answer = await withIdempotency(claim, { now, isSecret: true }, async (tx) => {
    const platform = await settingsOf(tx, platformIdOf(params));
    const previous = await lockKey(tx, platform.id, params.keyId);
    return created(await replaceKey(tx, ids, now, { platform, own: null, previous, graceHours }));
  });
  forgetKeys();
  outbox.written();
  return answer;
}
