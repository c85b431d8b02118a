import { z } from 'zod';
import { channelTypes } from '../../../domain/catalogues/enums.js';
import { cursorParam, pageLimit } from '../../../kit/http/query.js';

const CHANNEL_EXAMPLE = {
  id: '0199a3c2-8f10-7c35-b1d4-6a2e90c7f518',
  type: 'slack',
  target: 'https://hooks.slack.com/services/…/…Xv3q',
  isActive: true,
  createdAt: '2026-03-01T09:00:00.000Z',
  lastSentAt: '2026-03-01T15:45:03.412Z',
  lastError: null,
};

export const ChannelRecord = z
  .object({
    id: z.uuid(),
    type: z.enum(channelTypes),
    target: z.string().meta({ description: 'Masked: enough to know it again, too little to use it.' }),
    isActive: z.boolean(),
    createdAt: z.iso.datetime(),
    lastSentAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When a message was last taken; null: none has been yet.' }),
    lastError: z.string().nullable().meta({
      description: 'Why the last message was not taken; null: it was taken, or there has been none.',
    }),
  })
  .meta({
    id: 'NotificationChannel',
    description: 'A place that people read, which is told of everything that webhooks are.',
    example: CHANNEL_EXAMPLE,
  });

export const ChannelPage = z
  .object({ notificationChannels: z.array(ChannelRecord), nextCursor: z.string().nullable() })
  .meta({
    id: 'NotificationChannels',
    description: 'A page of channels, newest first.',
    example: { notificationChannels: [CHANNEL_EXAMPLE], nextCursor: null },
  });

/** Their values are read by the feature: what is wrong with them has a code of its own. */
export const ChannelBody = z
  .object({
    type: z.unknown().meta({
      type: 'string',
      enum: channelTypes,
      description: '`email` only where the operator has set up a mail server (`SMTP_URL`).',
    }),
    target: z.unknown().meta({
      type: 'string',
      description:
        'slack: the URL of an incoming webhook, which starts with `https://hooks.slack.com/`. email: one address, without a name.',
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
  id: z.string().meta({ description: 'Id of the channel.', example: CHANNEL_EXAMPLE.id }),
});
