import type { z } from 'zod';
import { type Answer, ok } from '../../../kit/http/answer.js';
import type { KeyAccess, RequestContext } from '../../../kit/http/route.js';
import { isUuid } from '../../../kit/ids.js';
import { ownerOfKey } from '../watchOwner.js';
import type { PolicyDeps } from './deps.js';
import { failUnknownPolicy } from './lockPolicy.js';
import type { policyPath } from './schemas.js';
import { findPolicy } from './store.js';

/** GET /policies/{id} */
export async function readPolicy(
  { db }: PolicyDeps,
  { caller, params }: RequestContext<KeyAccess, undefined, undefined, z.output<typeof policyPath>>,
): Promise<Answer> {
  const policy = isUuid(params.id) ? await findPolicy(db, ownerOfKey(caller), params.id) : null;
  return ok(policy ?? failUnknownPolicy());
}
