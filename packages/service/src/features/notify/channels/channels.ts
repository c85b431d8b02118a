import { z } from 'zod';
import { channelTypes } from '#domain/catalogues/enums.js';
import { planOf } from '#domain/catalogues/plans.js';
import { fail } from '#domain/errors.js';
import type { Tx } from '#kit/db/database.js';
import { insertRow, pick } from '#kit/db/rows.js';
import { created, noContent, ok, type TypedAnswer } from '#kit/http/answer.js';
import { cursorParam, instant, pageLimit, pageSchema, pathText } from '#kit/http/query.js';
import { type IdempotencyClaim, keyFor, type Owner, type RouteTable, route } from '#kit/http/route.js';
import { type Activity, recordOwnerActivity } from '#ledger/activity.js';
import { ownedRows } from '#ledger/reads/ownedRows.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { lockCount } from '../store.js';
import { channelTargetOf, TARGET_CONTEXT } from './channelTarget.js';

type Channel = z.output<typeof Channel>;
const Channel = z
  .object({
    id: z.uuid(),
    type: z.enum(channelTypes),
    target: z.string(),
    isActive: z.boolean(),
    createdAt: instant,
    lastSentAt: instant.nullable(),
    lastError: z.string().nullable(),
  })
  .meta({ id: 'NotificationChannel' });

const ChannelPage = pageSchema('notificationChannels', Channel).meta({ id: 'NotificationChannels' });

/** The feature validates the values, since invalid ones have an error code of their own. */
const ChannelBody = z
  .object({
    type: z.unknown().meta({ type: 'string', enum: channelTypes }),
    target: z.unknown().meta({ type: 'string' }),
  })
  .meta({ id: 'NewNotificationChannel' });

const ChannelQuery = z.object({ cursor: cursorParam, limit: pageLimit(100, 25) });

const channelPath = z.object({
  id: pathText(),
});

const stored = ownedRows<Channel>({
  table: 'notification_channel',
  id: 'channel_id',
  columns: 'channel_id as id, type, masked_target as target, is_active, created_at, last_sent_at, last_error',
  missing: 'There is no notification channel with this id in this mode.',
});

async function insertChannel(tx: Tx, owner: Owner, channel: Channel, sealedTarget: Buffer): Promise<void> {
  await insertRow(tx, 'notification_channel', {
    ...pick(channel, 'type', 'isActive', 'createdAt'),
    channelId: channel.id,
    ...pick(owner, 'platformId', 'livemode'),
    sealedTarget,
    maskedTarget: channel.target,
  });
}

type ChannelDeps = Pick<ServiceDeps, 'db' | 'clock' | 'ids' | 'vault' | 'config' | 'withIdempotency'>;

/** POST /notification-channels: the channel receives envelopes from the next one on. */
function createChannel(
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
function deleteChannel(deps: ChannelDeps, owner: Owner, id: string): Promise<void> {
  const now = deps.clock.now();
  return deps.db.transaction(async (tx) => {
    // The dispatcher drops what is queued for it.
    const channel = await stored.remove(tx, owner, id);
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

/**
 * Slack channels and mailboxes, which receive the same envelopes as webhooks, in words (RULES N5).
 */
export function channelRoutes(deps: ChannelDeps): RouteTable {
  const own = { access: keyFor('webhooks'), tag: 'Notification channels' };
  const onOne = { ...own, params: channelPath, errors: ['NOT_FOUND'] } as const;
  return {
    'POST /notification-channels': route({
      operationId: 'createNotificationChannel',
      ...own,
      idempotent: true,
      body: ChannelBody,
      answers: { 201: Channel },
      errors: ['NOTIFICATION_CHANNEL_INVALID', 'NOTIFICATION_CHANNEL_LIMIT_REACHED'],
      handle: ({ owner, body, claim }) => createChannel(deps, owner, body, claim),
    }),
    'GET /notification-channels': route({
      operationId: 'listNotificationChannels',
      ...own,
      query: ChannelQuery,
      answers: { 200: ChannelPage },
      async handle({ owner, query }) {
        const { rows, nextCursor } = await stored.list(deps.db, owner, query);
        return ok({ notificationChannels: rows, nextCursor });
      },
    }),
    'GET /notification-channels/{id}': route({
      operationId: 'readNotificationChannel',
      ...onOne,
      answers: { 200: Channel },
      handle: async ({ owner, params }) => ok(await stored.read(deps.db, owner, params.id)),
    }),
    'DELETE /notification-channels/{id}': route({
      operationId: 'deleteNotificationChannel',
      ...onOne,
      answers: { 204: null },
      async handle({ owner, params }) {
        await deleteChannel(deps, owner, params.id);
        return noContent();
      },
    }),
  };
}
