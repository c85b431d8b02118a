import type { z } from 'zod';
import { type Answer, created } from '../../kit/http/answer.js';
import type { OperatorAccess, RequestContext } from '../../kit/http/route.js';
import type { platformPath } from '../../ledger/knownPlatform.js';
import { addKey, endAfter, newKey } from './addKey.js';
import type { KeyBody } from './keySchemas.js';
import { type PlatformParts, platformOf } from './parts.js';

type Path = z.output<typeof platformPath>;
type Body = z.output<typeof KeyBody>;

/** POST /admin/platforms/{id}/keys: so that a platform which lost its last key is not lost itself. */
export function mintKey(
  { clock, ids, once }: PlatformParts,
  { body, params, claim }: RequestContext<OperatorAccess, Body, undefined, Path>,
): Promise<Answer> {
  const { label = null, scopes = [], isTest = false, expiresInDays } = body;
  const now = clock.now();
  return once.run(claim, { now, isSecret: true }, async (tx) => {
    const platform = await platformOf(tx, params);
    const key = newKey(isTest ? 'test' : 'live');
    const stored = await addKey(tx, ids, now, {
      platformId: platform.id,
      key,
      label,
      scopes: [...new Set(scopes)],
      isTest,
      expiresAt: endAfter(now, expiresInDays),
      actor: 'operator',
    });
    return created({ ...stored, key });
  });
}
