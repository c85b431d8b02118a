import type { Queryable, Tx } from '../../../kit/db/database.js';
import type { FeedOwner } from './store.js';

/** A stream that is open in this process, as all processes together count it. */
export interface StreamLease extends FeedOwner {
  readonly id: string;
}

/** A seat that is asked for, and how many of its platform and mode there may be. */
export interface RequestedLease extends StreamLease {
  readonly limit: number;
}

/**
 * Takes seats in the order they are asked for, as many as there may be; one that nobody has vouched for since `staleBefore` counts
 * no more. Processes that ask at the same time wait in line. Answers the ids of those that were to be had.
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
    // A statement of its own, begun when the locks are held: it sees what those before in line have committed.
    tx.query<{ seatId: string }>(
      `insert into stream_seat (seat_id, platform_id, livemode, process_id, seen_at)
       select seat_id, platform_id, livemode, $5, $6 from (
         select w.*, row_number() over (partition by platform_id, livemode order by place) + (
           select count(*) from stream_seat s
           where s.platform_id = w.platform_id and s.livemode = w.livemode and s.seen_at > $7
         ) as number
         from unnest($1::uuid[], $2::uuid[], $3::boolean[], $4::integer[])
           with ordinality as w (seat_id, platform_id, livemode, most, place)
       ) as numbered
       where number <= most
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
 * Says that the seats are still taken, puts those back that others have cleared away, and clears away what nobody vouches for: seats
 * of processes that have died, and those of this one that it no longer knows.
 * @param known ids of the seats taken and of those being taken.
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
    `with unclaimed as (
       select seat_id from stream_seat
       where (process_id <> $1 and seen_at < $2) or (process_id = $1 and seat_id <> all($3::uuid[]))
       for update skip locked
     ), cleared as (
       delete from stream_seat where seat_id in (select seat_id from unclaimed)
     )
     insert into stream_seat (seat_id, platform_id, livemode, process_id, seen_at)
     select seat_id, platform_id, livemode, $1, $4
     from unnest($5::uuid[], $6::uuid[], $7::boolean[]) as taken (seat_id, platform_id, livemode)
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

/** A key that is neither revoked nor of an inactive platform. */
export interface ActiveKey {
  readonly id: string;
  readonly scopes: readonly string[];
  readonly expiresAt: Date | null;
}

export function findActiveKeys(db: Queryable, keyIds: readonly string[]): Promise<ActiveKey[]> {
  return db.query<ActiveKey>(
    `select k.key_id as id, k.scopes, k.expires_at
     from api_key k join platform p using (platform_id)
     where k.key_id = any($1::uuid[]) and k.is_active and p.is_active`,
    [keyIds],
  );
}
