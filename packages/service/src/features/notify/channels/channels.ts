import { z } from 'zod';
import { channelTypes } from '../../../domain/catalogues/enums.js';
import { planOf } from '../../../domain/catalogues/plans.js';
import { fail } from '../../../domain/errors.js';
import type { Queryable, Tx } from '../../../kit/db/database.js';
import { insertRow, pick } from '../../../kit/db/rows.js';
import { created, noContent, ok, type TypedAnswer } from '../../../kit/http/answer.js';
import { pageOf, positionOf } from '../../../kit/http/cursor.js';
import { cursorParam, instant, pageLimit, pathText } from '../../../kit/http/query.js';
import {
  type IdempotencyClaim,
  keyFor,
  type Owner,
  type RouteTable,
  route,
} from '../../../kit/http/route.js';
import { isUuid } from '../../../kit/ids.js';
import { type Activity, recordOwnerActivity } from '../../../ledger/activity.js';
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

type ChannelPage = z.output<typeof ChannelPage>;
const ChannelPage = z
  .object({ notificationChannels: z.array(Channel), nextCursor: z.string().nullable() })
  .meta({ id: 'NotificationChannels' });

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

const COLUMNS = `channel_id as id, type, masked_target as target, is_active, created_at, last_sent_at, last_error`;
const ONE_OF_OWNER = 'from notification_channel where channel_id = $3 and platform_id = $1 and livemode = $2';

async function insertChannel(tx: Tx, owner: Owner, channel: Channel, sealedTarget: Buffer): Promise<void> {
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
async function listChannels(
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
function readChannel(db: Queryable, owner: Owner, id: string): Promise<Channel> {
  return onlyOne(db, `select ${COLUMNS} ${ONE_OF_OWNER}`, owner, id);
}

/** Returns the deleted channel. The dispatcher drops what is queued for it. Throws NOT_FOUND. */
function deleteChannelRow(tx: Tx, owner: Owner, id: string): Promise<Channel> {
  return onlyOne(tx, `delete ${ONE_OF_OWNER} returning ${COLUMNS}`, owner, id);
}

async function onlyOne(db: Queryable, text: string, owner: Owner, id: string): Promise<Channel> {
  const values = [owner.platformId, owner.livemode, id];
  const [channel] = isUuid(id) ? await db.query<Channel>(text, values) : [];
  return (
    channel ?? fail('NOT_FOUND', { message: 'There is no notification channel with this id in this mode.' })
  );
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
      handle: async ({ owner, query }) => ok(await listChannels(deps.db, owner, query)),
    }),
    'GET /notification-channels/{id}': route({
      operationId: 'readNotificationChannel',
      ...onOne,
      answers: { 200: Channel },
      handle: async ({ owner, params }) => ok(await readChannel(deps.db, owner, params.id)),
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
