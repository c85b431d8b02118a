import { z } from 'zod';
import { trailActions } from '../../../domain/activityActions.js';
import { rangeParams } from '../../../domain/dateOrTimestamp.js';
import { platformOfSubject } from '../../../domain/externalId.js';
import { cursorParam, flag, instant, pageLimit } from '../../../kit/http/query.js';

const ENTRY_EXAMPLE = {
  id: '0199a3c2-7b1e-7c40-8d21-5f0c9b7a1e34',
  action: 'API_KEY_GENERATED',
  at: '2026-03-01T09:00:00.000Z',
  actor: 'key:0199a3c2-7b1f-7d02-9a11-0c4de8f7b215',
  target: '0199a3c2-7b20-7a6e-b0c3-2f9e61d4a870',
  livemode: true,
  details: { label: 'nightly import', scopes: ['events:write'], expiresAt: null },
} as const;

const EVENT_EXAMPLE = {
  id: '0199a3c2-8c04-7e11-9f30-6b1d2c3e4f50',
  action: 'EVENT_CREATED',
  at: '2026-03-01T09:01:09.508Z',
  actor: 'platform',
  target: '0199a3c2-8c04-7e11-9f30-6b1d2c3e4f50',
  livemode: true,
  details: { userId: 'worker-4711', eventType: 'CONTRACT_FULFILLED' },
} as const;

const Entry = z
  .object({
    id: z.uuid(),
    action: z.enum(trailActions),
    at: instant,
    actor: z.string().meta({
      description:
        '`key:<id>` for one of the platform’s keys, `operator`, `service`, or `counterparty` for an answer to a request of ' +
        'yours. The actor of an event is `platform`: the ledger does not store the key that reported it.',
    }),
    target: z.string().nullable().meta({ description: 'Id of what was acted on.' }),
    livemode: z.boolean(),
    details: z.record(z.string(), z.unknown()).nullable().meta({
      description: 'Details of the action; `userId` where the entry is about one subject.',
    }),
  })
  .meta({ id: 'ActivityEntry', description: 'An entry of the audit trail.', example: ENTRY_EXAMPLE });

export type ActivityEntry = z.output<typeof Entry>;

export type ActivityPage = z.output<typeof ActivityPage>;
export const ActivityPage = z.object({ activity: z.array(Entry), nextCursor: z.string().nullable() }).meta({
  id: 'ActivityPage',
  description: 'A page of the audit trail, newest first.',
  example: { activity: [EVENT_EXAMPLE, ENTRY_EXAMPLE], nextCursor: null },
});

const page = { limit: pageLimit(100, 25), cursor: cursorParam };

export const ActivityQuery = z.object({
  ...page,
  action: z.enum(trailActions).optional().meta({ description: 'Only entries of this action.' }),
  ...rangeParams(
    {
      description: 'First moment: a timestamp, or a date for the start of its UTC day.',
      example: '2026-01-01',
    },
    {
      description: 'Last moment, inclusive: a timestamp, or a date for the whole of its UTC day.',
      example: '2026-03-31',
    },
  ),
  format: z.enum(['json', 'csv']).default('json'),
});

const livemode = flag.optional();

export const PlatformActivityQuery = ActivityQuery.extend({
  livemode: livemode.meta({ description: 'Left out: both modes.' }),
});

export const AuditLogQuery = z.object({
  ...page,
  platformId: platformOfSubject,
  livemode: livemode.meta({
    description: 'The mode that an external id in the path belongs to. Default: live.',
  }),
});

export const ACTIVITY_CSV_EXAMPLE =
  'id,action,at,actor,target,livemode,details\r\n' +
  '0199a3c2-8c04-7e11-9f30-6b1d2c3e4f50,EVENT_CREATED,2026-03-01T09:01:09.508Z,platform,0199a3c2-8c04-7e11-9f30-6b1d2c3e4f50,true,"{""userId"":""worker-4711"",""eventType"":""CONTRACT_FULFILLED""}"\r\n';
