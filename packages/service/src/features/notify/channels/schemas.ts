import { z } from 'zod';
import { channelTypes } from '../../../domain/catalogues/enums.js';
import { cursorParam, instant, pageLimit, pathText } from '../../../kit/http/query.js';

const CHANNEL_EXAMPLE = {
  id: '0199a3c2-8f10-7c35-b1d4-6a2e90c7f518',
  type: 'slack',
  target: 'https://hooks.slack.com/services/…/…Xv3q',
  isActive: true,
  createdAt: '2026-03-01T09:00:00.000Z',
  lastSentAt: '2026-03-01T15:45:03.412Z',
  lastError: null,
};

export type Channel = z.output<typeof Channel>;
export const Channel = z
  .object({
    id: z.uuid(),
    type: z.enum(channelTypes),
    target: z
      .string()
      .meta({ description: 'The target, masked: enough to recognise it, too little to use it.' }),
    isActive: z.boolean(),
    createdAt: instant,
    lastSentAt: instant.nullable().meta({ description: 'When a message was last accepted; null: never.' }),
    lastError: z.string().nullable().meta({
      description: 'Why the last message failed; null: it was accepted, or there was none.',
    }),
  })
  .meta({
    id: 'NotificationChannel',
    description: 'A Slack channel or mailbox that receives everything that webhooks do, for people.',
    example: CHANNEL_EXAMPLE,
  });

export type ChannelPage = z.output<typeof ChannelPage>;
export const ChannelPage = z
  .object({ notificationChannels: z.array(Channel), nextCursor: z.string().nullable() })
  .meta({
    id: 'NotificationChannels',
    description: 'A page of channels, newest first.',
    example: { notificationChannels: [CHANNEL_EXAMPLE], nextCursor: null },
  });

/** The feature validates the values, since invalid ones have an error code of their own. */
export const ChannelBody = z
  .object({
    type: z.unknown().meta({
      type: 'string',
      enum: channelTypes,
      description: '`email` needs a mail server, which the operator configures (`SMTP_URL`).',
    }),
    target: z.unknown().meta({
      type: 'string',
      description:
        'For `slack` the URL of an incoming webhook, which starts with `https://hooks.slack.com/`. For `email` one address without a name.',
    }),
  })
  .meta({
    id: 'NewNotificationChannel',
    description: 'Where to send messages for people.',
    example: {
      type: 'slack',
      target: 'https://hooks.slack.com/services/T0EXAMPLE/B0EXAMPLE/EXAMPLEexampleEXAMPLEexa',
    },
  });

export const ChannelQuery = z.object({ cursor: cursorParam, limit: pageLimit(100, 25) });

export const channelPath = z.object({
  id: pathText('Id of the channel.', CHANNEL_EXAMPLE.id),
});
