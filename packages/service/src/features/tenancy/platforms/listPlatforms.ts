import { z } from 'zod';
import type { Database } from '../../../kit/db/database.js';
import { type Answer, ok } from '../../../kit/http/answer.js';
import { pageOf, positionOf } from '../../../kit/http/cursor.js';
import type { OperatorAccess, RequestContext } from '../../../kit/http/route.js';
import type { PlatformQuery } from './schemas.js';
import { findPlatforms } from './store.js';

const PlatformCursor = z.tuple([z.uuid()]);

/** GET /admin/platforms: every platform of the installation, newest first. */
export async function listPlatforms(
  { db }: { db: Database },
  { query }: RequestContext<OperatorAccess, undefined, z.output<typeof PlatformQuery>, undefined>,
): Promise<Answer> {
  const [after] = positionOf(query.cursor, PlatformCursor) ?? [null];
  const rows = await findPlatforms(db, after, query.limit + 1);
  const page = pageOf(rows, query.limit, (platform) => [platform.id]);
  return ok({ platforms: page.rows, nextCursor: page.nextCursor });
}
