import type { z } from 'zod';
import type { Database } from '../../kit/db/database.js';
import { type Answer, ok } from '../../kit/http/answer.js';
import type { OperatorAccess, RequestContext } from '../../kit/http/route.js';
import { findKeys } from './keyStore.js';
import { platformOf } from './parts.js';
import type { platformPath } from './schemas.js';

/** GET /admin/platforms/{id}/keys: all keys the platform ever had; never the keys themselves. */
export async function listKeys(
  { db }: { db: Database },
  { params }: RequestContext<OperatorAccess, undefined, undefined, z.output<typeof platformPath>>,
): Promise<Answer> {
  const { id } = await platformOf(db, params);
  return ok({ keys: await findKeys(db, id) });
}
