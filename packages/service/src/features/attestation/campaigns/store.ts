import type { Queryable, Tx } from '../../../kit/db/database.js';
import {
  isWithin,
  type NewestPosition,
  type NewestRow,
  newestColumns,
} from '../../../ledger/reads/newestPage.js';
import type { Owner } from '../confirmations/store.js';

export interface Campaign {
  readonly id: string;
  readonly name: string;
}

/**
 * The campaign of this name, made where there is none, and held until the transaction ends: whoever adds rows to it at the same
 * moment waits, and finds them then.
 */
export async function lockCampaign(
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
  const rows = await tx.query<{ rowKey: string; id: string }>(
    `select row_key, confirmation_id as id from confirmation
     where platform_id = $1 and campaign_id = $2 and row_key = any($3::text[])`,
    [platformId, campaignId, rowKeys],
  );
  return new Map(rows.map(({ rowKey, id }) => [rowKey, id]));
}

/** Campaigns behind a position, newest first (newestPage). */
export function findCampaigns(
  db: Queryable,
  { platformId, livemode }: Owner,
  { beforeId, horizon }: NewestPosition,
  limit: number,
): Promise<(Campaign & { createdAt: Date } & NewestRow)[]> {
  return db.query(
    `select c.campaign_id as id, c.name, c.created_at, ${newestColumns('c', 'created_at')}
     from activation_campaign c cross join installation
     where c.platform_id = $1 and c.livemode = $2 and ($3::uuid is null or c.campaign_id < $3)
       and ${isWithin('$4', 'c', 'created_at')}
     order by c.campaign_id desc limit $5`,
    [platformId, livemode, beforeId, horizon, limit],
  );
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

/** Of each of the campaigns, as its requests read at `now` (statusAt). */
export async function countFunnels(
  db: Queryable,
  { platformId }: Owner,
  campaignIds: readonly string[],
  now: Date,
): Promise<Map<string, Funnel>> {
  const rows = await db.query<Funnel & { id: string }>(
    `select id, count(confirmation_id) as submitted,
       count(*) filter (where status = 'CONFIRMED') as confirmed,
       count(*) filter (where status = 'DECLINED') as declined,
       count(*) filter (where status = 'EXPIRED' or status = 'PENDING' and expires_at <= $3) as expired,
       count(*) filter (where status = 'CANCELLED') as cancelled,
       count(*) filter (where status = 'PENDING' and expires_at > $3) as pending
     from unnest($2::uuid[]) as campaign (id)
     left join confirmation on platform_id = $1 and campaign_id = campaign.id
     group by id`,
    [platformId, campaignIds, now],
  );
  return new Map(rows.map(({ id, ...funnel }) => [id, funnel]));
}
