import { randomUUID } from 'node:crypto';
import { fail, serviceError } from '#domain/errors.js';
import { createBatcher } from '#kit/batcher.js';
import { isDatabaseUnavailable, type Queryable, type Tx } from '#kit/db/database.js';
import { rowsOf, sql } from '#kit/db/rows.js';
import { STALE_STREAM_MS } from '#ledger/planCounts.js';
import type { ModeOwner } from '#ledger/reads/ownedRows.js';
import type { ServiceDeps } from '../../serviceDeps.js';

/**
 * The claim of an open stream to one of the streams that the plan allows. All processes share the
 * table of leases.
 */
interface StreamLease extends ModeOwner {
  readonly id: string;
}

/** A lease to acquire, with the cap of its platform and mode. */
interface RequestedLease extends StreamLease {
  readonly limit: number;
}

const leaseColumns = rowsOf<StreamLease>(
  { uuid: ['platformId'], boolean: ['livemode'] },
  { leaseId: ['uuid', ({ id }) => id] },
);
const requestColumns = rowsOf<RequestedLease>(
  { uuid: ['platformId'], boolean: ['livemode'] },
  { leaseId: ['uuid', ({ id }) => id], cap: ['integer', ({ limit }) => limit] },
);

/**
 * Acquires leases in the given order up to the cap. Leases without a heartbeat since `staleBefore`
 * do not count. Simultaneous calls of several processes run one after the other. @returns the ids
 * of the acquired leases.
 */
async function acquireLeases(
  tx: Tx,
  wanted: readonly RequestedLease[],
  { processId, now, staleBefore }: { processId: string; now: Date; staleBefore: Date },
): Promise<Set<string>> {
  const locks = wanted.map(({ platformId, livemode }) => `streams ${platformId} ${livemode}`);
  const [, taken] = await Promise.all([
    tx.query(
      `select pg_advisory_xact_lock(hashtextextended(name, 0))
       from (select distinct name from unnest($1::text[]) as name order by name) as sorted`,
      [locks],
    ),
    // A second statement, because only it sees what the locks' previous holders committed.
    sql`insert into stream_lease (lease_id, platform_id, livemode, process_id, seen_at)
      select lease_id, platform_id, livemode, ${processId}, ${now} from (
        select w.*, row_number() over (partition by platform_id, livemode order by position) + (
          select count(*) from stream_lease s
          where s.platform_id = w.platform_id and s.livemode = w.livemode and s.seen_at > ${staleBefore}
        ) as number
        from ${requestColumns.as('w', wanted, 'position')}
      ) as numbered
      where number <= cap
      returning lease_id`.query<{ leaseId: string }>(tx),
  ]);
  return new Set(taken.map(({ leaseId }) => leaseId));
}

async function releaseLeases(db: Queryable, leaseIds: readonly string[]): Promise<void> {
  await db.execute('delete from stream_lease where lease_id = any($1::uuid[])', [leaseIds]);
}

/**
 * Renews the leases, restores those that another process deleted, and deletes abandoned ones:
 * leases of dead processes, and those that this process no longer knows.
 * @param known ids of the leases held or being acquired.
 */
async function renewLeases(
  db: Queryable,
  leases: readonly StreamLease[],
  {
    processId,
    known,
    now,
    staleBefore,
  }: { processId: string; known: string[]; now: Date; staleBefore: Date },
): Promise<void> {
  await sql`with abandoned as (
      select lease_id from stream_lease
      where (process_id <> ${processId} and seen_at < ${staleBefore})
        or (process_id = ${processId} and lease_id <> all(${known}::uuid[]))
      for update skip locked
    ), deleted as (
      delete from stream_lease where lease_id in (select lease_id from abandoned)
    )
    insert into stream_lease (${leaseColumns.columns}, process_id, seen_at)
    select *, ${processId}, ${now} from ${leaseColumns.as('renewed', leases)}
    on conflict (lease_id) do update set seen_at = excluded.seen_at`.execute(db);
}

/** A key that is not revoked and whose platform is active. */
export interface ActiveKey {
  readonly id: string;
  readonly scopes: readonly string[];
  readonly expiresAt: Date | null;
}

export function findActiveKeys(db: Queryable, keyIds: readonly string[]): Promise<ActiveKey[]> {
  return db.shared.query<ActiveKey>(
    `select k.key_id as id, k.scopes, k.expires_at
     from api_key k join platform p using (platform_id)
     where k.key_id = any($1::uuid[]) and k.is_active and p.is_active`,
    [keyIds],
  );
}

/** Limits the streams of a platform and mode, across all processes, to the number of the plan. */
interface StreamLeases {
  /** Throws STREAM_LIMIT_REACHED. @returns the function that releases the lease. */
  take(owner: ModeOwner, limit: number): Promise<() => void>;
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

  async function take(owner: ModeOwner, limit: number): Promise<() => void> {
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
