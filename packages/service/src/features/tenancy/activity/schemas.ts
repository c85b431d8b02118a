import { z } from 'zod';
import { trailActions } from '../../../domain/activityActions.js';
import { dateRange } from '../../../domain/dateOrTimestamp.js';
import { platformOfSubject } from '../../../domain/externalId.js';
import { cursorParam, flag, instant, pageLimit } from '../../../kit/http/query.js';

const Entry = z
  .object({
    id: z.uuid(),
    action: z.enum(trailActions),
    at: instant,
    actor: z.string(),
    target: z.string().nullable(),
    livemode: z.boolean(),
    details: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ id: 'ActivityEntry' });

export type ActivityEntry = z.output<typeof Entry>;

export type ActivityPage = z.output<typeof ActivityPage>;
export const ActivityPage = z
  .object({ activity: z.array(Entry), nextCursor: z.string().nullable() })
  .meta({ id: 'ActivityPage' });

const page = { limit: pageLimit(100, 25), cursor: cursorParam };

export const ActivityQuery = z.object({
  ...page,
  action: z.enum(trailActions).optional(),
  ...dateRange,
  format: z.enum(['json', 'csv']).default('json'),
});

const livemode = flag.optional();

export const PlatformActivityQuery = ActivityQuery.extend({
  livemode,
});

export const AuditLogQuery = z.object({
  ...page,
  platformId: platformOfSubject,
  livemode,
});
