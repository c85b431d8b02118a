import { eventTypes, replayBys, scoreBands, stakeLevels } from '@reliability/scoring';
import { z } from 'zod';

/** More than any window can have; larger values are clamped anyway. */
const MANY_DAYS = 1_000_000;

const days = z
  .string()
  .regex(/^0*[1-9]\d*$|^$/, 'must be a whole number from 1 up')
  .transform((text) => (text === '' ? undefined : Math.min(Number(text), MANY_DAYS)))
  .optional()
  .meta({
    type: 'integer',
    minimum: 1,
    description:
      'Number of days up to today. Default: 30. Clamped to the maximum of the installation (default 365). Empty: the default.',
    example: '30',
  });

export const AnalyticsQuery = z.object({
  days,
  from: z.iso.date().optional().meta({
    description: 'First day (UTC); together with `to`, in place of `days`.',
    example: '2026-02-01',
  }),
  to: z.iso.date().optional().meta({ description: 'Last day (UTC), included.', example: '2026-02-28' }),
});

const by = z.enum(replayBys);

export const EventAnalyticsQuery = AnalyticsQuery.extend({
  by: by.default('recorded').meta({
    description:
      '`recorded`: an event counts on the day of its report. `outcome`: on the UTC day on which the outcome happened ' +
      '(`completedAt`, else `dueDate`, never after the report). A late report then changes a past day. Default: `recorded`.',
    example: 'outcome',
  }),
});

const Window = z
  .object({
    from: z.iso.date(),
    to: z.iso.date(),
    days: z.int().min(1),
    clamped: z.boolean().meta({
      description: 'True if the query exceeded the maximum; the earlier days are left out.',
    }),
  })
  .meta({ description: 'Whole UTC days, both ends included.' });

const count = z.int().min(0);
const WINDOW_EXAMPLE = { from: '2026-02-28', to: '2026-03-01', days: 2, clamped: false };
/** A count for each key. */
function countsOf(keys: readonly string[]) {
  return z.object(
    Object.fromEntries(keys.map((key) => [key, count.meta({ description: `How many are \`${key}\`.` })])),
  );
}

const zeros = (keys: readonly string[]) => Object.fromEntries(keys.map((key) => [key, 0]));

export type EventAnalytics = z.output<typeof EventAnalytics>;
export const EventAnalytics = z
  .object({
    by: by.meta({ description: 'The day on which events count, as in the query.' }),
    window: Window,
    total: count,
    verified: count.meta({ description: 'Events that a party other than the subject confirmed.' }),
    byType: countsOf(eventTypes),
    byStake: countsOf(stakeLevels),
    daily: z
      .array(z.object({ date: z.iso.date(), total: count, verified: count }))
      .meta({ description: 'Every day of the window, oldest first.' }),
  })
  .meta({
    id: 'EventAnalytics',
    description: 'Events by the day of their report or outcome. Each breakdown adds up to the total.',
    example: {
      by: 'recorded',
      window: WINDOW_EXAMPLE,
      total: 3,
      verified: 2,
      byType: { ...zeros(eventTypes), CONTRACT_FULFILLED: 2, TRANSACTION_COMPLETED: 1 },
      byStake: { HIGH: 1, MEDIUM: 2, LOW: 0 },
      daily: [
        { date: '2026-02-28', total: 0, verified: 0 },
        { date: '2026-03-01', total: 3, verified: 2 },
      ],
    },
  });

const mean = z.number().min(0).max(100).nullable();

export type ScoreAnalytics = z.output<typeof ScoreAnalytics>;
export const ScoreAnalytics = z
  .object({
    window: Window,
    subjects: count.meta({ description: 'Subjects in the book now.' }),
    scored: count.meta({ description: 'Subjects that have a score.' }),
    bands: countsOf(scoreBands).nullable().meta({
      description: 'Current scores by band. Null if the book is too large.',
    }),
    central: z.object({ median: mean, mean }),
    aggregationSkipped: z.literal('population_too_large').nullable().meta({
      description: 'The reason why `bands` and `central` are null, as in `GET /users/summary`.',
    }),
    daily: z
      .array(
        z.object({
          date: z.iso.date(),
          meanScore: mean.meta({ description: 'Mean of the scores published that day; null without any.' }),
          bandChanges: count.meta({ description: 'Published scores in another band than the one before.' }),
          recomputes: count.meta({
            description:
              'Scores published. A computation that changes no figure publishes none. In test mode changes by time alone are thinned to ' +
              'one a month and subject after 30 days, so earlier days count fewer of them.',
          }),
        }),
      )
      .meta({ description: 'Every day of the window, oldest first.' }),
  })
  .meta({
    id: 'ScoreAnalytics',
    description: 'The current scores of the book, and their daily changes.',
    example: {
      window: WINDOW_EXAMPLE,
      subjects: 4,
      scored: 3,
      bands: { ...zeros(scoreBands), Good: 1, Fair: 2 },
      central: { median: 58.4, mean: 61.27 },
      aggregationSkipped: null,
      daily: [
        { date: '2026-02-28', meanScore: null, bandChanges: 0, recomputes: 0 },
        { date: '2026-03-01', meanScore: 60.82, bandChanges: 1, recomputes: 5 },
      ],
    },
  });
