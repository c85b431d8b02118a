import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '#domain/errorCatalog.js';
import { fail } from '#domain/errors.js';
import { networkOf } from '../addressGuard.js';
import type { Clock } from '../clock.js';
import { hashOfSecret } from '../crypto.js';
import { type RateLimiter, type Taken, WINDOW_SECONDS } from '../rateLimit.js';
import { logOf, overloaded } from './errorAnswer.js';
import type { Caller, KeyCaller, Route } from './route.js';

const BULK_FACTOR = 10;

export const ANONYMOUS: Caller = { kind: 'public' };

type Bulk = Pick<Route, 'isBulk'>;
type Bucket = { readonly name: string; readonly limit: number };

export type Throttle = ReturnType<typeof createThrottle>;

/** Limits requests per minute (RULES M1). Each answer has the rest in its `RateLimit-*` headers. */
export function createThrottle(deps: {
  limiter: RateLimiter;
  anonymousPerMinute: number;
  operatorPerMinute: number;
}) {
  const { limiter, anonymousPerMinute, operatorPerMinute } = deps;
  /** The buckets whose minute this process has seen used up, in the order of their ends. */
  const spent = new Map<string, { limit: number; untilMs: number }>();
  return {
    async admit(caller: Caller, route: Bulk, request: FastifyRequest, reply: FastifyReply): Promise<void> {
      const bucket = bucketOf(caller, route, request);
      if (bucket) refuseBeyond(await take(bucket, reply), bucket);
    },
    /** Without counting the request: before its key is looked up. Throws RATE_LIMIT_EXCEEDED. */
    refuseSpent(caller: Caller, route: Bulk, request: FastifyRequest, reply: FastifyReply): void {
      const bucket = bucketOf(caller, route, request);
      const found = bucket && spent.get(bucket.name);
      // A platform with a new limit is counted by it.
      if (!found || found.limit !== bucket.limit) return;
      const msBeforeReset = found.untilMs - performance.now();
      if (msBeforeReset > 0)
        refuseBeyond(show({ count: bucket.limit + 1, msBeforeReset }, bucket, reply), bucket);
    },
    async admitAnonymous(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      const bucket = addressOf(request);
      refuseBeyond(await take(bucket, reply), bucket);
    },
    /** Besides the limit of the address, so that a link that was passed on is not used from many at once. */
    async admitToken(limit: number, { pattern, params }: FastifyRequest): Promise<void> {
      const hash = hashOfSecret(String(Object(params).token)).toString('base64url');
      const { count, msBeforeReset } = await limiter.take(`token:${pattern}:${hash}`);
      refuseBeyond({ count, resetSeconds: Math.max(1, Math.ceil(msBeforeReset / 1000)) }, { limit });
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

type Shown = ReturnType<typeof show>;

function show({ count, msBeforeReset }: Taken, { limit }: Bucket, reply: FastifyReply) {
  // A difference of fractional times can exceed the window by a rounding error.
  const resetSeconds = Math.min(WINDOW_SECONDS, Math.max(1, Math.ceil(msBeforeReset / 1000)));
  reply
    .header('ratelimit-limit', limit)
    .header('ratelimit-remaining', Math.max(0, limit - count))
    .header('ratelimit-reset', resetSeconds)
    .header('ratelimit-policy', `${limit};w=${WINDOW_SECONDS}`);
  return { count, resetSeconds };
}

function refuseBeyond({ count, resetSeconds }: Shown, { limit }: Pick<Bucket, 'limit'>): void {
  if (count <= limit) return;
  fail('RATE_LIMIT_EXCEEDED', {
    message: `More than ${limit} requests within a minute. Retry in ${resetSeconds} s.`,
    headers: { 'Retry-After': String(resetSeconds) },
  });
}

/** The calls of a platform in one UTC calendar month, as far as this process knows. */
export interface Month {
  /** 0: unlimited. */
  readonly cap: number;
  readonly used: number;
  readonly end: Date;
  readonly secondsUntilReset: number;
  charge(calls: number): void;
}

export interface Meter {
  monthOf(caller: KeyCaller): Month | Promise<Month>;
  /** @param calls how many calls the answer is billed as. */
  count(caller: KeyCaller, route: string, status: number, requests: number, calls: number): void;
}

/** Counts one call against the month and sets the `X-Quota-*` headers. Throws QUOTA_EXCEEDED. */
export function takeFromMonth(month: Month, reply: FastifyReply): void {
  const isSpent = month.cap > 0 && month.used >= month.cap;
  if (!isSpent) month.charge(1);
  showMonth(month, reply);
  if (!isSpent) return;
  const { cap, used, end, secondsUntilReset } = month;
  fail('QUOTA_EXCEEDED', {
    message: `All ${cap} calls of this month are used. Retry in ${secondsUntilReset} s, when the next month starts.`,
    details: { cap, used, periodEnd: end.toISOString() },
    headers: { 'Retry-After': String(secondsUntilReset) },
  });
}

export function showMonth(month: Month, reply: FastifyReply): void {
  if (month.cap === 0) return;
  reply
    .header('x-quota-limit', month.cap)
    .header('x-quota-remaining', Math.max(0, month.cap - month.used))
    .header('x-quota-reset', month.secondsUntilReset);
}

/** Failures of the service and 429 do not count against the quota (RULES M4). */
export function countsAgainstQuota(status: number): boolean {
  return status !== 429 && status < 500;
}

const ROWS_PER_CALL = 1000;

/** A CSV export counts as one call per 1000 rows, rounded up, and at least one (RULES M4). */
export function callsOfRows(rows: number): number {
  return Math.max(1, Math.ceil(rows / ROWS_PER_CALL));
}

type Kind = 'key' | 'operator' | 'user';

export type FailedLogins = ReturnType<typeof createFailedLogins>;

declare module 'fastify' {
  interface FastifyRequest {
    /** Already logged as a failed log-in; its refusal is not logged again. */
    isFailedLogin: boolean;
  }
}

const WINDOW_MS = 60_000;
const ENTRIES_PER_NETWORK = 10;
const ENTRIES_IN_TOTAL = 200;

/**
 * Logs each failed log-in with its address, and counts it. A flood does not fill the disk: beyond
 * ten lines a minute for one network, or two hundred in total, it is only counted, and the next
 * line says how many were left out.
 */
export function createFailedLogins(clock: Clock, count: (kind: Kind, failed: number) => void) {
  let windowEndMs = 0;
  let entriesLeft = 0;
  let leftOut = 0;
  const linesOf = new Map<string, number>();
  for (const kind of ['key', 'operator', 'user'] as const) count(kind, 0); // a counter must exist before a rate can be computed
  return {
    note(kind: Kind, code: ErrorCode, request: FastifyRequest): void {
      count(kind, 1);
      request.isFailedLogin = true;
      if (!takeEntry(networkOf(request.ip))) {
        leftOut += 1;
        return;
      }
      const facts = { kind, code, address: request.ip, method: request.method, route: request.pattern };
      logOf(request).warn(leftOut === 0 ? facts : { ...facts, leftOut }, 'a log-in failed');
      leftOut = 0;
    },
  };

  function takeEntry(network: string): boolean {
    const nowMs = clock.now().getTime();
    if (nowMs >= windowEndMs) {
      windowEndMs = nowMs + WINDOW_MS;
      entriesLeft = ENTRIES_IN_TOTAL;
      linesOf.clear();
    }
    const lines = linesOf.get(network) ?? 0;
    if (entriesLeft === 0 || lines >= ENTRIES_PER_NETWORK) return false;
    entriesLeft -= 1;
    linesOf.set(network, lines + 1);
    return true;
  }
}

/** Bytes of request bodies in progress: limits how much memory a burst of large ones can take. */
const PROCESS_BYTES = 128 * 1024 * 1024;
/**
 * Per platform: a file of the largest size beside smaller ones. Reading a file takes four times its
 * bytes, and a process may take 512 MB (`npm run bench -- worstMemory`).
 */
const PLATFORM_BYTES = 38 * 1024 * 1024;
/** Parsed as a whole, up to so many bytes count fivefold. Of longer bodies the file is taken out. */
const PARSED_BYTES = 1024 * 1024;
/** Smaller bodies are not counted: the cap on connections limits them. */
const COUNTED_BYTES = 64 * 1024;

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Of the budget, until the request is answered. `growTo` throws OVERLOADED if the budget does not
     * have so many bytes. Null if the body is too small to be counted.
     */
    bodyShare: { growTo(bytes: number): void } | null;
  }
}

export type OpenShare = (platform: string, request: FastifyRequest, reply: FastifyReply) => void;

/** As they arrive: connections that announce files and send nothing must not take the budget. */
export function createBodyBudget(): OpenShare {
  const bytesOf = new Map<string, number>();
  let total = 0;
  return (platform, request, reply) => {
    const { headers } = request;
    const isOpen = 'transfer-encoding' in headers || 'content-encoding' in headers;
    if (!isOpen && Number(headers['content-length'] ?? 0) < COUNTED_BYTES) return;
    let own = 0;
    let isOver = false;
    const take = (bytes: number) => {
      own += bytes;
      total += bytes;
      const ofPlatform = (bytesOf.get(platform) ?? 0) + bytes;
      if (ofPlatform === 0) bytesOf.delete(platform);
      else bytesOf.set(platform, ofPlatform);
    };
    // Also fires if the caller has disconnected or the request was refused.
    reply.raw.once('close', () => {
      isOver = true;
      take(-own);
    });
    request.bodyShare = {
      growTo(bytes) {
        const more = bytes + 4 * Math.min(bytes, PARSED_BYTES) - own;
        if (more <= 0 || bytes < COUNTED_BYTES || isOver) return;
        if (total + more > PROCESS_BYTES || (bytesOf.get(platform) ?? 0) + more > PLATFORM_BYTES)
          throw overloaded('The service is reading as many large request bodies as its memory allows.');
        take(more);
      },
    };
  };
}
