import { z } from 'zod';
import { keyModes } from '../../../domain/catalogues/enums.js';
import { instant, wholeNumber } from '../../../kit/http/query.js';

const windowFields = {
  days: wholeNumber(1, 1_000_000).optional(),
  from: z.string().max(64).optional().meta({ format: 'date' }),
  to: z.string().max(64).optional().meta({ format: 'date' }),
  format: z.enum(['json', 'csv']).default('json'),
};

export const UsageQuery = z.object(windowFields);

export const PlatformUsageQuery = z.object({
  ...windowFields,
  mode: z.enum(keyModes).default('live'),
});

const Window = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  days: z.int().min(0),
});

const truncated = z.boolean();

export const Usage = z
  .object({
    window: Window,
    truncated,
    rateLimitPerMinute: z.int().min(0),
    days: z.array(
      z.object({
        date: z.iso.date(),
        ok: z.int().min(0),
        clientError: z.int().min(0),
        serverError: z.int().min(0),
        total: z.int().min(0),
      }),
    ),
    total: z.int().min(0),
    endpoints: z.array(z.object({ route: z.string(), count: z.int().min(0) })),
  })
  .meta({ id: 'Usage' });

export const Meters = z
  .object({
    window: Window,
    truncated,
    meters: z.array(
      z.object({
        dimension: z.enum(['total', 'status_class', 'endpoint']),
        value: z.string(),
        count: z.int().min(0),
      }),
    ),
  })
  .meta({ id: 'UsageMeters' });

export type Quota = z.output<typeof Quota>;

export const Quota = z
  .object({
    unlimited: z.boolean(),
    cap: z.int().min(0).nullable(),
    used: z.int().min(0),
    remaining: z.int().min(0).nullable(),
    periodEnd: instant,
    secondsUntilReset: z.int().min(0),
  })
  .meta({ id: 'Quota' });
