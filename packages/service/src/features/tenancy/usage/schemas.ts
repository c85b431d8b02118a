import { z } from 'zod';
import { keyModes } from '../../../domain/catalogues/enums.js';
import { instant, wholeNumber } from '../../../kit/http/query.js';

const windowFields = {
  days: wholeNumber(1, 1_000_000).optional().meta({
    description: 'Number of days up to today. Default: 7. Values above 400 are cut to 400.',
    example: '30',
  }),
  from: z.string().max(64).optional().meta({
    format: 'date',
    description: 'First day (UTC). Use `from` and `to` together, without `days`.',
    example: '2026-02-01',
  }),
  to: z
    .string()
    .max(64)
    .optional()
    .meta({ format: 'date', description: 'Last day (UTC), included.', example: '2026-02-28' }),
  format: z.enum(['json', 'csv']).default('json'),
};

export const UsageQuery = z.object(windowFields);

export const PlatformUsageQuery = z.object({
  ...windowFields,
  mode: z.enum(keyModes).default('live').meta({ description: 'Calls with live keys, or with test keys.' }),
});

const Window = z
  .object({
    from: z.iso.date(),
    to: z.iso.date(),
    days: z.int().min(0).meta({ description: 'Days of the window, with and without calls.' }),
  })
  .meta({ description: 'Whole UTC days, both ends included.' });

const truncated = z.boolean().meta({
  description: 'True: the query reaches back further than the 400 days that are kept.',
});

const WINDOW_EXAMPLE = { from: '2026-02-23', to: '2026-03-01', days: 7 };

export const Usage = z
  .object({
    window: Window,
    truncated,
    rateLimitPerMinute: z.int().min(0).meta({ description: 'Requests per minute; 0: no limit.' }),
    days: z
      .array(
        z.object({
          date: z.iso.date(),
          ok: z.int().min(0).meta({ description: 'Answers with a status below 400.' }),
          clientError: z.int().min(0).meta({ description: 'Answers with a status from 400 to 499.' }),
          serverError: z.int().min(0).meta({ description: 'Answers with a status from 500 up.' }),
          total: z.int().min(0),
        }),
      )
      .meta({ description: 'Every day of the window, oldest first.' }),
    total: z.int().min(0),
    endpoints: z
      .array(z.object({ route: z.string(), count: z.int().min(0) }))
      .meta({ description: 'The ten operations with most requests, busiest first.' }),
  })
  .meta({
    id: 'Usage',
    description: 'Requests by day and by operation, in one mode.',
    example: {
      window: { from: '2026-03-01', to: '2026-03-01', days: 1 },
      truncated: false,
      rateLimitPerMinute: 600,
      days: [{ date: '2026-03-01', ok: 1402, clientError: 11, serverError: 0, total: 1413 }],
      total: 1413,
      endpoints: [
        { route: 'POST /events', count: 1207 },
        { route: 'GET /users/{id}/score', count: 206 },
      ],
    },
  });

export const USAGE_CSV_EXAMPLE =
  'row,date,route,ok,clientError,serverError,total\r\nday,2026-03-01,,1402,11,0,1413\r\ntotal,,,1402,11,0,1413\r\n' +
  'endpoint,,POST /events,,,,1207\r\n';

export const Meters = z
  .object({
    window: Window,
    truncated,
    meters: z.array(
      z.object({
        dimension: z.enum(['total', 'status_class', 'endpoint']),
        value: z.string().meta({ description: '`all`, a status class, or an operation.' }),
        count: z.int().min(0).meta({ description: 'Billed calls.' }),
      }),
    ),
  })
  .meta({
    id: 'UsageMeters',
    description:
      'Billed calls: one per request, and for a CSV export one per started 1000 rows. Each dimension adds up to the total.',
    example: {
      window: WINDOW_EXAMPLE,
      truncated: false,
      meters: [
        { dimension: 'total', value: 'all', count: 1413 },
        { dimension: 'status_class', value: 'ok', count: 1402 },
        { dimension: 'status_class', value: 'clientError', count: 11 },
        { dimension: 'status_class', value: 'serverError', count: 0 },
        { dimension: 'endpoint', value: 'GET /users/{id}/score', count: 206 },
        { dimension: 'endpoint', value: 'POST /events', count: 1207 },
      ],
    },
  });

export const METERS_CSV_EXAMPLE =
  'dimension,value,count\r\ntotal,all,1413\r\nstatus_class,ok,1402\r\nendpoint,POST /events,1207\r\n';

export type Quota = z.output<typeof Quota>;

export const Quota = z
  .object({
    unlimited: z.boolean(),
    cap: z.int().min(0).nullable().meta({ description: 'Calls per month; null: no quota.' }),
    used: z.int().min(0),
    remaining: z.int().min(0).nullable(),
    periodEnd: instant.meta({ description: 'When the next month starts, UTC.' }),
    secondsUntilReset: z.int().min(0),
  })
  .meta({
    id: 'Quota',
    description: 'Live calls of this UTC calendar month.',
    example: {
      unlimited: false,
      cap: 1_000_000,
      used: 41_207,
      remaining: 958_793,
      periodEnd: '2026-04-01T00:00:00.000Z',
      secondsUntilReset: 2_592_000,
    },
  });
