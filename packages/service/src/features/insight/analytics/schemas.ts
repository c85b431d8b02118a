import { eventTypes, replayBys, scoreBands, stakeLevels } from '@reliability/scoring';
import { z } from 'zod';
import { type DayWindow, dayWindowOf, type WindowQuery } from '#domain/timestamp.js';
import { instant, pageLimit } from '#kit/http/query.js';
import type { ServiceDeps } from '../../serviceDeps.js';

export type AnalyticsDeps = Pick<ServiceDeps, 'reads' | 'clock'> & {
  config: { analyticsMaxDays: number; bookSummaryMax: number };
};

const DEFAULT_DAYS = 30;

interface AnalyticsWindow extends DayWindow {
  /** The query exceeded ANALYTICS_MAX_DAYS: the earlier days are left out. */
  readonly clamped: boolean;
}

/** The window of a query. Throws ANALYTICS_RANGE_INVALID or ANALYTICS_WINDOW_CONFLICT. */
export function analyticsWindowOf(
  { clock, config }: AnalyticsDeps,
  query: WindowQuery,
  usualDays = DEFAULT_DAYS,
): AnalyticsWindow {
  const rule = {
    usualDays,
    maxDays: config.analyticsMaxDays,
    invalid: 'ANALYTICS_RANGE_INVALID',
    conflict: 'ANALYTICS_WINDOW_CONFLICT',
  } as const;
  const { window, first, firstAsked } = dayWindowOf(query, rule, clock.now());
  return { ...window, clamped: firstAsked < first };
}

/** More than any window can have; larger values are clamped anyway. */
const MANY_DAYS = 1_000_000;

/** @param usual the default. */
function daysUpToToday(usual: number) {
  return z
    .string()
    .max(64, { abort: true })
    .regex(/^0*[1-9]\d*$|^$/, 'must be a whole number from 1 up')
    .transform((text) => (text === '' ? undefined : Math.min(Number(text), MANY_DAYS)))
    .optional()
    .meta({
      type: 'integer',
      minimum: 1,
      description: `Number of days up to today. Default: ${usual}. Clamped to the maximum of the installation (default 365). Empty: the default.`,
    });
}

const by = z.enum(replayBys);

export const AnalyticsQuery = z.object({
  by: by.default('recorded'),
  days: daysUpToToday(30),
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
});

const Window = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  days: z.int().min(1),
  clamped: z.boolean(),
});

const count = z.int().min(0);
/** A count for each key. */
function countsOf(keys: readonly string[]) {
  return z.object(
    Object.fromEntries(keys.map((key) => [key, count.meta({ description: `How many are \`${key}\`.` })])),
  );
}

export type EventAnalytics = z.output<typeof EventAnalytics>;
export const EventAnalytics = z
  .object({
    by,
    window: Window,
    total: count,
    verified: count,
    byType: countsOf(eventTypes),
    byStake: countsOf(stakeLevels),
    daily: z.array(z.object({ date: z.iso.date(), total: count, verified: count })),
  })
  .meta({ id: 'EventAnalytics' });

const mean = z.number().min(0).max(100).nullable();

export type ScoreAnalytics = z.output<typeof ScoreAnalytics>;
export const ScoreAnalytics = z
  .object({
    by,
    window: Window,
    subjects: count,
    scored: count,
    bands: countsOf(scoreBands).nullable(),
    bandsLastCounted: z
      .object({
        at: instant,
        bands: countsOf(scoreBands),
      })
      .nullable(),
    central: z.object({ median: mean, mean }),
    aggregationSkipped: z.literal('population_too_large').nullable(),
    bandNet: z.object(
      Object.fromEntries(
        scoreBands.map((band) => [
          band,
          z.int().meta({ description: `Change of the number of subjects in \`${band}\`.` }),
        ]),
      ),
    ),
    daily: z.array(
      z.object({
        date: z.iso.date(),
        meanScore: mean,
        bandChanges: count,
        recomputes: count,
      }),
    ),
  })
  .meta({ id: 'ScoreAnalytics' });

export const USUAL_MOVERS_DAYS = 7;

export const MoversQuery = z.object({
  by: by.default('recorded'),
  days: daysUpToToday(USUAL_MOVERS_DAYS),
  limit: pageLimit(50, 10),
});

const score = z.number().min(0).max(100);
const Mover = z.object({
  userId: z.string(),
  from: score,
  to: score,
  delta: z.number(),
  scoreBand: z.enum(scoreBands),
});

export type Movers = z.output<typeof Movers>;
export const Movers = z
  .object({
    by,
    window: Window,
    since: instant,
    truncated: z.boolean(),
    up: z.array(Mover),
    down: z.array(Mover),
  })
  .meta({ id: 'Movers' });
