import type { z } from 'zod';
import { type Answer, ok } from '../../../kit/http/answer.js';
import type { OperatorAccess, RequestContext } from '../../../kit/http/route.js';
import type { platformPath } from '../../../ledger/requests/knownPlatform.js';
import { type PlatformDeps, platformOf } from './deps.js';
import { findKeys } from './keyStore.js';

/** GET /admin/platforms/{id}/keys: all keys the platform ever had; never the keys themselves. */
export async function listKeys(
  { db, keyUses }: Pick<PlatformDeps, 'db' | 'keyUses'>,
  { params }: RequestContext<OperatorAccess, undefined, undefined, z.output<typeof platformPath>>,
): Promise<Answer> {
  const { id } = await platformOf(db, params);
  await keyUses.flush();
  return ok({ keys: await findKeys(db, id) });
}
