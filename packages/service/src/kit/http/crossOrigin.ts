import type { FastifyInstance } from 'fastify';
import { groupBy } from '../groupBy.js';
import { operationsOf, type Route, type RouteTable, routerPath } from './route.js';

const FROM_ANYWHERE = { 'access-control-allow-origin': '*' } as const;

/**
 * Headers of answers that scripts of every website may read. Without the second header scripts can
 * read only the bodies.
 */
export const READABLE_BY_SCRIPTS = {
  ...FROM_ANYWHERE,
  'access-control-expose-headers':
    'Deprecation, ETag, Idempotent-Replay, Link, Location, RateLimit-Limit, RateLimit-Policy, RateLimit-Remaining, ' +
    'RateLimit-Reset, Retry-After, Sunset, WWW-Authenticate, X-Request-Id, X-Unknown-Parameters',
} as const;

/** Request headers that scripts may send. Wallets send their access token as Authorization. */
const ALLOWED_HEADERS =
  'Authorization, Content-Type, Idempotency-Key, If-Modified-Since, If-None-Match, X-Request-Id';

/**
 * Not pages: a script of another website could read a page and press its buttons for the person who
 * opened it.
 */
export function isReadableByScripts(route: Route): boolean {
  return route.access.kind === 'public' && !route.errorPage && !route.sameOrigin;
}

/**
 * Answers CORS preflights for every address with an operation that is open to everyone. They do not
 * count against a rate limit: scripts would otherwise pay twice for each call.
 */
export function answerPreflights(app: FastifyInstance, table: RouteTable): void {
  const open = operationsOf(table).filter(({ route }) => route.access.kind === 'public' && !route.sameOrigin);
  for (const [path, operations] of groupBy(open, (operation) => operation.path)) {
    const url = routerPath(path);
    const methods = operations.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    const headers = {
      ...FROM_ANYWHERE,
      'access-control-allow-methods': methods.join(', '),
      'access-control-allow-headers': ALLOWED_HEADERS,
      'access-control-max-age': 86_400,
      allow: [...methods, 'OPTIONS'].join(', '),
    };
    app.route({
      method: 'OPTIONS',
      url,
      // In this hook, so that no body is read.
      onRequest: async (request, reply) => {
        request.pattern = url;
        return reply.code(204).headers(headers).send();
      },
      handler: () => undefined,
    });
  }
}
