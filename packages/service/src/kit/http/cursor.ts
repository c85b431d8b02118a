import type { z } from 'zod';
import type { ErrorCode } from '#domain/errorCatalog.js';
import { fail } from '#domain/errors.js';
import { sha256 } from '../crypto.js';
import type { Answer } from './answer.js';
import type { Access, RequestContext } from './route.js';

export function encodeCursor(position: readonly (string | number | null)[]): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** Null without a cursor. Throws `code` for a damaged one, or one of another listing. */
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

/** @param rows fetched with `limit + 1`: the extra one only shows that there is another page. */
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

type Context = RequestContext<Access, unknown, unknown, unknown>;

/** Query parameters that may differ between pages of one listing. */
const PAGE_PARAMETERS = ['cursor', 'limit', 'format'];
const NEXT_CURSOR_HEADER = 'X-Next-Cursor';
const CHECKSUM_LENGTH = 12;
/** An invalid cursor for every listing, so each refuses it with its own code. */
const INVALID = '!';

/**
 * Cursors are valid only for their operation, caller, mode and filter: the handler gets its own or an invalid
 * one.
 */
export async function handleBound(
  operation: string,
  context: Context,
  handle: (context: Context) => Promise<Answer> | Answer,
): Promise<Answer> {
  const query: Readonly<Record<string, unknown>> = Object(context.query);
  const bound = (cursor: string) => {
    const checksum = sha256(scopeOf(operation, context, query), cursor).toString('base64url');
    return `${cursor}.${checksum.slice(0, CHECKSUM_LENGTH)}`;
  };
  const { cursor } = query;
  const own = typeof cursor === 'string' ? cursor.slice(0, -CHECKSUM_LENGTH - 1) : null;
  const answer = await handle(
    own === null
      ? context
      : { ...context, query: { ...query, cursor: bound(own) === cursor ? own : INVALID } },
  );
  const { body, headers } = answer;
  const next: unknown = Object(body).nextCursor;
  if (typeof next === 'string') return { ...answer, body: { ...Object(body), nextCursor: bound(next) } };
  const inHeader = headers?.[NEXT_CURSOR_HEADER];
  if (inHeader === undefined) return answer;
  return { ...answer, headers: { ...headers, [NEXT_CURSOR_HEADER]: bound(inHeader) } };
}

function scopeOf(operation: string, { caller, params }: Context, query: object): string {
  const identity = caller.kind === 'key' ? [caller.platformId, caller.livemode] : [caller.kind];
  const filter = Object.entries(query).filter(([name]) => !PAGE_PARAMETERS.includes(name));
  return JSON.stringify([operation, identity, params ?? null, filter.sort(([a], [b]) => (a < b ? -1 : 1))]);
}
