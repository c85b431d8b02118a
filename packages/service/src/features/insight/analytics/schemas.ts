import { eventTypes, replayBys, scoreBands, stakeLevels } from '@reliability/scoring';
import { z } from 'zod';
import { instant, pageLimit } from '../../../kit/http/query.js';

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
      example: String(usual),
    });
}

export const AnalyticsQuery = z.object({
  days: daysUpToToday(30),
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
    bandsLastCounted: z
      .object({
        at: instant.meta({ description: 'When they were counted.' }),
        bands: countsOf(scoreBands).meta({ description: 'Scores by band at that time.' }),
      })
      .nullable()
      .meta({
        description:
          'The bands of a book that is too large, which are counted every ten minutes. Null if `bands` is given, and before the first count.',
      }),
    central: z.object({ median: mean, mean }),
    aggregationSkipped: z.literal('population_too_large').nullable().meta({
      description: 'The reason why `bands` and `central` are null, as in `GET /users/summary`.',
    }),
    bandNet: z
      .object(
        Object.fromEntries(
          scoreBands.map((band) => [
            band,
            z.int().meta({ description: `Change of the number of subjects in \`${band}\`.` }),
          ]),
        ),
      )
      .meta({
        description:
          'The net change of each band in the window: subjects that entered it less those that left it, by published scores. ' +
          'A first score enters a band; the erasure of a subject is not counted.',
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
      bandsLastCounted: null,
      central: { median: 58.4, mean: 61.27 },
      aggregationSkipped: null,
      bandNet: { ...zeros(scoreBands), Good: 1, Fair: -1 },
      daily: [
        { date: '2026-02-28', meanScore: null, bandChanges: 0, recomputes: 0 },
        { date: '2026-03-01', meanScore: 60.82, bandChanges: 1, recomputes: 5 },
      ],
    },
  });

export const USUAL_MOVERS_DAYS = 7;

export const MoversQuery = z.object({
  days: daysUpToToday(USUAL_MOVERS_DAYS),
  limit: pageLimit(50, 10).meta({
    description: 'Maximum number of subjects in each of `up` and `down`. Default: 10.',
    example: '10',
  }),
});

const score = z.number().min(0).max(100);
const Mover = z.object({
  userId: z.string(),
  from: score.meta({ description: 'The score before `since`. For a newer subject, its first score.' }),
  to: score.meta({ description: 'The score now.' }),
  delta: z.number().meta({ description: '`to` less `from`.' }),
  scoreBand: z.enum(scoreBands).meta({ description: 'The band now.' }),
});

export type Movers = z.output<typeof Movers>;
export const Movers = z
  .object({
    window: Window,
    since: instant.meta({ description: 'Changes from this instant on are counted.' }),
    truncated: z.boolean().meta({
      description:
        'True if the window has more than 20 000 published scores. Then only subjects are compared whose score moved by a ' +
        'point or more at once: those with the 100 largest rises and falls of each day.',
    }),
    up: z.array(Mover).meta({ description: 'Largest rise first.' }),
    down: z.array(Mover).meta({ description: 'Largest fall first.' }),
  })
  .meta({
    id: 'Movers',
    description: 'The subjects whose scores rose and fell most.',
    example: {
      window: { from: '2026-02-23', to: '2026-03-01', days: 7, clamped: false },
      since: '2026-02-23T00:00:00.000Z',
      truncated: false,
      up: [{ userId: 'worker-4711', from: 58.4, to: 66.15, delta: 7.75, scoreBand: 'Good' }],
      down: [{ userId: 'worker-1138', from: 71.2, to: 60.82, delta: -10.38, scoreBand: 'Fair' }],
    },
  });
