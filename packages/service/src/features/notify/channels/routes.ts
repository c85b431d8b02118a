import { keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import { createChannel } from './createChannel.js';
import type { ChannelDeps } from './deps.js';
import { listChannels } from './listChannels.js';
import { readChannel } from './readChannel.js';
import { removeChannel } from './removeChannel.js';
import { ChannelBody, ChannelPage, ChannelQuery, ChannelRecord, channelPath } from './schemas.js';

/** Chat rooms and mailboxes that are told what webhooks are told (RULES N5). */
export function channelRoutes(deps: ChannelDeps): RouteTable {
  const common = { access: keyFor('webhooks'), tag: 'Notification channels' };
  return {
    'POST /notification-channels': route({
      operationId: 'createNotificationChannel',
      ...common,
      summary: 'Add a notification channel',
      description:
        'From now on a Slack channel or a mailbox is told of everything that happens on the platform in the mode of the key, ' +
        'in plain sentences. Several things that happen within a second come as one message. Each message is sent once: one ' +
        'that is not taken is gone, and `lastError` says why; what must not be lost belongs to a webhook. The target is kept ' +
        'sealed and never shown again, only masked.',
      idempotent: true,
      body: ChannelBody,
      answers: { 201: ChannelRecord },
      errors: ['NOTIFICATION_CHANNEL_INVALID', 'NOTIFICATION_CHANNEL_LIMIT_REACHED'],
      handle: (context) => createChannel(deps, context),
    }),
    'GET /notification-channels': route({
      operationId: 'listNotificationChannels',
      ...common,
      summary: 'List notification channels',
      description: 'Those of the mode of the key, newest first.',
      query: ChannelQuery,
      answers: { 200: ChannelPage },
      handle: (context) => listChannels(deps, context),
    }),
    'GET /notification-channels/{id}': route({
      operationId: 'readNotificationChannel',
      ...common,
      summary: 'Read a notification channel',
      description:
        'What kind it is, its masked target, and `lastError` where its last message was not taken.',
      params: channelPath,
      answers: { 200: ChannelRecord },
      errors: ['NOT_FOUND'],
      handle: (context) => readChannel(deps, context),
    }),
    'DELETE /notification-channels/{id}': route({
      operationId: 'deleteNotificationChannel',
      ...common,
      summary: 'Delete a notification channel',
      description: 'Nothing more is sent there, not even what was waiting.',
      params: channelPath,
      answers: { 204: null },
      errors: ['NOT_FOUND'],
      handle: (context) => removeChannel(deps, context),
    }),
  };
}
