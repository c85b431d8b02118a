import type { z } from 'zod';
import type { ErrorCode } from '../../domain/errorCatalog.js';
import { fail } from '../../domain/errors.js';

/** An opaque keyset cursor: the position after which the next page starts. */
export function encodeCursor(position: readonly (string | number | null)[]): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/**
 * The position in a cursor; null without one. Throws `code` for a damaged cursor or one of another
 * listing.
 * @param shape the position in cursors of this listing.
 */
export function positionOf<T>(
  cursor: string | undefined,
  shape: z.ZodType<T>,
  code: ErrorCode = 'BAD_REQUEST',
): T | null {
  if (cursor === undefined) return null;
  const parsed = shape.safeParse(decoded(cursor));
  if (parsed.success) return parsed.data;
  const message =
    '`cursor` is damaged or belongs to another listing, filter or mode. Send the `nextCursor` of the previous page unchanged.';
  return fail(code, { message });
}

function decoded(cursor: string): unknown {
  if (!/^[A-Za-z0-9_-]+$/.test(cursor)) return undefined;
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Cuts a page of `limit` rows from rows fetched with `limit + 1`. The extra row only shows that
 * there is another page.
 */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  positionOf: (row: Row) => readonly (string | number | null)[],
): { rows: readonly Row[]; nextCursor: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return { rows: page, nextCursor: hasMore ? encodeCursor(positionOf(last)) : null };
}
