import { z } from 'zod';
import { fail } from '../../domain/errors.js';
import type { Database } from '../../kit/db/database.js';
import { type Answer, ok } from '../../kit/http/answer.js';
import { decodeCursor, pageOf } from '../../kit/http/cursor.js';
import type { OperatorAccess, RequestContext } from '../../kit/http/route.js';
import type { PlatformQuery } from './schemas.js';
import { findPlatforms } from './store.js';

const PlatformCursor = z.tuple([z.uuid()]);

/** GET /admin/platforms: every platform of the installation, newest first. */
export async function listPlatforms(
  { db }: { db: Database },
  { query }: RequestContext<OperatorAccess, undefined, z.output<typeof PlatformQuery>, undefined>,
): Promise<Answer> {
  const rows = await findPlatforms(db, positionOf(query.cursor), query.limit + 1);
  const page = pageOf(rows, query.limit, (platform) => [platform.id]);
  return ok({ platforms: page.rows, nextCursor: page.nextCursor });
}

function positionOf(cursor: string | undefined): string | null {
  if (cursor === undefined) return null;
  const [id] = decodeCursor(cursor, PlatformCursor) ?? [];
  return (
    id ??
    fail('BAD_REQUEST', { message: '`cursor` is damaged. Use `nextCursor` of the page before as it is.' })
  );
}
