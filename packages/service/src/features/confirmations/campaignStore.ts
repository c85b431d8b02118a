import type { Queryable, Tx } from '../../kit/db/database.js';
import type { Owner } from './store.js';

export interface Campaign {
  readonly id: string;
  readonly name: string;
}

/**
 * The campaign of this name, made where there is none, and held until the transaction ends: whoever adds rows to it at the same
 * moment waits, and finds them then.
 */
export async function holdCampaign(
  tx: Tx,
  { platformId, livemode }: Owner,
  draft: Campaign,
  now: Date,
): Promise<Campaign> {
  await tx.execute(
    `insert into activation_campaign (platform_id, campaign_id, livemode, name, created_at) values ($1, $2, $3, $4, $5)
     on conflict (platform_id, livemode, name) do nothing`,
    [platformId, draft.id, livemode, draft.name, now],
  );
  const [held] = await tx.query<Campaign>(
    `select campaign_id as id, name from activation_campaign where platform_id = $1 and livemode = $2 and name = $3
     for update`,
    [platformId, livemode, draft.name],
  );
  if (!held) throw new Error('a campaign vanished while it was being held');
  return held;
}

/** Which of these rows have been asked for, with their requests. */
export async function findKnownRows(
  tx: Tx,
  { platformId }: Owner,
  campaignId: string,
  rowKeys: readonly string[],
): Promise<Map<string, string>> {
  const rows = await tx.query<{ row_key: string; id: string }>(
    `select row_key, confirmation_id as id from confirmation
     where platform_id = $1 and campaign_id = $2 and row_key = any($3::text[])`,
    [platformId, campaignId, rowKeys],
  );
  return new Map(rows.map(({ row_key, id }) => [row_key, id]));
}

export async function findCampaign(
  db: Queryable,
  { platformId, livemode }: Owner,
  id: string,
): Promise<Campaign | null> {
  const [row] = await db.query<Campaign>(
    `select campaign_id as id, name from activation_campaign where platform_id = $1 and livemode = $2 and campaign_id = $3`,
    [platformId, livemode, id],
  );
  return row ?? null;
}

/** How the requests of a campaign stand. */
export interface Funnel {
  readonly submitted: number;
  readonly confirmed: number;
  readonly declined: number;
  readonly expired: number;
  readonly cancelled: number;
  readonly pending: number;
}

/** As they read at `now` (statusAt). */
export async function countFunnel(
  db: Queryable,
  { platformId }: Owner,
  campaignId: string,
  now: Date,
): Promise<Funnel> {
  const [row] = await db.query<Funnel>(
    `select count(*) as submitted,
       count(*) filter (where status = 'CONFIRMED') as confirmed,
       count(*) filter (where status = 'DECLINED') as declined,
       count(*) filter (where status = 'EXPIRED' or status = 'PENDING' and expires_at <= $3) as expired,
       count(*) filter (where status = 'CANCELLED') as cancelled,
       count(*) filter (where status = 'PENDING' and expires_at > $3) as pending
     from confirmation where platform_id = $1 and campaign_id = $2`,
    [platformId, campaignId, now],
  );
  if (!row) throw new Error('counting gave no row');
  return row;
}
