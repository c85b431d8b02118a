import { randomUUID } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { fail, serviceError } from '../../../domain/errors.js';
import { createBatcher } from '../../../kit/batcher.js';
import type { Clock } from '../../../kit/clock.js';
import { type Database, isDatabaseUnavailable } from '../../../kit/db/database.js';
import type { FeedOwner } from './store.js';
import {
  acquireLeases,
  type RequestedLease,
  releaseLeases,
  renewLeases,
  type StreamLease,
} from './streamLeaseStore.js';

/** Holds the streams of a platform and mode, whatever processes they are open in, to the plan's number. */
export interface StreamLeases {
  /** Throws STREAM_LIMIT_REACHED. Answers what leaves the seat again. */
  take(owner: FeedOwner, limit: number): Promise<() => void>;
  /** Says that the seats taken here still are; to be called every 15 s. Never throws. */
  heartbeat(): Promise<void>;
  /** Resolves when the seats that were left are free. */
  settled(): Promise<void>;
}

/** Longer than two calls of `vouch` lie apart: then whoever held the seat has died. */
const STALE_MS = 45_000;
/** Streams that may wait to be opened. */
const MAX_ASKING = 2000;
/** How long a refused reader is asked to wait. */
const RETRY_AFTER_SECONDS = 5;

interface StreamLeaseDeps {
  db: Database;
  clock: Clock;
  log: FastifyBaseLogger;
}

export function createStreamLeases({ db, clock, log }: StreamLeaseDeps): StreamLeases {
  const processId = randomUUID();
  // Whatever number of streams is opened at once, one connection waits for a lock.
  const asking = createBatcher<RequestedLease, boolean>({
    run: askFor,
    maxWeight: 100,
    concurrency: 1,
    maxWaiting: MAX_ASKING,
    refuse: () => serviceError('OVERLOADED'),
  });
  const taken = new Map<string, StreamLease>();
  /** Asked for, and perhaps in the table already. */
  const wanted = new Set<string>();
  let left: string[] = [];
  let freeing: Promise<void> | undefined;
  return { take, heartbeat, settled: async () => freeing };

  async function take(owner: FeedOwner, limit: number): Promise<() => void> {
    const { platformId, livemode } = owner;
    const lease: StreamLease = { id: randomUUID(), platformId, livemode };
    wanted.add(lease.id);
    try {
      const isHad = await asking.submit({ ...lease, limit });
      if (!isHad) failFull(limit);
      taken.set(lease.id, lease);
    } finally {
      wanted.delete(lease.id);
    }
    return () => leave(lease.id);
  }

  async function askFor(leases: readonly RequestedLease[]): Promise<boolean[]> {
    const had = await db.transaction((tx) => acquireLeases(tx, leases, { processId, ...moment() }));
    return leases.map(({ id }) => had.has(id));
  }

  /** Streams that end together leave together. */
  function leave(leaseId: string): void {
    if (!taken.delete(leaseId)) return;
    left.push(leaseId);
    freeing ??= new Promise<void>((resolve) => setImmediate(resolve)).then(free).finally(() => {
      freeing = undefined;
    });
  }

  async function free(): Promise<void> {
    while (left.length > 0) {
      const leaseIds = left;
      left = [];
      // Should it fail, the next call of `vouch` clears them away, or their age does.
      await releaseLeases(db, leaseIds).catch(note);
    }
  }

  async function heartbeat(): Promise<void> {
    const known = [...taken.keys(), ...wanted];
    await renewLeases(db, [...taken.values()], { processId, known, ...moment() }).catch(note);
  }

  function moment(): { now: Date; staleBefore: Date } {
    const now = clock.now();
    return { now, staleBefore: new Date(now.getTime() - STALE_MS) };
  }

  function note(error: unknown): void {
    if (!isDatabaseUnavailable(error)) log.warn({ err: error }, 'the seats of the streams could not be kept');
  }
}

function failFull(limit: number): never {
  return fail('STREAM_LIMIT_REACHED', {
    message: `The plan's ${limit} streams of this mode are open. Close one, or wait until one ends.`,
    details: { limit },
    headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
  });
}
