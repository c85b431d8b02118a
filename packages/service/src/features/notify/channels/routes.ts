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
      summary: 'Add a notification channel',
      description:
        'From now on a Slack channel or a mailbox receives a plain sentence about everything that happens on the platform in the ' +
        'mode of the key. Notifications of the same second are combined into one message. Each message is tried once. If it ' +
        'fails it is lost, and `lastError` says why; use a webhook for what must arrive. The target is stored encrypted and only ' +
        'shown masked.',
      idempotent: true,
      body: ChannelBody,
      answers: { 201: Channel },
      errors: ['NOTIFICATION_CHANNEL_INVALID', 'NOTIFICATION_CHANNEL_LIMIT_REACHED'],
      handle: ({ owner, body, claim }) => createChannel(deps, owner, body, claim),
    }),
    'GET /notification-channels': route({
      operationId: 'listNotificationChannels',
      ...own,
      summary: 'List notification channels',
      description: 'The channels in the mode of the key, newest first.',
      query: ChannelQuery,
      answers: { 200: ChannelPage },
      handle: async ({ owner, query }) => ok(await listChannels(deps.db, owner, query)),
    }),
    'GET /notification-channels/{id}': route({
      operationId: 'readNotificationChannel',
      ...onOne,
      summary: 'Read a notification channel',
      description: 'Its type, its masked target, and `lastError` if its last message failed.',
      answers: { 200: Channel },
      handle: async ({ owner, params }) => ok(await readChannel(deps.db, owner, params.id)),
    }),
    'DELETE /notification-channels/{id}': route({
      operationId: 'deleteNotificationChannel',
      ...onOne,
      summary: 'Delete a notification channel',
      description: 'Nothing more is sent there, including what is queued.',
      answers: { 204: null },
      async handle({ owner, params }) {
        await deleteChannel(deps, owner, params.id);
        return noContent();
      },
    }),
  };
}
