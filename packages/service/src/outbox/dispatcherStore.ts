import { isEnvelopeType } from '../domain/envelopes/catalogue.js';
import type { Database, Queryable, Tx } from '../kit/db/database.js';
import type { ClaimedItem, TargetKind } from './channelAdapter.js';
import type { Capacity } from './targetWindows.js';

/** What whoever claimed an item records of it counts only while the claim is still its own. */
export interface HeldItem extends ClaimedItem {
  readonly kind: TargetKind;
  readonly claim: string;
}

/** Names a row of the queue that this process holds. */
export type Held = Pick<HeldItem, 'targetId' | 'envelopeId' | 'claim'>;

export interface Claim {
  readonly items: readonly HeldItem[];
  /** Claimed rows with nothing to send: a reset or the retention took their envelope. */
  readonly orphans: readonly Held[];
  /** Where the next claim goes on: this one has not looked behind this target. Null: it has seen them all. */
  readonly next: string | null;
  /** There was more that is due than the room allowed. */
  readonly isLimited: boolean;
  /** When the first of what it has seen and left comes due; null: nothing waits. */
  readonly nextDueAt: Date | null;
}

interface ClaimOptions {
  capacity: Capacity;
  /** Look behind this target only. */
  after: string;
  claim: string;
  now: Date;
  /** The rows are due again then, unless they have been settled. */
  leaseEndsAt: Date;
}

/** Before every target. */
export const FIRST_TARGET = '00000000-0000-0000-0000-000000000000';
/** Targets that one claim looks at: it stays short while thousands wait for a retry. */
const MAX_TARGETS = 500;

/**
 * Takes what is due for as many lanes as there are, as much of each as it has room for, oldest first. Walks the index from
 * target to target, so a lane that may take nothing costs one look however much waits in it. Where there is more than room,
 * every lane gets its first row before any gets a second.
 */
export async function claimDue(db: Database, options: ClaimOptions): Promise<Claim> {
  const { capacity, now } = options;
  const rows = await db.transaction(async (tx) => {
    const [, claimed] = await Promise.all([
      tx.query(CLAIM_SETTINGS),
      tx.query<ClaimRow>(CLAIM, [
        options.after,
        now,
        capacity.rows,
        capacity.doubtfulRows,
        capacity.windows.map((window) => window.targetId),
        capacity.windows.map((window) => window.rows),
        capacity.windows.map((window) => window.isGood),
        capacity.fresh.map((fresh) => fresh.kind),
        capacity.fresh.map((fresh) => fresh.rows),
        options.leaseEndsAt,
        options.claim,
        MAX_TARGETS,
      ]),
    ]);
    return claimed;
  });
  const [first] = rows;
  const taken = rows.filter(({ targetId }) => targetId !== null);
  return {
    items: taken.filter((row) => row.body !== null && isEnvelopeType(row.type)),
    orphans: taken.filter((row) => row.body === null || !isEnvelopeType(row.type)),
    next: first && first.seen >= MAX_TARGETS ? first.lastSeen : null,
    isLimited: first?.isLimited ?? false,
    nextDueAt: first?.nextDueAt ?? null,
  };
}

interface ClaimRow extends HeldItem {
  seen: number;
  lastSeen: string | null;
  isLimited: boolean;
  nextDueAt: Date | null;
}

/**
 * The queue is empty one moment and long the next, while its statistics tell of some time in between: a plan made for an empty
 * table would read all of a long one at every step. And a claim that a crash of the server forgets does no harm,
 * its rows are just still due, so nobody waits for the disk.
 */
const CLAIM_SETTINGS = `select set_config('enable_seqscan', 'off', true), set_config('enable_incremental_sort', 'off', true),
  set_config('synchronous_commit', 'off', true)`;

// By ctid, since every row found is locked until the update: a join by key could be planned as a scan of the whole queue.
const CLAIM = `
  with recursive step as (
    (select target_id, kind, due_at, 1 as number from outbox_queue where target_id > $1::uuid
     order by target_id, due_at, envelope_id limit 1)
    union all
    select following.target_id, following.kind, following.due_at, step.number + 1
    from step cross join lateral (
      select target_id, kind, due_at from outbox_queue where target_id > step.target_id
      order by target_id, due_at, envelope_id limit 1
    ) following
    where step.number < $12::integer
  ), lane as (
    select step.target_id, coalesce(known.room, fresh.room, 0) as room, coalesce(known.is_good, false) as is_good
    from step
    left join unnest($5::uuid[], $6::integer[], $7::boolean[]) as known (target_id, room, is_good) using (target_id)
    left join unnest($8::text[], $9::integer[]) as fresh (kind, room) on fresh.kind = step.kind
    where step.due_at <= $2::timestamptz
  ), due as (
    select lane.target_id, lane.is_good, found.*
    from lane cross join lateral (
      select q.ctid as place, q.due_at, q.envelope_id from outbox_queue q
      where q.target_id = lane.target_id and q.due_at <= $2::timestamptz
      order by q.due_at, q.envelope_id limit least(lane.room, case when lane.is_good then $3::integer else $4::integer end)
      for update skip locked
    ) found
    where lane.room > 0
  ), ranked as (
    select place, is_good, row_number() over (partition by target_id order by due_at, envelope_id) as turn from due
  ), doubtful as (
    select place, turn from ranked where not is_good order by turn, random() limit $4::integer
  ), picked as (
    select place from (
      select place, turn from ranked where is_good union all select place, turn from doubtful
    ) allowed order by turn, random() limit $3::integer
  ), claimed as (
    update outbox_queue q set due_at = $10::timestamptz, claim = $11::uuid
    where q.ctid = any(array(select place from picked))
    returning q.target_id, q.envelope_id, q.platform_id, q.kind, q.attempt, q.claim
  ), walk as (
    select count(*)::integer as seen, (select target_id from step order by number desc limit 1) as last_seen,
      min(due_at) filter (where due_at > $2::timestamptz) as next_due_at,
      (select count(*) from due) > (select count(*) from picked) as is_limited
    from step
  )
  select walk.seen, walk.last_seen, walk.next_due_at, walk.is_limited,
    c.target_id, c.envelope_id, c.platform_id, c.kind, c.attempt, c.claim,
    e.type, e.body, e.created_at as "envelopeCreatedAt"
  from walk left join claimed c on true
  left join envelope e on e.platform_id = c.platform_id and e.envelope_id = c.envelope_id
  order by c.target_id, c.envelope_id`;

/** Takes rows out of the queue: delivered, given up, or nothing to send. */
export async function removeItems(db: Queryable, items: readonly Held[]): Promise<void> {
  if (items.length === 0) return;
  await db.execute(
    `delete from outbox_queue q
     using unnest($1::uuid[], $2::uuid[], $3::uuid[]) as held (target_id, envelope_id, claim)
     where q.target_id = held.target_id and q.envelope_id = held.envelope_id and q.claim = held.claim`,
    columnsOf(items),
  );
}

/** Puts rows off until their next attempt. */
export async function putOffItems(
  tx: Tx,
  items: readonly (Held & { readonly retryAt: Date })[],
): Promise<void> {
  if (items.length === 0) return;
  await tx.execute(
    `update outbox_queue q set attempt = q.attempt + 1, due_at = held.retry_at, claim = null
     from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[]) as held (target_id, envelope_id, claim, retry_at)
     where q.target_id = held.target_id and q.envelope_id = held.envelope_id and q.claim = held.claim`,
    [...columnsOf(items), items.map((item) => item.retryAt)],
  );
}

/** Gives rows back as they were taken: due at once, no attempt counted. */
export async function releaseItems(db: Queryable, items: readonly Held[], now: Date): Promise<void> {
  if (items.length === 0) return;
  await db.execute(
    `update outbox_queue q set due_at = $4, claim = null
     from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as held (target_id, envelope_id, claim)
     where q.target_id = held.target_id and q.envelope_id = held.envelope_id and q.claim = held.claim`,
    [...columnsOf(items), now],
  );
}

function columnsOf(items: readonly Held[]): string[][] {
  return [
    items.map((item) => item.targetId),
    items.map((item) => item.envelopeId),
    items.map((item) => item.claim),
  ];
}
