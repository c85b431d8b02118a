import type { Queryable, Tx } from '../../../kit/db/database.js';
import type { ChannelType } from './channelTarget.js';

/** Whose channels: a mode sees its own only. */
export interface ChannelOwner {
  readonly platformId: string;
  readonly livemode: boolean;
}

/** What is shown of a channel. */
export interface ChannelResponse {
  readonly id: string;
  readonly type: ChannelType;
  /** Masked. */
  readonly target: string;
  readonly isActive: boolean;
  readonly createdAt: Date;
  readonly lastSentAt: Date | null;
  readonly lastError: string | null;
}

const SHOWN = `channel_id as id, type, masked_target as target, is_active, created_at,
  last_sent_at, last_error`;

/** How many channels there are. From here to the end of the transaction nobody else adds one. */
export async function countChannelsAlone(tx: Tx, { platformId, livemode }: ChannelOwner): Promise<number> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `channels ${platformId} ${livemode}`,
  ]);
  const [row] = await tx.query<{ channels: number }>(
    'select count(*)::integer as channels from notification_channel where platform_id = $1 and livemode = $2',
    [platformId, livemode],
  );
  return row?.channels ?? 0;
}

export async function insertChannel(
  tx: Tx,
  owner: ChannelOwner,
  channel: ChannelResponse,
  sealedTarget: Buffer,
): Promise<void> {
  await tx.execute(
    `insert into notification_channel
       (channel_id, platform_id, livemode, type, sealed_target, masked_target, is_active, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      channel.id,
      owner.platformId,
      owner.livemode,
      channel.type,
      sealedTarget,
      channel.target,
      channel.isActive,
      channel.createdAt,
    ],
  );
}

/** Newest first, at most one more than `limit`. */
export function findChannels(
  db: Queryable,
  { platformId, livemode }: ChannelOwner,
  beforeId: string | null,
  limit: number,
): Promise<ChannelResponse[]> {
  return db.query<ChannelResponse>(
    `select ${SHOWN} from notification_channel
     where platform_id = $1 and livemode = $2 and ($3::uuid is null or channel_id < $3)
     order by channel_id desc limit $4`,
    [platformId, livemode, beforeId, limit + 1],
  );
}

export async function findChannel(
  db: Queryable,
  { platformId, livemode }: ChannelOwner,
  id: string,
): Promise<ChannelResponse | undefined> {
  const [channel] = await db.query<ChannelResponse>(
    `select ${SHOWN} from notification_channel where channel_id = $3 and platform_id = $1 and livemode = $2`,
    [platformId, livemode, id],
  );
  return channel;
}

/** What still waits for it is dropped by the courier. Answers what there was. */
export async function deleteChannel(
  tx: Tx,
  { platformId, livemode }: ChannelOwner,
  id: string,
): Promise<ChannelResponse | undefined> {
  const [channel] = await tx.query<ChannelResponse>(
    `delete from notification_channel where channel_id = $3 and platform_id = $1 and livemode = $2
     returning ${SHOWN}`,
    [platformId, livemode, id],
  );
  return channel;
}
