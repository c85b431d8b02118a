import type { z } from 'zod';
import { type Answer, created } from '../../../kit/http/answer.js';
import type { OperatorAccess, RequestContext } from '../../../kit/http/route.js';
import { canonicalNetworks } from '../../../kit/networks.js';
import type { platformPath } from '../../../ledger/requests/knownPlatform.js';
import { addKey, newKey } from './addKey.js';
import { announceNewKey } from './announceKeys.js';
import { type PlatformDeps, platformIdOf, settingsOf } from './deps.js';
import type { KeyBody } from './keySchemas.js';
import { endAfter, endOfKey, warningsOfScopes } from './keyTerms.js';

type Path = z.output<typeof platformPath>;
type Body = z.output<typeof KeyBody>;

/** POST /admin/platforms/{id}/keys: so that a platform which lost its last key is not lost itself. */
export async function mintKey(
  { clock, ids, withIdempotency, outbox }: PlatformDeps,
  { body, params, claim }: RequestContext<OperatorAccess, Body, undefined, Path>,
): Promise<Answer> {
  const { label = null, scopes = [], isTest = false, expiresInDays, allowedCidrs = [] } = body;
  const now = clock.now();
  const answer = await withIdempotency(claim, { now, isSecret: true }, async (tx) => {
    const platform = await settingsOf(tx, platformIdOf(params));
    const asked = { expiresAt: endAfter(now, expiresInDays), isExplicit: expiresInDays !== undefined };
    const { expiresAt, warnings } = endOfKey(now, asked, null, platform);
    const key = newKey(isTest ? 'test' : 'live');
    const stored = await addKey(tx, ids, now, {
      platformId: platform.id,
      key,
      label,
      scopes: [...new Set(scopes)],
      isTest,
      expiresAt,
      allowedCidrs: canonicalNetworks(allowedCidrs),
      actor: 'operator',
    });
    await announceNewKey(tx, ids, platform.id, stored, null);
    return created({ ...stored, key, warnings: [...warnings, ...warningsOfScopes(scopes, platform)] });
  });
  outbox.written();
  return answer;
}
