import type { Queryable, Tx } from '../../../kit/db/database.js';
import { rowsOf, sql } from '../../../kit/db/rows.js';
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

const leaseColumns = rowsOf<StreamLease>(
  { uuid: ['platformId'], boolean: ['livemode'] },
  { seatId: ['uuid', ({ id }) => id] },
);
const requestColumns = rowsOf<RequestedLease>(
  { uuid: ['platformId'], boolean: ['livemode'] },
  { seatId: ['uuid', ({ id }) => id], cap: ['integer', ({ limit }) => limit] },
);

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
    sql`insert into stream_seat (seat_id, platform_id, livemode, process_id, seen_at)
      select seat_id, platform_id, livemode, ${processId}, ${now} from (
        select w.*, row_number() over (partition by platform_id, livemode order by position) + (
          select count(*) from stream_seat s
          where s.platform_id = w.platform_id and s.livemode = w.livemode and s.seen_at > ${staleBefore}
        ) as number
        from ${requestColumns.as('w', wanted, 'position')}
      ) as numbered
      where number <= cap
      returning seat_id`.query<{ seatId: string }>(tx),
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
  await sql`with abandoned as (
      select seat_id from stream_seat
      where (process_id <> ${processId} and seen_at < ${staleBefore})
        or (process_id = ${processId} and seat_id <> all(${known}::uuid[]))
      for update skip locked
    ), deleted as (
      delete from stream_seat where seat_id in (select seat_id from abandoned)
    )
    insert into stream_seat (${leaseColumns.columns}, process_id, seen_at)
    select *, ${processId}, ${now} from ${leaseColumns.as('renewed', leases)}
    on conflict (seat_id) do update set seen_at = excluded.seen_at`.execute(db);
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
