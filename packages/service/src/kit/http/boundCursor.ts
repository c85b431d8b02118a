import { sha256 } from '../crypto.js';
import type { Answer } from './answer.js';
import type { Access, RequestContext } from './route.js';

type Context = RequestContext<Access, unknown, unknown, unknown>;

/** In a query, but no part of what is asked: pages may differ in them. */
const BESIDE_THE_QUESTION: ReadonlySet<string> = new Set(['cursor', 'limit', 'format']);
const NEXT_CURSOR_HEADER = 'X-Next-Cursor';
const SIGN_LETTERS = 12;
/** No listing takes it for one of its own, so that each refuses it with its own code. */
const DAMAGED = '!';

/** The question with the listing's own cursor in it, or a damaged one where the caller's belongs to another question. */
export function withOwnCursor(operation: string, context: Context): Context {
  const query = queryOf(context);
  const { cursor } = query;
  if (typeof cursor !== 'string') return context;
  const own = cursor.slice(0, -SIGN_LETTERS - 1);
  const isOwn = boundTo(questionOf(operation, context), own) === cursor;
  return { ...context, query: { ...query, cursor: isOwn ? own : DAMAGED } };
}

/** The answer with a cursor that holds for this operation, mode and filter alone. */
export function withBoundCursor(operation: string, context: Context, answer: Answer): Answer {
  const { body, headers } = answer;
  const next = nextCursorOf(body);
  if (next !== null)
    return {
      ...answer,
      body: { ...Object(body), nextCursor: boundTo(questionOf(operation, context), next) },
    };
  const inHeader = headers?.[NEXT_CURSOR_HEADER];
  if (inHeader === undefined) return answer;
  return {
    ...answer,
    headers: { ...headers, [NEXT_CURSOR_HEADER]: boundTo(questionOf(operation, context), inHeader) },
  };
}

function nextCursorOf(body: Answer['body']): string | null {
  if (typeof body !== 'object' || body === null || !('nextCursor' in body)) return null;
  return typeof body.nextCursor === 'string' ? body.nextCursor : null;
}

function queryOf({ query }: Context): Readonly<Record<string, unknown>> {
  return Object(query);
}

/** Who asks what: the same text for each page. */
function questionOf(operation: string, context: Context): string {
  const { caller, params } = context;
  const asker = caller.kind === 'key' ? [caller.platformId, caller.livemode] : [caller.kind];
  const filter = Object.entries(queryOf(context)).filter(([name]) => !BESIDE_THE_QUESTION.has(name));
  return JSON.stringify([operation, asker, params ?? null, filter.sort(([a], [b]) => (a < b ? -1 : 1))]);
}

function boundTo(question: string, cursor: string): string {
  return `${cursor}.${sha256(question, cursor).toString('base64url').slice(0, SIGN_LETTERS)}`;
}
