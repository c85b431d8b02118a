import { isEnvelopeType } from '#domain/envelopes/catalogue.js';
import { type Database, endWith, type Queryable, type Tx } from '#kit/db/database.js';
import { raw, rowsOf, type Sql, sql } from '#kit/db/rows.js';
import type { ClaimedItem, ClaimKey } from './channelAdapter.js';
import type { Capacity } from './targetWindows.js';

export interface Claim {
  readonly items: readonly ClaimedItem[];
  /** Claimed rows whose envelope was deleted by a reset or by retention, or emptied by an erasure. */
  readonly orphans: readonly ClaimKey[];
  /** The target after which the next claim continues. Null: all targets were examined. */
  readonly next: string | null;
  /** More rows were due than the capacity allowed. */
  readonly isLimited: boolean;
  /** When the next examined and unclaimed row becomes due; null: none waits. */
  readonly nextDueAt: Date | null;
}

interface ClaimOptions {
  capacity: Capacity;
  after: string;
  claim: string;
  now: Date;
  leaseEndsAt: Date;
}

export const FIRST_TARGET = '00000000-0000-0000-0000-000000000000';
/** Targets per claim: bounds its time while thousands wait for a retry. */
const MAX_TARGETS = 500;

/**
 * Claims due rows of all targets, oldest first, up to the free slots of each window. Walks the index from
 * target to target, so a target with a full window costs one lookup, however many rows it has. If more rows
 * are due than the capacity allows, every target gets its first row before any gets a second.
 */
export async function claimDue(db: Database, options: ClaimOptions): Promise<Claim> {
  const rows = await db.transaction(async (tx) => {
    const sent = Promise.all([tx.query(CLAIM_SETTINGS), claiming(options).query<ClaimRow>(tx)]);
    const [, claimed] = await endWith(tx, sent);
    return claimed;
  });
  const [first] = rows;
  const taken = rows.filter(({ targetId }) => targetId !== null);
  return {
    items: taken.filter((row) => row.body && isEnvelopeType(row.type)),
    orphans: taken.filter((row) => !row.body || !isEnvelopeType(row.type)),
    next: first && first.seen >= MAX_TARGETS ? first.lastSeen : null,
    isLimited: first?.isLimited ?? false,
    nextDueAt: first?.nextDueAt ?? null,
  };
}

interface ClaimRow extends ClaimedItem {
  seen: number;
  lastSeen: string | null;
  isLimited: boolean;
  nextDueAt: Date | null;
}

/**
 * The length of the queue changes faster than its statistics: a plan for an empty table would scan
 * a long one at every step, so sequential scans are off. A claim lost in a server crash does no
 * harm, since its rows are still due, so the commit does not wait for the disk.
 */
const CLAIM_SETTINGS = `select set_config('enable_seqscan', 'off', true), set_config('enable_incremental_sort', 'off', true),
  set_config('synchronous_commit', 'off', true)`;

// By ctid, which is stable because every row found is locked until the update. A join by key could
// be planned as a scan of the whole queue.
const windowColumns = rowsOf<Capacity['windows'][number]>({
  uuid: ['targetId'],
  integer: ['rows'],
  boolean: ['isHealthy'],
});
const freshColumns = rowsOf<Capacity['fresh'][number]>({ text: ['kind'], integer: ['rows'] });

function claiming({ capacity, after, now, leaseEndsAt, claim }: ClaimOptions): Sql {
  return sql`
  with recursive step as (
    (select target_id, kind, due_at, 1 as number from outbox_queue where target_id > ${after}::uuid
     order by target_id, due_at, envelope_id limit 1)
    union all
    select following.target_id, following.kind, following.due_at, step.number + 1
    from step cross join lateral (
      select target_id, kind, due_at from outbox_queue where target_id > step.target_id
      order by target_id, due_at, envelope_id limit 1
    ) following
    where step.number < ${MAX_TARGETS}::integer
  ), target_window as (
    select step.target_id, coalesce(windows.rows, fresh.rows, 0) as free_slots,
      coalesce(windows.is_healthy, false) as is_healthy
    from step
    left join ${windowColumns.as('windows', capacity.windows)} using (target_id)
    left join ${freshColumns.as('fresh', capacity.fresh)} on fresh.kind = step.kind
    where step.due_at <= ${now}::timestamptz
  ), due as (
    select target_window.target_id, target_window.is_healthy, found.*
    from target_window cross join lateral (
      select q.ctid as row_id, q.due_at, q.envelope_id from outbox_queue q
      where q.target_id = target_window.target_id and q.due_at <= ${now}::timestamptz
      order by q.due_at, q.envelope_id
      limit least(target_window.free_slots, case when target_window.is_healthy then ${capacity.rows}::integer else ${capacity.unhealthyRows}::integer end)
      for update skip locked
    ) found
    where target_window.free_slots > 0
  ), ranked as (
    select row_id, is_healthy, row_number() over (partition by target_id order by due_at, envelope_id) as turn from due
  ), unhealthy as (
    select row_id, turn from ranked where not is_healthy order by turn, random() limit ${capacity.unhealthyRows}::integer
  ), picked as (
    select row_id from (
      select row_id, turn from ranked where is_healthy union all select row_id, turn from unhealthy
    ) allowed order by turn, random() limit ${capacity.rows}::integer
  ), claimed as (
    update outbox_queue q set due_at = ${leaseEndsAt}::timestamptz, claim = ${claim}::uuid
    where q.ctid = any(array(select row_id from picked))
    returning q.target_id, q.envelope_id, q.platform_id, q.kind, q.attempt, q.claim
  ), walk as (
    select count(*)::integer as seen, (select target_id from step order by number desc limit 1) as last_seen,
      min(due_at) filter (where due_at > ${now}::timestamptz) as next_due_at,
      (select count(*) from due) > (select count(*) from picked) as is_limited
    from step
  )
  select walk.seen, walk.last_seen, walk.next_due_at, walk.is_limited,
    c.target_id, c.envelope_id, c.platform_id, c.kind, c.attempt, c.claim,
    e.type, e.body, e.created_at as "envelopeCreatedAt"
  from walk left join claimed c on true
  left join envelope e on e.platform_id = c.platform_id and e.envelope_id = c.envelope_id
  order by c.target_id, c.envelope_id`;
}

const claimColumns = rowsOf<ClaimKey>({ uuid: ['targetId', 'envelopeId', 'claim'] });
type Postponed = ClaimKey & { readonly retryAt: Date };
const retryColumns = rowsOf<Postponed>({
  uuid: ['targetId', 'envelopeId', 'claim'],
  timestamptz: ['retryAt'],
});
const isClaimed = raw(
  'q.target_id = claimed.target_id and q.envelope_id = claimed.envelope_id and q.claim = claimed.claim',
);

/** Deletes rows: delivered, given up, or without an envelope. */
export async function removeItems(db: Queryable, items: readonly ClaimKey[]): Promise<void> {
  if (items.length === 0) return;
  const claimed = claimColumns.as('claimed', items);
  await sql`delete from outbox_queue q using ${claimed} where ${isClaimed}`.execute(db);
}

export async function postponeItems(tx: Tx, items: readonly Postponed[]): Promise<void> {
  if (items.length === 0) return;
  await sql`update outbox_queue q set attempt = q.attempt + 1, due_at = claimed.retry_at, claim = null
    from ${retryColumns.as('claimed', items)} where ${isClaimed}`.execute(tx);
}

/** Releases claimed rows: due at once, the attempt is not counted. */
export async function releaseItems(db: Queryable, items: readonly ClaimKey[], now: Date): Promise<void> {
  if (items.length === 0) return;
  await sql`update outbox_queue q set due_at = ${now}, claim = null
    from ${claimColumns.as('claimed', items)} where ${isClaimed}`.execute(db);
}
