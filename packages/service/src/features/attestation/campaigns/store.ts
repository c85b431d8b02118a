import type { z } from 'zod';
import type { Queryable, Tx } from '#kit/db/database.js';
import { insertRow, pick } from '#kit/db/rows.js';
import type { ModeOwner } from '#ledger/reads/ownedRows.js';
import { ownedRows } from '#ledger/reads/ownedRows.js';
import type { Campaign, CampaignQuery, Funnel } from './rows.js';

const stored = ownedRows<Campaign & { createdAt: Date }>({
  table: 'activation_campaign',
  id: 'campaign_id',
  columns: 'campaign_id as id, name, created_at',
  missing: 'There is no campaign with this id.',
});

/**
 * The campaign of this name, created if there is none, and locked until the transaction ends. A
 * request that adds rows to it at the same moment waits, and finds the rows of this one.
 */
export async function lockCampaign(
  tx: Tx,
  { platformId, livemode }: ModeOwner,
  draft: Campaign,
  now: Date,
): Promise<Campaign> {
  const row = { platformId, campaignId: draft.id, livemode, name: draft.name, createdAt: now };
  await insertRow(tx, 'activation_campaign', row, 'on conflict (platform_id, livemode, name) do nothing');
  const [locked] = await tx.query<Campaign>(
    `select campaign_id as id, name from activation_campaign where platform_id = $1 and livemode = $2 and name = $3
     for update`,
    [platformId, livemode, draft.name],
  );
  if (!locked) throw new Error('the campaign is gone after its insert');
  return locked;
}

/** The ids of the requests that the campaign has already, by row key. */
export async function findKnownRows(
  tx: Tx,
  { platformId }: ModeOwner,
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

/** A page, newest first, each campaign with its counts at `now`. */
export async function listCampaigns(
  db: Queryable,
  owner: ModeOwner,
  query: z.output<typeof CampaignQuery>,
  now: Date,
) {
  const { rows, nextCursor } = await stored.newest(db, owner, query);
  const ids = rows.map(({ id }) => id);
  const funnelOf = await countFunnels(db, owner, ids, now);
  return { campaigns: rows.map((row) => ({ ...row, funnel: funnelOf(row.id) })), nextCursor };
}

/** A campaign and its counts at `now`. Throws NOT_FOUND. */
export async function readCampaign(db: Queryable, owner: ModeOwner, id: string, now: Date) {
  const campaign = pick(await stored.read(db, owner, id), 'id', 'name');
  const funnelOf = await countFunnels(db, owner, [campaign.id], now);
  return { campaign, funnel: funnelOf(campaign.id) };
}

const EMPTY: Funnel = { submitted: 0, confirmed: 0, declined: 0, expired: 0, cancelled: 0, pending: 0 };

/** Counts the requests of each campaign by their status at `now`, as `statusAt` says. */
async function countFunnels(
  db: Queryable,
  { platformId }: ModeOwner,
  campaignIds: readonly string[],
  now: Date,
): Promise<(campaignId: string) => Funnel> {
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
  const funnels = new Map(rows.map(({ id, ...funnel }) => [id, funnel]));
  return (id) => funnels.get(id) ?? EMPTY;
}
