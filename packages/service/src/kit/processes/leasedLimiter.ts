import { type RateLimiter, rateLimitInMemory, type Taken } from '../rateLimit.js';
import type { Channel } from './channel.js';
import { type Asked, type Granted, RECALL, type Recalled, TAKE } from './topics.js';

interface Waiting {
  readonly bucket: string;
  readonly limit: number;
  resolve(taken: Taken | Promise<Taken>): void;
}

interface Lease {
  readonly window: number;
  readonly endsAtMs: number;
  /** The number of the last request that was counted. */
  count: number;
  left: number;
}

/** The parent only waits for other processes. Longer than this means that the machine is stuck. */
const TAKE_WITHIN_MS = 250;
/** A lease is as long as the requests of such a period. */
const PERIOD_MS = 50;
/**
 * A bucket with fewer requests in a period is counted by the parent, request by request. So what
 * `RateLimit-Remaining` says falls by one with each request of a client that waits for answers.
 */
const LEASED_FROM = 32;

/**
 * The parent counts for all processes. Requests that arrive in one turn of the event loop share a
 * message. A process with many requests takes a lease: it counts that many by itself, without
 * waiting. If the parent does not answer in time, this process counts alone.
 */
export function rateLimitByParent(channel: Pick<Channel, 'ask' | 'on'>): RateLimiter {
  const own = rateLimitInMemory();
  const demand = createDemand();
  const leases = new Map<string, Lease>();
  /** Buckets whose lease is asked for. A second lease would replace the first. */
  const wanting = new Set<string>();
  let waiting: Waiting[] = [];
  // A later turn: a grant that arrived before the question has then become a lease.
  channel.on<Recalled>(
    RECALL,
    (recalled) => new Promise((resolve) => setImmediate(() => resolve(giveBack(recalled)))),
  );
  return {
    take(bucket, limit) {
      demand.note(bucket);
      const lease = leases.get(bucket);
      if (lease) {
        const msBeforeReset = lease.endsAtMs - performance.now();
        if (lease.left > 0 && msBeforeReset > 0) {
          lease.left -= 1;
          lease.count += 1;
          return { count: lease.count, msBeforeReset };
        }
        leases.delete(bucket);
      }
      if (waiting.length === 0) setImmediate(() => void ask());
      return new Promise((resolve) => waiting.push({ bucket, limit, resolve }));
    },
    close: () => undefined,
  };

  async function ask(): Promise<void> {
    const asking = waiting;
    waiting = [];
    const asked = asking.map(({ bucket, limit }): Asked => {
      const wanted = wanting.has(bucket) ? 0 : demand.of(bucket);
      if (wanted > 0) wanting.add(bucket);
      return { bucket, limit, wanted };
    });
    const granted = await channel.ask<Granted[]>(TAKE, asked, TAKE_WITHIN_MS).catch(() => []);
    for (const [index, { bucket, limit, resolve }] of asking.entries()) {
      const answer = granted[index];
      if (asked[index]?.wanted) wanting.delete(bucket);
      if (answer) keep(bucket, answer);
      resolve(answer ?? own.take(bucket, limit));
    }
  }

  function keep(bucket: string, { leased, count, window, msBeforeReset }: Granted): void {
    if (leased === 0) return;
    leases.set(bucket, { window, endsAtMs: performance.now() + msBeforeReset, count, left: leased });
  }

  function giveBack({ bucket, window }: Recalled): number {
    const lease = leases.get(bucket);
    if (lease?.window !== window) return 0;
    leases.delete(bucket);
    return lease.left;
  }
}

/** How many requests a process would like to count by itself. */
interface Demand {
  note(bucket: string): void;
  of(bucket: string): number;
}

function createDemand(): Demand {
  let startedMs = performance.now();
  let current = new Map<string, number>();
  let last = current;
  return {
    note(bucket) {
      const nowMs = performance.now();
      if (nowMs - startedMs > PERIOD_MS) {
        last = nowMs - startedMs > 2 * PERIOD_MS ? new Map() : current;
        current = new Map();
        startedMs = nowMs;
      }
      current.set(bucket, (current.get(bucket) ?? 0) + 1);
    },
    of(bucket) {
      const requests = last.get(bucket) ?? 0;
      return requests < LEASED_FROM ? 0 : requests;
    },
  };
}
