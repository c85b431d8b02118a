import { z } from 'zod';
import { type Answer, ok } from '../../../kit/http/answer.js';
import { pageOf, positionOf } from '../../../kit/http/cursor.js';
import type { KeyAccess, RequestContext } from '../../../kit/http/route.js';
import { ownerOfKey } from '../watchOwner.js';
import type { PolicyDeps } from './deps.js';
import type { PolicyQuery } from './schemas.js';
import { findPolicies } from './store.js';

const PolicyCursor = z.tuple([z.uuid()]);

/** GET /policies: newest first, active or not. */
export async function listPolicies(
  { db }: PolicyDeps,
  { caller, query }: RequestContext<KeyAccess, undefined, z.output<typeof PolicyQuery>, undefined>,
): Promise<Answer> {
  const [beforeId] = positionOf(query.cursor, PolicyCursor) ?? [null];
  const rows = await findPolicies(db, ownerOfKey(caller), beforeId, query.limit + 1);
  const page = pageOf(rows, query.limit, (policy) => [policy.id]);
  return ok({ policies: page.rows, nextCursor: page.nextCursor });
}
