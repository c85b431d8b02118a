import type { z } from 'zod';
import type { Answer } from '../../../kit/http/answer.js';
import type { KeyAccess, RequestContext } from '../../../kit/http/route.js';
import { recordActivity } from '../../../ledger/activity.js';
import type { ChannelDeps } from './deps.js';
import { channelIdOf, failUnknownChannel } from './readChannel.js';
import type { channelPath } from './schemas.js';
import { deleteChannel } from './store.js';

/** DELETE /notification-channels/{id}: nothing more is sent there, not even what waits already. */
export async function removeChannel(
  { db, clock, ids }: ChannelDeps,
  { caller, params }: RequestContext<KeyAccess, undefined, undefined, z.output<typeof channelPath>>,
): Promise<Answer> {
  const channelId = channelIdOf(params);
  const now = clock.now();
  await db.transaction(async (tx) => {
    const { type, target } = (await deleteChannel(tx, caller, channelId)) ?? failUnknownChannel();
    await recordActivity(tx, {
      id: ids.at(now),
      platformId: caller.platformId,
      livemode: caller.livemode,
      action: 'NOTIFICATION_CHANNEL_DELETED',
      actor: `key:${caller.keyId}`,
      target: channelId,
      details: { type, target },
      at: now,
    });
  });
  return { status: 204, body: null };
}
