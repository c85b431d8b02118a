import type { z } from 'zod';
import { type Answer, created } from '../../kit/http/answer.js';
import type { OperatorAccess, RequestContext } from '../../kit/http/route.js';
import { addKey, newKey } from './addKey.js';
import { type PlatformParts, platformOf } from './parts.js';
import type { KeyBody, platformPath } from './schemas.js';

type Path = z.output<typeof platformPath>;
type Body = z.output<typeof KeyBody>;
const DAY_MS = 24 * 60 * 60 * 1000;

/** POST /admin/platforms/{id}/keys: so that a platform which lost its last key is not lost itself. */
export async function mintKey(
  { clock, ids, once, forgetKeys }: PlatformParts,
  { body, params, claim }: RequestContext<OperatorAccess, Body, undefined, Path>,
): Promise<Answer> {
  const { label = null, scopes = [], isTest = false, expiresInDays } = body;
  const now = clock.now();
  const answer = await once.run(claim, { now, isSecret: true }, async (tx) => {
    const platform = await platformOf(tx, params);
    const key = newKey(isTest ? 'test' : 'live');
    const stored = await addKey(tx, ids, now, {
      platformId: platform.id,
      key,
      label,
      scopes: [...new Set(scopes)],
      isTest,
      expiresAt: expiresInDays ? new Date(now.getTime() + expiresInDays * DAY_MS) : null,
      actor: 'operator',
    });
    return created({ ...stored, key });
  });
  forgetKeys();
  return answer;
}
