import { z } from 'zod';
import { channelTypes } from '../../../domain/catalogues/enums.js';
import { cursorParam, instant, pageLimit, pathText } from '../../../kit/http/query.js';

export type Channel = z.output<typeof Channel>;
export const Channel = z
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

export type ChannelPage = z.output<typeof ChannelPage>;
export const ChannelPage = z
  .object({ notificationChannels: z.array(Channel), nextCursor: z.string().nullable() })
  .meta({ id: 'NotificationChannels' });

/** The feature validates the values, since invalid ones have an error code of their own. */
export const ChannelBody = z
  .object({
    type: z.unknown().meta({ type: 'string', enum: channelTypes }),
    target: z.unknown().meta({ type: 'string' }),
  })
  .meta({ id: 'NewNotificationChannel' });

export const ChannelQuery = z.object({ cursor: cursorParam, limit: pageLimit(100, 25) });

export const channelPath = z.object({
  id: pathText(),
});
