import { noContent, ok } from '../../../kit/http/answer.js';
import { keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import { type ChannelDeps, createChannel, deleteChannel } from './changeChannels.js';
import { Channel, ChannelBody, ChannelPage, ChannelQuery, channelPath } from './schemas.js';
import { listChannels, readChannel } from './store.js';

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
