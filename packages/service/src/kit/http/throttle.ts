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
  /**
   * Refuses a caller whose minute is used up as far as this process knows, without counting the
   * request: before its key is looked up. Throws RATE_LIMIT_EXCEEDED.
   */
  refuseSpent(
    caller: Caller,
    route: Pick<Route, 'isBulk'>,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void;
  /** The same as `admit` for an anonymous caller, by address. */
  admitAnonymous(request: FastifyRequest, reply: FastifyReply): void | Promise<void>;
  /** Counts the request for its address without refusing it: it is refused for another reason. */
  noteAnonymous(request: FastifyRequest, reply: FastifyReply): void | Promise<void>;
}

interface ThrottleDeps {
  limiter: RateLimiter;
  anonymousPerMinute: number;
  operatorPerMinute: number;
}

/** The bucket in which a request is counted. */
interface Bucket {
  readonly name: string;
  readonly limit: number;
}

export function createThrottle({ limiter, anonymousPerMinute, operatorPerMinute }: ThrottleDeps): Throttle {
  const spent = createSpentBuckets();
  return {
    admit(caller, route, request, reply) {
      const bucket = bucketOf(caller, route, request);
      return bucket ? take(bucket, reply, true) : undefined;
    },
    refuseSpent(caller, route, request, reply) {
      const bucket = bucketOf(caller, route, request);
      const msBeforeReset = bucket ? spent.msBeforeReset(bucket) : 0;
      if (bucket && msBeforeReset > 0) judge({ count: bucket.limit + 1, msBeforeReset }, bucket, reply, true);
    },
    admitAnonymous: (request, reply) => take(addressOf(request), reply, true),
    noteAnonymous: (request, reply) => take(addressOf(request), reply, false),
  };

  function bucketOf(caller: Caller, route: Pick<Route, 'isBulk'>, request: FastifyRequest): Bucket | null {
    switch (caller.kind) {
      case 'public':
        return route.isBulk
          ? { name: `bulk:${networkOf(request.ip)}`, limit: anonymousPerMinute * BULK_FACTOR }
          : addressOf(request);
      case 'operator':
        return { name: 'operator', limit: operatorPerMinute };
      case 'key': {
        if (caller.isOperatorsView) return { name: 'operator', limit: operatorPerMinute };
        if (caller.rateLimitPerMinute === 0) return null;
        // Separate buckets: a runaway test does not lock out the live traffic of the platform.
        const name = (caller.livemode ? 'live:' : 'test:') + caller.platformId;
        return { name, limit: caller.rateLimitPerMinute };
      }
    }
  }

  function addressOf(request: FastifyRequest): Bucket {
    return { name: `address:${networkOf(request.ip)}`, limit: anonymousPerMinute };
  }

  function take(bucket: Bucket, reply: FastifyReply, refuses: boolean): void | Promise<void> {
    const taken = limiter.take(bucket.name);
    if (taken instanceof Promise) return taken.then((counted) => note(counted, bucket, reply, refuses));
    note(taken, bucket, reply, refuses);
  }

  function note(taken: Taken, bucket: Bucket, reply: FastifyReply, refuses: boolean): void {
    if (taken.count >= bucket.limit) spent.note(bucket, taken.msBeforeReset);
    judge(taken, bucket, reply, refuses);
  }

  function judge(
    { count, msBeforeReset }: Taken,
    { limit }: Bucket,
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

/** The buckets whose minute this process has seen used up. */
function createSpentBuckets() {
  const spent = new Map<string, { limit: number; untilMs: number }>();
  return {
    note({ name, limit }: Bucket, msBeforeReset: number): void {
      const nowMs = performance.now();
      for (const [other, { untilMs }] of spent) {
        if (untilMs > nowMs) break;
        spent.delete(other);
      }
      spent.set(name, { limit, untilMs: nowMs + msBeforeReset });
    },
    /** 0: there is something left, or the limit has changed. */
    msBeforeReset({ name, limit }: Bucket): number {
      const found = spent.get(name);
      return found?.limit === limit ? found.untilMs - performance.now() : 0;
    },
  };
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
