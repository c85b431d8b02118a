import type { z } from 'zod';
import { planOf } from '../../../domain/catalogues/plans.js';
import { fail } from '../../../domain/errors.js';
import type { Tx } from '../../../kit/db/database.js';
import { type Answer, created } from '../../../kit/http/answer.js';
import type { KeyAccess, KeyCaller, RequestContext } from '../../../kit/http/route.js';
import { recordActivity } from '../../../ledger/activity.js';
import { type ChannelTarget, channelTargetOf } from './channelTarget.js';
import { type ChannelDeps, TARGET_CONTEXT } from './deps.js';
import type { ChannelBody } from './schemas.js';
import { type ChannelResponse, countChannelsAlone, insertChannel } from './store.js';

/** POST /notification-channels: from the next envelope on the channel is told. */
export function createChannel(
  deps: ChannelDeps,
  { caller, body, claim }: RequestContext<KeyAccess, z.output<typeof ChannelBody>, undefined, undefined>,
): Promise<Answer> {
  const target = channelTargetOf(body.type, body.target, deps.config.smtpUrl !== undefined);
  const now = deps.clock.now();
  return deps.withIdempotency(claim, { now }, async (tx) => {
    await assertLimitForOne(tx, caller);
    return created(await addChannel(tx, deps, caller, target, now));
  });
}

async function assertLimitForOne(tx: Tx, caller: KeyCaller): Promise<void> {
  const limit = planOf(caller.plan).limits.notificationChannels;
  if ((await countChannelsAlone(tx, caller)) < limit) return;
  const message = `The plan allows ${limit} notification channels in each mode, and all are in use. Delete one first.`;
  fail('NOTIFICATION_CHANNEL_LIMIT_REACHED', { message, details: { limit } });
}

async function addChannel(
  tx: Tx,
  { ids, vault }: ChannelDeps,
  { platformId, livemode, keyId }: KeyCaller,
  { type, address, masked }: ChannelTarget,
  now: Date,
): Promise<ChannelResponse> {
  const channel: ChannelResponse = {
    id: ids.at(now),
    type,
    target: masked,
    isActive: true,
    createdAt: now,
    lastSentAt: null,
    lastError: null,
  };
  await insertChannel(tx, { platformId, livemode }, channel, vault.seal(address, TARGET_CONTEXT));
  await recordActivity(tx, {
    id: ids.at(now),
    platformId,
    livemode,
    action: 'NOTIFICATION_CHANNEL_CREATED',
    actor: `key:${keyId}`,
    target: channel.id,
    details: { type, target: masked },
    at: now,
  });
  return channel;
}
