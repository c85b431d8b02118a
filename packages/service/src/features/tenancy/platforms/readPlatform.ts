import type { z } from 'zod';
import type { Database } from '../../../kit/db/database.js';
import { type Answer, ok } from '../../../kit/http/answer.js';
import type { OperatorAccess, RequestContext } from '../../../kit/http/route.js';
import type { platformPath } from '../../../ledger/requests/knownPlatform.js';
import { platformOf } from './deps.js';

/** GET /admin/platforms/{id} */
export async function readPlatform(
  { db }: { db: Database },
  { params }: RequestContext<OperatorAccess, undefined, undefined, z.output<typeof platformPath>>,
): Promise<Answer> {
  return ok(await platformOf(db, params));
}
