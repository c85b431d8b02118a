import { randomUUID } from 'node:crypto';
import { fail, serviceError } from '../../../domain/errors.js';
import { createBatcher } from '../../../kit/batcher.js';
import { isDatabaseUnavailable } from '../../../kit/db/database.js';
import { STALE_STREAM_MS } from '../../../ledger/planCounts.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import type { FeedOwner } from './store.js';
import {
  acquireLeases,
  type RequestedLease,
  releaseLeases,
  renewLeases,
  type StreamLease,
} from './streamLeaseStore.js';

/** Limits the streams of a platform and mode, across all processes, to the number of the plan. */
export interface StreamLeases {
  /** Throws STREAM_LIMIT_REACHED. @returns the function that releases the lease. */
  take(owner: FeedOwner, limit: number): Promise<() => void>;
  /** Renews the leases of this process. Call it every 15 s. Never throws. */
  heartbeat(): Promise<void>;
  /** Resolves when the released leases are deleted. */
  settled(): Promise<void>;
}

/** Streams that can wait to be opened. */
const MAX_WAITING = 2000;
/** `Retry-After` of a refusal. */
const RETRY_AFTER_SECONDS = 5;

type StreamLeaseDeps = Pick<ServiceDeps, 'db' | 'clock' | 'log'>;

export function createStreamLeases({ db, clock, log }: StreamLeaseDeps): StreamLeases {
  const processId = randomUUID();
  // However many streams open at once, only one connection waits for the lock.
  const requests = createBatcher<RequestedLease, boolean>({
    run: acquire,
    maxWeight: 100,
    concurrency: 1,
    maxWaiting: MAX_WAITING,
    refuse: () => serviceError('OVERLOADED'),
  });
  const taken = new Map<string, StreamLease>();
  /** Being acquired, and perhaps in the table already. */
  const wanted = new Set<string>();
  let released: string[] = [];
  let deleting: Promise<void> | undefined;
  return { take, heartbeat, settled: async () => deleting };

  async function take(owner: FeedOwner, limit: number): Promise<() => void> {
    const { platformId, livemode } = owner;
    const lease: StreamLease = { id: randomUUID(), platformId, livemode };
    wanted.add(lease.id);
    try {
      const isAcquired = await requests.submit({ ...lease, limit });
      if (!isAcquired) failFull(limit);
      taken.set(lease.id, lease);
    } finally {
      wanted.delete(lease.id);
    }
    return () => release(lease.id);
  }

  async function acquire(leases: readonly RequestedLease[]): Promise<boolean[]> {
    const acquired = await db.transaction((tx) => acquireLeases(tx, leases, { processId, ...moment() }));
    return leases.map(({ id }) => acquired.has(id));
  }

  /** Streams that end together are released in one statement. */
  function release(leaseId: string): void {
    if (!taken.delete(leaseId)) return;
    released.push(leaseId);
    deleting ??= new Promise<void>((resolve) => setImmediate(resolve)).then(deleteReleased).finally(() => {
      deleting = undefined;
    });
  }

  async function deleteReleased(): Promise<void> {
    while (released.length > 0) {
      const leaseIds = released;
      released = [];
      // If this fails, the next heartbeat deletes them, or they become stale.
      await releaseLeases(db, leaseIds).catch(logError);
    }
  }

  async function heartbeat(): Promise<void> {
    const known = [...taken.keys(), ...wanted];
    await renewLeases(db, [...taken.values()], { processId, known, ...moment() }).catch(logError);
  }

  function moment(): { now: Date; staleBefore: Date } {
    const now = clock.now();
    return { now, staleBefore: new Date(now.getTime() - STALE_STREAM_MS) };
  }

  function logError(error: unknown): void {
    if (!isDatabaseUnavailable(error))
      log.warn({ err: error }, 'the stream leases could not be renewed or released');
  }
}

function failFull(limit: number): never {
  return fail('STREAM_LIMIT_REACHED', {
    message: `All ${limit} streams that the plan allows in this mode are open. Close one, or wait until one ends.`,
    details: { limit },
    headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
  });
}
