import { isIPv6 } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { fail } from '../../domain/errors.js';
import { type RateLimiter, type Taken, WINDOW_SECONDS } from '../rateLimit.js';
import type { Caller, Route } from './route.js';

/** How many times the usual limit anonymous callers have for a bulk route. */
const BULK_FACTOR = 10;

/**
 * Limits requests per minute (RULES M1). Each answer has the rest in its `RateLimit-*` headers.
 * Asynchronous only if the limits are shared with other processes.
 */
export interface Throttle {
  /** Counts the request for the caller. Throws RATE_LIMIT_EXCEEDED. */
  admit(
    caller: Caller,
    route: Pick<Route, 'isBulk'>,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void | Promise<void>;
  /** The same for an anonymous caller, by address. */
  admitAnonymous(request: FastifyRequest, reply: FastifyReply): void | Promise<void>;
  /** Counts the request for its address without refusing it: it is refused for another reason. */
  noteAnonymous(request: FastifyRequest, reply: FastifyReply): void | Promise<void>;
}

interface ThrottleDeps {
  limiter: RateLimiter;
  anonymousPerMinute: number;
  operatorPerMinute: number;
}

export function createThrottle({ limiter, anonymousPerMinute, operatorPerMinute }: ThrottleDeps): Throttle {
  return {
    admit(caller, route, request, reply) {
      switch (caller.kind) {
        case 'public':
          return route.isBulk
            ? take(`bulk:${networkOf(request.ip)}`, anonymousPerMinute * BULK_FACTOR, reply, true)
            : takeByAddress(request, reply, true);
        case 'operator':
          return take('operator', operatorPerMinute, reply, true);
        case 'key': {
          if (caller.isOperatorsView) return take('operator', operatorPerMinute, reply, true);
          if (caller.rateLimitPerMinute === 0) return;
          // Separate buckets: a runaway test does not lock out the live traffic of the platform.
          const bucket = (caller.livemode ? 'live:' : 'test:') + caller.platformId;
          return take(bucket, caller.rateLimitPerMinute, reply, true);
        }
      }
    },
    admitAnonymous: (request, reply) => takeByAddress(request, reply, true),
    noteAnonymous: (request, reply) => takeByAddress(request, reply, false),
  };

  function takeByAddress(request: FastifyRequest, reply: FastifyReply, refuses: boolean) {
    return take(`address:${networkOf(request.ip)}`, anonymousPerMinute, reply, refuses);
  }

  function take(bucket: string, limit: number, reply: FastifyReply, refuses: boolean): void | Promise<void> {
    const taken = limiter.take(bucket, limit);
    if (taken instanceof Promise) return taken.then((counted) => judge(counted, limit, reply, refuses));
    judge(taken, limit, reply, refuses);
  }

  function judge(
    { count, msBeforeReset }: Taken,
    limit: number,
    reply: FastifyReply,
    refuses: boolean,
  ): void {
    // A difference of fractional times can exceed the window by a rounding error.
    const resetSeconds = Math.min(WINDOW_SECONDS, Math.max(1, Math.ceil(msBeforeReset / 1000)));
    reply
      .header('ratelimit-limit', limit)
      .header('ratelimit-remaining', Math.max(0, limit - count))
      .header('ratelimit-reset', resetSeconds)
      .header('ratelimit-policy', `${limit};w=${WINDOW_SECONDS}`);
    if (count <= limit || !refuses) return;
    fail('RATE_LIMIT_EXCEEDED', {
      message: `More than ${limit} requests within a minute. Retry in ${resetSeconds} s.`,
      headers: { 'Retry-After': String(resetSeconds) },
    });
  }
}

/**
 * The address, or the /64 network of an IPv6 address: its owner could use a new address of it for
 * each request.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address;
  const [head = '', tail] = address.split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : 8 - first.length - last.length;
  const groups = [...first, ...Array<string>(Math.max(0, zeros)).fill('0'), ...last];
  return groups
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
    .join(':');
}
