import type { Queryable, Tx } from '../../../kit/db/database.js';
import type { FeedOwner } from './store.js';

/**
 * The claim of an open stream to one of the streams that the plan allows. All processes share the
 * table of leases.
 */
export interface StreamLease extends FeedOwner {
  readonly id: string;
}

/** A lease to acquire, with the cap of its platform and mode. */
export interface RequestedLease extends StreamLease {
  readonly limit: number;
}

/**
 * Acquires leases in the given order up to the cap. Leases without a heartbeat since `staleBefore`
 * do not count. Simultaneous calls of several processes run one after the other. @returns the ids
 * of the acquired leases.
 */
export async function acquireLeases(
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
    tx.query<{ seatId: string }>(
      `insert into stream_seat (seat_id, platform_id, livemode, process_id, seen_at)
       select seat_id, platform_id, livemode, $5, $6 from (
         select w.*, row_number() over (partition by platform_id, livemode order by position) + (
           select count(*) from stream_seat s
           where s.platform_id = w.platform_id and s.livemode = w.livemode and s.seen_at > $7
         ) as number
         from unnest($1::uuid[], $2::uuid[], $3::boolean[], $4::integer[])
           with ordinality as w (seat_id, platform_id, livemode, cap, position)
       ) as numbered
       where number <= cap
       returning seat_id`,
      [
        wanted.map(({ id }) => id),
        wanted.map(({ platformId }) => platformId),
        wanted.map(({ livemode }) => livemode),
        wanted.map(({ limit }) => limit),
        processId,
        now,
        staleBefore,
      ],
    ),
  ]);
  return new Set(taken.map(({ seatId }) => seatId));
}

export async function releaseLeases(db: Queryable, leaseIds: readonly string[]): Promise<void> {
  await db.execute('delete from stream_seat where seat_id = any($1::uuid[])', [leaseIds]);
}

/**
 * Renews the leases, restores those that another process deleted, and deletes abandoned ones:
 * leases of dead processes, and those that this process no longer knows.
 * @param known ids of the leases held or being acquired.
 */
export async function renewLeases(
  db: Queryable,
  leases: readonly StreamLease[],
  {
    processId,
    known,
    now,
    staleBefore,
  }: { processId: string; known: string[]; now: Date; staleBefore: Date },
): Promise<void> {
  await db.execute(
    `with abandoned as (
       select seat_id from stream_seat
       where (process_id <> $1 and seen_at < $2) or (process_id = $1 and seat_id <> all($3::uuid[]))
       for update skip locked
     ), deleted as (
       delete from stream_seat where seat_id in (select seat_id from abandoned)
     )
     insert into stream_seat (seat_id, platform_id, livemode, process_id, seen_at)
     select seat_id, platform_id, livemode, $1, $4
     from unnest($5::uuid[], $6::uuid[], $7::boolean[]) as renewed (seat_id, platform_id, livemode)
     on conflict (seat_id) do update set seen_at = excluded.seen_at`,
    [
      processId,
      staleBefore,
      known,
      now,
      leases.map(({ id }) => id),
      leases.map(({ platformId }) => platformId),
      leases.map(({ livemode }) => livemode),
    ],
  );
}

/** A key that is not revoked and whose platform is active. */
export interface ActiveKey {
  readonly id: string;
  readonly scopes: readonly string[];
  readonly expiresAt: Date | null;
}

export function findActiveKeys(db: Queryable, keyIds: readonly string[]): Promise<ActiveKey[]> {
  return db.ofGroup(0).query<ActiveKey>(
    `select k.key_id as id, k.scopes, k.expires_at
     from api_key k join platform p using (platform_id)
     where k.key_id = any($1::uuid[]) and k.is_active and p.is_active`,
    [keyIds],
  );
}
