import type { EnvelopeType } from '../../../domain/envelopes/catalogue.js';
import type { Queryable } from '../../../kit/db/database.js';

/** Whose envelopes: a platform's, in one mode. */
export interface FeedOwner {
  readonly platformId: string;
  readonly livemode: boolean;
}

/** A place in the order of envelopes (0003_outbox.sql): by transaction, then by id. */
export interface Position {
  readonly xid: string;
  readonly id: string;
}

export function isBehind(left: Position, right: Position): boolean {
  if (left.xid !== right.xid) return BigInt(left.xid) < BigInt(right.xid);
  return left.id < right.id;
}

const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

/** Where an owner's envelopes stand. */
export interface Present {
  /** Everything before it has been committed; whatever commits from now on comes behind it. */
  readonly position: Position;
  /** Of the last envelope before it; null: there is none. */
  readonly newestId: string | null;
}

export async function findPresent(db: Queryable, owner: FeedOwner): Promise<Present> {
  const [row] = await db.query<{ xid: string; newestId: string | null }>(
    `select s.xmin::text as xid, (
       select envelope_id from envelope
       where platform_id = $1 and livemode = $2 and xid < s.xmin and only_target is null
       order by xid desc, envelope_id desc limit 1
     ) as newest_id
     from (select pg_snapshot_xmin(pg_current_snapshot()) as xmin) s`,
    [owner.platformId, owner.livemode],
  );
  if (!row) throw new Error('a select without a table answered no row');
  return { position: { xid: row.xid, id: LOWEST_ID }, newestId: row.newestId };
}

/** An envelope in its place. */
export interface PlacedEnvelope extends Position {
  /** Which of the owners asked for, counted from 0. */
  readonly owner: number;
  readonly type: EnvelopeType;
  /** null: not to be streamed, or not yet settled. */
  readonly body: string | null;
  /** Every transaction that began before the row's own has ended: nothing can come to sort before it any more. */
  readonly isSettled: boolean;
}

/**
 * What stands behind a place in each owner's order, at most `limit` rows of each. Rows that are not settled come last and
 * without their text: they are only a reason to look again soon.
 */
export async function readBehind(
  db: Queryable,
  places: readonly (FeedOwner & { readonly position: Position })[],
  limit: number,
): Promise<PlacedEnvelope[]> {
  return db.query<PlacedEnvelope>(
    `select p.place::integer - 1 as owner, e.xid::text as xid, e.envelope_id as id, e.type, e.xid < s.xmin as "isSettled",
       case when e.xid < s.xmin and e.only_target is null then e.body end as body
     from unnest($1::uuid[], $2::boolean[], $3::xid8[], $4::uuid[])
         with ordinality as p (platform_id, livemode, xid, envelope_id, place)
       cross join (
         select pg_snapshot_xmin(now) as xmin, pg_snapshot_xmax(now) as xmax from pg_current_snapshot() as now
       ) s
       cross join lateral (
         select * from envelope e
         where e.platform_id = p.platform_id and e.livemode = p.livemode
           and (e.xid, e.envelope_id) > (p.xid, p.envelope_id) and e.xid < s.xmax
         order by e.xid, e.envelope_id
         limit $5
       ) e
     order by p.place, e.xid, e.envelope_id`,
    [
      places.map(({ platformId }) => platformId),
      places.map(({ livemode }) => livemode),
      places.map(({ position }) => position.xid),
      places.map(({ position }) => position.id),
      limit,
    ],
  );
}

/** Where the envelope stands, and how many came after it, counted up to `most`. null: the owner was never streamed it. */
export async function findPlace(
  db: Queryable,
  owner: FeedOwner,
  envelopeId: string,
  most: number,
): Promise<{ position: Position; later: number } | null> {
  const [row] = await db.query<Position & { later: number }>(
    `select e.xid::text as xid, e.envelope_id as id, (
       select count(*)::integer from (
         select 1 from envelope l
         where l.platform_id = $1 and l.livemode = $2 and l.only_target is null
           and (l.xid, l.envelope_id) > (e.xid, e.envelope_id)
           and l.xid < pg_snapshot_xmin(pg_current_snapshot())
         limit $4
       ) as after
     ) as later
     from envelope e
     where e.platform_id = $1 and e.livemode = $2 and e.envelope_id = $3 and e.only_target is null`,
    [owner.platformId, owner.livemode, envelopeId, most],
  );
  return row ? { position: { xid: row.xid, id: row.id }, later: row.later } : null;
}
