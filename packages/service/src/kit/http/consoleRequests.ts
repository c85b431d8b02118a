import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { fail } from '../../domain/errors.js';
import { API_PREFIX } from './route.js';

/** Addresses of the console's API: those of /api/v1, opened by the cookie of a session. */
const PREFIX = '/console/api';

const marked = new WeakSet<IncomingMessage>();

/**
 * Leads /console/api to /api/v1 and marks the request. A marked request is identified by its cookie
 * alone, every other by its headers alone (RULES K13).
 */
export function rewriteConsoleUrl(raw: IncomingMessage): string {
  const url = raw.url ?? '/';
  if (!url.startsWith(`${PREFIX}/`)) return url;
  marked.add(raw);
  const rest = url.slice(PREFIX.length);
  return /^\/session(\?|$)/.test(rest) ? `/console${rest}` : API_PREFIX + rest;
}

export function isConsoleRequest({ raw }: FastifyRequest): boolean {
  return marked.has(raw);
}

/**
 * Refuses what another website could have caused, and requests with a credential of their own.
 * Throws FORBIDDEN, UNAUTHORIZED.
 */
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

/** For requests that a page of this service sends. Throws FORBIDDEN. */
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

/** The token of the session in the cookie with this name; null without one. */
export function sessionTokenIn(cookies: string | undefined, cookieName: string): string | null {
  const start = `${cookieName}=`;
  const own = cookies?.split(';').find((cookie) => cookie.trimStart().startsWith(start));
  const token = own?.trim().slice(start.length) ?? '';
  return TOKEN.test(token) ? token : null;
}
