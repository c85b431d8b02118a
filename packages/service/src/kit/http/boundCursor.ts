import { sha256 } from '../crypto.js';
import type { Answer } from './answer.js';
import type { Access, RequestContext } from './route.js';

type Context = RequestContext<Access, unknown, unknown, unknown>;

/** Query parameters that may differ between pages of one listing. */
const PAGE_PARAMETERS: ReadonlySet<string> = new Set(['cursor', 'limit', 'format']);
const NEXT_CURSOR_HEADER = 'X-Next-Cursor';
const CHECKSUM_LENGTH = 12;
/** An invalid cursor for every listing, so each refuses it with its own code. */
const INVALID = '!';

/**
 * The request with the listing's own cursor, or with an invalid one if the cursor belongs to
 * another listing or filter.
 */
export function withOwnCursor(operation: string, context: Context): Context {
  const query = queryOf(context);
  const { cursor } = query;
  if (typeof cursor !== 'string') return context;
  const own = cursor.slice(0, -CHECKSUM_LENGTH - 1);
  const isOwn = boundTo(scopeOf(operation, context), own) === cursor;
  return { ...context, query: { ...query, cursor: isOwn ? own : INVALID } };
}

/** The answer with a cursor that is valid only for this operation, mode and filter. */
export function withBoundCursor(operation: string, context: Context, answer: Answer): Answer {
  const { body, headers } = answer;
  const next = nextCursorOf(body);
  if (next !== null)
    return {
      ...answer,
      body: { ...Object(body), nextCursor: boundTo(scopeOf(operation, context), next) },
    };
  const inHeader = headers?.[NEXT_CURSOR_HEADER];
  if (inHeader === undefined) return answer;
  return {
    ...answer,
    headers: { ...headers, [NEXT_CURSOR_HEADER]: boundTo(scopeOf(operation, context), inHeader) },
  };
}

function nextCursorOf(body: Answer['body']): string | null {
  if (typeof body !== 'object' || body === null || !('nextCursor' in body)) return null;
  return typeof body.nextCursor === 'string' ? body.nextCursor : null;
}

function queryOf({ query }: Context): Readonly<Record<string, unknown>> {
  return Object(query);
}

/** Identifies the caller and the filter: the same text for each page. */
function scopeOf(operation: string, context: Context): string {
  const { caller, params } = context;
  const identity = caller.kind === 'key' ? [caller.platformId, caller.livemode] : [caller.kind];
  const filter = Object.entries(queryOf(context)).filter(([name]) => !PAGE_PARAMETERS.has(name));
  return JSON.stringify([operation, identity, params ?? null, filter.sort(([a], [b]) => (a < b ? -1 : 1))]);
}

function boundTo(scope: string, cursor: string): string {
  return `${cursor}.${sha256(scope, cursor).toString('base64url').slice(0, CHECKSUM_LENGTH)}`;
}
