import type { FastifyReply, FastifyRequest } from 'fastify';
import { fail } from '../../domain/errors.js';
import { networkOf } from '../networks.js';
import { type RateLimiter, type Taken, WINDOW_SECONDS } from '../rateLimit.js';
import type { Caller, Route } from './route.js';

/** How many times the usual limit anonymous callers have for a bulk route. */
const BULK_FACTOR = 10;

export const ANONYMOUS: Caller = { kind: 'public' };

type Bulk = Pick<Route, 'isBulk'>;

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

export type Throttle = ReturnType<typeof createThrottle>;

/** Limits requests per minute (RULES M1). Each answer has the rest in its `RateLimit-*` headers. */
export function createThrottle({ limiter, anonymousPerMinute, operatorPerMinute }: ThrottleDeps) {
  /** The buckets whose minute this process has seen used up, in the order of their ends. */
  const spent = new Map<string, { limit: number; untilMs: number }>();
  return {
    /** Counts the request for the caller. Throws RATE_LIMIT_EXCEEDED. */
    async admit(caller: Caller, route: Bulk, request: FastifyRequest, reply: FastifyReply): Promise<void> {
      const bucket = bucketOf(caller, route, request);
      if (bucket) refuseBeyond(await take(bucket, reply), bucket);
    },
    /**
     * Refuses a caller whose minute is used up as far as this process knows, without counting the
     * request: before its key is looked up. Throws RATE_LIMIT_EXCEEDED.
     */
    refuseSpent(caller: Caller, route: Bulk, request: FastifyRequest, reply: FastifyReply): void {
      const bucket = bucketOf(caller, route, request);
      const found = bucket && spent.get(bucket.name);
      // A platform with a new limit is counted by it.
      if (!found || found.limit !== bucket.limit) return;
      const msBeforeReset = found.untilMs - performance.now();
      if (msBeforeReset > 0)
        refuseBeyond(show({ count: bucket.limit + 1, msBeforeReset }, bucket, reply), bucket);
    },
    /** The same as `admit` for an anonymous caller, by address. */
    async admitAnonymous(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      const bucket = addressOf(request);
      refuseBeyond(await take(bucket, reply), bucket);
    },
    /** Counts the request for its address without refusing it: it is refused for another reason. */
    async noteAnonymous(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      await take(addressOf(request), reply);
    },
  };

  function bucketOf(caller: Caller, route: Bulk, request: FastifyRequest): Bucket | null {
    if (caller.kind === 'public') {
      if (!route.isBulk) return addressOf(request);
      return { name: `bulk:${networkOf(request.ip)}`, limit: anonymousPerMinute * BULK_FACTOR };
    }
    if (caller.kind === 'operator' || caller.isOperatorsView)
      return { name: 'operator', limit: operatorPerMinute };
    if (caller.rateLimitPerMinute === 0) return null;
    // Separate buckets: a runaway test does not lock out the live traffic of the platform.
    const name = (caller.livemode ? 'live:' : 'test:') + caller.platformId;
    return { name, limit: caller.rateLimitPerMinute };
  }

  function addressOf(request: FastifyRequest): Bucket {
    return { name: `address:${networkOf(request.ip)}`, limit: anonymousPerMinute };
  }

  async function take(bucket: Bucket, reply: FastifyReply): Promise<Shown> {
    const taken = await limiter.take(bucket.name);
    if (taken.count >= bucket.limit) noteSpent(bucket, taken.msBeforeReset);
    return show(taken, bucket, reply);
  }

  function noteSpent({ name, limit }: Bucket, msBeforeReset: number): void {
    const nowMs = performance.now();
    for (const [other, { untilMs }] of spent) {
      if (untilMs > nowMs) break;
      spent.delete(other);
    }
    spent.set(name, { limit, untilMs: nowMs + msBeforeReset });
  }
}

interface Shown {
  readonly count: number;
  readonly resetSeconds: number;
}

function show({ count, msBeforeReset }: Taken, { limit }: Bucket, reply: FastifyReply): Shown {
  // A difference of fractional times can exceed the window by a rounding error.
  const resetSeconds = Math.min(WINDOW_SECONDS, Math.max(1, Math.ceil(msBeforeReset / 1000)));
  reply
    .header('ratelimit-limit', limit)
    .header('ratelimit-remaining', Math.max(0, limit - count))
    .header('ratelimit-reset', resetSeconds)
    .header('ratelimit-policy', `${limit};w=${WINDOW_SECONDS}`);
  return { count, resetSeconds };
}

function refuseBeyond({ count, resetSeconds }: Shown, { limit }: Bucket): void {
  if (count <= limit) return;
  fail('RATE_LIMIT_EXCEEDED', {
    message: `More than ${limit} requests within a minute. Retry in ${resetSeconds} s.`,
    headers: { 'Retry-After': String(resetSeconds) },
  });
}
