import { z } from 'zod';
import { fail } from '../../../domain/errors.js';
import type { Queryable, Tx } from '../../../kit/db/database.js';
import { insertRow, pick } from '../../../kit/db/rows.js';
import { pageOf, positionOf } from '../../../kit/http/cursor.js';
import type { Owner } from '../../../kit/http/route.js';
import { isUuid } from '../../../kit/ids.js';
import type { Channel, ChannelPage, ChannelQuery } from './schemas.js';

const COLUMNS = `channel_id as id, type, masked_target as target, is_active, created_at, last_sent_at, last_error`;
const ONE_OF_OWNER = 'from notification_channel where channel_id = $3 and platform_id = $1 and livemode = $2';

export async function insertChannel(
  tx: Tx,
  owner: Owner,
  channel: Channel,
  sealedTarget: Buffer,
): Promise<void> {
  await insertRow(tx, 'notification_channel', {
    ...pick(channel, 'type', 'isActive', 'createdAt'),
    channelId: channel.id,
    platformId: owner.platformId,
    livemode: owner.livemode,
    sealedTarget,
    maskedTarget: channel.target,
  });
}

/** A page, newest first. */
export async function listChannels(
  db: Queryable,
  owner: Owner,
  query: z.output<typeof ChannelQuery>,
): Promise<ChannelPage> {
  const [beforeId] = positionOf(query.cursor, ChannelCursor) ?? [null];
  const found = await db.query<Channel>(
    `select ${COLUMNS} from notification_channel
     where platform_id = $1 and livemode = $2 and ($3::uuid is null or channel_id < $3)
     order by channel_id desc limit $4`,
    [owner.platformId, owner.livemode, beforeId, query.limit + 1],
  );
  const { rows, nextCursor } = pageOf(found, query.limit, ({ id }) => [id]);
  return { notificationChannels: [...rows], nextCursor };
}

const ChannelCursor = z.tuple([z.guid()]);

/** Throws NOT_FOUND. */
export function readChannel(db: Queryable, owner: Owner, id: string): Promise<Channel> {
  return onlyOne(db, `select ${COLUMNS} ${ONE_OF_OWNER}`, owner, id);
}

/** Returns the deleted channel. The dispatcher drops what is queued for it. Throws NOT_FOUND. */
export function deleteChannelRow(tx: Tx, owner: Owner, id: string): Promise<Channel> {
  return onlyOne(tx, `delete ${ONE_OF_OWNER} returning ${COLUMNS}`, owner, id);
}

async function onlyOne(db: Queryable, text: string, owner: Owner, id: string): Promise<Channel> {
  const values = [owner.platformId, owner.livemode, id];
  const [channel] = isUuid(id) ? await db.query<Channel>(text, values) : [];
  return (
    channel ?? fail('NOT_FOUND', { message: 'There is no notification channel with this id in this mode.' })
  );
}
