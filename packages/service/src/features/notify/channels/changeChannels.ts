import type { z } from 'zod';
import { planOf } from '../../../domain/catalogues/plans.js';
import { fail } from '../../../domain/errors.js';
import type { Tx } from '../../../kit/db/database.js';
import { created, type TypedAnswer } from '../../../kit/http/answer.js';
import type { IdempotencyClaim, Owner } from '../../../kit/http/route.js';
import { type Activity, recordOwnerActivity } from '../../../ledger/activity.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { lockCount } from '../store.js';
import { channelTargetOf, TARGET_CONTEXT } from './channelTarget.js';
import type { Channel, ChannelBody } from './schemas.js';
import { deleteChannelRow, insertChannel } from './store.js';

export type ChannelDeps = Pick<ServiceDeps, 'db' | 'clock' | 'ids' | 'vault' | 'config' | 'withIdempotency'>;

/** POST /notification-channels: the channel receives envelopes from the next one on. */
export function createChannel(
  deps: ChannelDeps,
  owner: Owner,
  body: z.output<typeof ChannelBody>,
  claim: IdempotencyClaim | null,
): Promise<TypedAnswer<201, Channel>> {
  const sendsEmail = deps.config.smtpUrl !== undefined;
  const { type, address, masked } = channelTargetOf(body.type, body.target, sendsEmail);
  const now = deps.clock.now();
  return deps.withIdempotency(claim, { now }, async (tx) => {
    await assertChannelLimit(tx, owner);
    const channel: Channel = {
      id: deps.ids.at(now),
      type,
      target: masked,
      isActive: true,
      createdAt: now,
      lastSentAt: null,
      lastError: null,
    };
    await insertChannel(tx, owner, channel, deps.vault.seal(address, TARGET_CONTEXT));
    await recordChannelActivity(tx, deps, owner, channel, {
      action: 'NOTIFICATION_CHANNEL_CREATED',
      at: now,
    });
    return created(channel);
  });
}

async function assertChannelLimit(tx: Tx, owner: Owner): Promise<void> {
  const limit = planOf(owner.plan).limits.notificationChannels;
  if ((await lockCount(tx, 'notificationChannels', owner)) < limit) return;
  const message = `The plan allows ${limit} notification channels in each mode, and all are in use. Delete one first.`;
  fail('NOTIFICATION_CHANNEL_LIMIT_REACHED', { message, details: { limit } });
}

/** DELETE /notification-channels/{id}: nothing more is sent there, including what is queued. */
export function deleteChannel(deps: ChannelDeps, owner: Owner, id: string): Promise<void> {
  const now = deps.clock.now();
  return deps.db.transaction(async (tx) => {
    const channel = await deleteChannelRow(tx, owner, id);
    await recordChannelActivity(tx, deps, owner, channel, {
      action: 'NOTIFICATION_CHANNEL_DELETED',
      at: now,
    });
  });
}

function recordChannelActivity(
  tx: Tx,
  { ids }: ChannelDeps,
  owner: Owner,
  { id, type, target }: Channel,
  activity: Pick<Activity, 'action' | 'at'>,
): Promise<void> {
  return recordOwnerActivity(tx, ids, owner, { ...activity, target: id, details: { type, target } });
}
