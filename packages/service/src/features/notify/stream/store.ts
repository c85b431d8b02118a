import type { EnvelopeType } from '#domain/envelopes/catalogue.js';
import type { Queryable } from '#kit/db/database.js';
import { rowsOf, sql } from '#kit/db/rows.js';
import type { ModeOwner } from '#ledger/reads/ownedRows.js';

/** A position in the order of envelopes (0005_outbox.sql): by transaction, then by id. */
export interface Position {
  readonly xid: string;
  readonly id: string;
}

export function isAfter(left: Position, right: Position): boolean {
  if (left.xid !== right.xid) return BigInt(left.xid) > BigInt(right.xid);
  return left.id > right.id;
}

const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

/** How far the envelopes of an owner are committed. */
export interface FeedState {
  /** Everything before it is committed. Everything that commits later comes after it. */
  readonly position: Position;
  /** The last envelope before the position; null: there is none. */
  readonly newestId: string | null;
}

export async function findFeedState(db: Queryable, owner: ModeOwner): Promise<FeedState> {
  const [row] = await db.query<{ xid: string; newestId: string | null }>(
    `select s.xmin::text as xid, (
       select envelope_id from envelope
       where platform_id = $1 and livemode = $2 and xid < s.xmin and only_target is null
       order by xid desc, envelope_id desc limit 1
     ) as newest_id
     from (select pg_snapshot_xmin(pg_current_snapshot()) as xmin) s`,
    [owner.platformId, owner.livemode],
  );
  if (!row) throw new Error('a select without a table returned no row');
  return { position: { xid: row.xid, id: LOWEST_ID }, newestId: row.newestId };
}

export interface PositionedEnvelope extends Position {
  /** Index of its cursor. */
  readonly owner: number;
  readonly type: EnvelopeType;
  /** null: not to be streamed, or not yet settled. */
  readonly body: string | null;
  /**
   * Every transaction that began before the row's own has ended, so no row can be inserted before
   * it.
   */
  readonly isSettled: boolean;
}

type Cursor = ModeOwner & { readonly position: Position };

const cursorColumns = rowsOf<Cursor>(
  { uuid: ['platformId'], boolean: ['livemode'] },
  { xid: ['xid8', ({ position }) => position.xid], envelopeId: ['uuid', ({ position }) => position.id] },
);

/**
 * The envelopes after each cursor, at most `limit` rows each. Rows that are not settled come last
 * and without their body. They only show that another read is due soon.
 */
export function readAfter(
  db: Queryable,
  cursors: readonly Cursor[],
  limit: number,
): Promise<PositionedEnvelope[]> {
  return sql`
    select p.number::integer - 1 as owner, e.xid::text as xid, e.envelope_id as id, e.type, e.xid < s.xmin as is_settled,
      case when e.xid < s.xmin and e.only_target is null and e.body <> '' then e.body end as body
    from ${cursorColumns.as('p', cursors, 'number')}
      cross join (
        select pg_snapshot_xmin(now) as xmin, pg_snapshot_xmax(now) as xmax from pg_current_snapshot() as now
      ) s
      cross join lateral (
        select * from envelope e
        where e.platform_id = p.platform_id and e.livemode = p.livemode
          and (e.xid, e.envelope_id) > (p.xid, p.envelope_id) and e.xid < s.xmax
        order by e.xid, e.envelope_id
        limit ${limit}
      ) e
    order by p.number, e.xid, e.envelope_id`.query<PositionedEnvelope>(db);
}

/**
 * The position of an envelope and how many follow it, counted up to `max`. null: it was never
 * streamed to the owner.
 */
export async function findPosition(
  db: Queryable,
  owner: ModeOwner,
  envelopeId: string,
  max: number,
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
    [owner.platformId, owner.livemode, envelopeId, max],
  );
  return row ? { position: { xid: row.xid, id: row.id }, later: row.later } : null;
}
