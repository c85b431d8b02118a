import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { fail } from '#domain/errors.js';
import { groupBy } from '../lists.js';
import { API_PREFIX, operationsOf, type Route, type RouteTable, routerPath } from './route.js';

/** Addresses of the console's API: those of /api/v1, opened by the cookie of a session. */
const PREFIX = '/console/api';
/** The same on test data, for people, who see both: a browser sends no header of ours with a download or a stream. */
const TEST_PREFIX = '/console/api-test';

const marked = new WeakSet<IncomingMessage>();

/** A marked request is identified by its cookie alone, every other by its headers alone (RULES K13). */
export function rewriteConsoleUrl(raw: IncomingMessage): string {
  const given = raw.url ?? '/';
  const isTest = given.startsWith(`${TEST_PREFIX}/`);
  if (isTest) raw.headers['x-console-mode'] = 'test';
  const url = isTest ? PREFIX + given.slice(TEST_PREFIX.length) : given;
  if (!url.startsWith(`${PREFIX}/`)) return url;
  marked.add(raw);
  const rest = url.slice(PREFIX.length);
  return /^\/session(\?|$)/.test(rest) ? `/console${rest}` : API_PREFIX + rest;
}

export function isConsoleRequest({ raw }: FastifyRequest): boolean {
  return marked.has(raw);
}

/** Also requests with a credential of their own. Throws FORBIDDEN, UNAUTHORIZED. */
export function guardConsoleRequest(request: FastifyRequest): void {
  if (!isConsoleRequest(request)) return;
  const { headers, method } = request;
  if (headers.authorization !== undefined || headers['x-admin-secret'] !== undefined) {
    fail('UNAUTHORIZED', {
      message: 'The console takes the cookie of its session alone. With a key call /api/v1.',
    });
  }
  if (method === 'GET' || method === 'HEAD') {
    refuseOtherSites((name) => headers[name]?.toString());
    return;
  }
  if (isOfThisSite(request) && headers['x-console'] === '1') return;
  fail('FORBIDDEN', {
    message:
      'Writes through the console need the headers Sec-Fetch-Site: same-origin and X-Console: 1. With a key call /api/v1.',
  });
}

export function refuseOtherSites(header: (name: string) => string | undefined): void {
  const site = header('sec-fetch-site');
  if (site === undefined || site === 'same-origin' || site === 'none') return;
  fail('FORBIDDEN', {
    message: `Only pages of this service may call the console. The browser says: Sec-Fetch-Site: ${site}.`,
  });
}

/** Browsers send Sec-Fetch-Site over https and to localhost. Elsewhere the origin must be this host. */
function isOfThisSite({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return headers.origin === `http://${headers.host}`;
}

/**
 * `__Host-` needs https: no other host and no page over http can then set the cookie. Browsers send
 * cookies to every port of a host: without the port in the name, two services on one machine would
 * end each other's sessions.
 */
export function sessionCookieName(baseUrl: string): string {
  const { protocol, port } = new URL(baseUrl);
  const name = port === '' ? 'reliability_session' : `reliability_session_${port}`;
  return protocol === 'https:' ? `__Host-${name}` : name;
}

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

export function sessionTokenIn(cookies: string | undefined, cookieName: string): string | null {
  const token = cookieIn(cookies, cookieName);
  return TOKEN.test(token) ? token : null;
}

/** Empty: there is none. */
export function cookieIn(cookies: string | undefined, name: string): string {
  const start = `${name}=`;
  const own = cookies?.split(';').find((cookie) => cookie.trimStart().startsWith(start));
  return own?.trim().slice(start.length) ?? '';
}

const FROM_ANYWHERE = { 'access-control-allow-origin': '*' } as const;

/** Without the second header scripts can read only the bodies. */
export const READABLE_BY_SCRIPTS = {
  ...FROM_ANYWHERE,
  'access-control-expose-headers':
    'Deprecation, ETag, Idempotent-Replay, Link, Location, RateLimit-Limit, RateLimit-Policy, RateLimit-Remaining, ' +
    'RateLimit-Reset, Retry-After, Sunset, WWW-Authenticate, X-Request-Id, X-Unknown-Parameters',
} as const;

/** Request headers that scripts may send. Wallets send their access token as Authorization. */
const ALLOWED_HEADERS =
  'Authorization, Content-Type, Idempotency-Key, If-Modified-Since, If-None-Match, X-Request-Id';

/** Not pages: a script of another website could press their buttons for the person who opened it. */
export function isReadableByScripts(route: Route): boolean {
  return route.access.kind === 'public' && !route.errorPage && !route.sameOrigin;
}

/** They do not count against a rate limit: scripts would otherwise pay twice for each call. */
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

/** The methods of an address, for the `Allow` header of a 405; empty for one that is not in the table. */
export function allowedMethods(table: RouteTable): (path: string) => readonly string[] {
  const operations = operationsOf(table).map(({ method, path }) => {
    return { method, path, matches: matcherOf(path) };
  });
  return (path) => {
    const literal = operations.filter((operation) => operation.path === path);
    const matching = literal.length > 0 ? literal : operations.filter(({ matches }) => matches(path));
    const methods = matching.map(({ method }) => method);
    return methods.includes('GET') ? [...methods, 'HEAD'] : methods;
  };
}

/** `GET /events/batch` is not the event with id `batch`, but an address that takes only POST. */
export function shadowedAddresses(table: RouteTable): { method: string; path: string }[] {
  const operations = operationsOf(table);
  const literals = new Set(operations.map(({ path }) => path).filter((path) => !path.includes('{')));
  const own = new Set(operations.map(({ method, path }) => `${method} ${path}`));
  return operations
    .filter(({ path }) => path.includes('{'))
    .flatMap(({ method, path }) => {
      const matches = matcherOf(path);
      const taken = [...literals].filter((literal) => matches(literal) && !own.has(`${method} ${literal}`));
      return taken.map((literal) => ({ method, path: literal }));
    });
}

function matcherOf(path: string): (address: string) => boolean {
  const wanted = path.split('/').map((segment) => segment.split(/\{\w+\}/));
  return (address) => {
    const given = address.split('/');
    if (path.endsWith('/{rest}')) given.push(given.splice(wanted.length - 1).join('/'));
    return given.length === wanted.length && wanted.every((parts, index) => isFilled(parts, given[index]));
  };
}

/** The parts of a segment are the texts before and after its parameter. */
function isFilled([start = '', end]: readonly string[], segment = ''): boolean {
  if (end === undefined) return segment === start;
  return segment.length > start.length + end.length && segment.startsWith(start) && segment.endsWith(end);
}
