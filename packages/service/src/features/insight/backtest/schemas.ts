import { confidenceLabels, platformTiers, replayBys, scoreBands } from '@reliability/scoring';
import { z } from 'zod';
import {
  DEFAULT_EVERY_DAYS,
  DEFAULT_HORIZON_DAYS,
  MAX_STEP_DAYS,
} from '../../../domain/backtest/backtest.js';
import { TENURES } from '../../../domain/backtest/formulaFigures.js';
import { jobStatuses, subjectTypes } from '../../../domain/catalogues/enums.js';
import { instant, pathText } from '../../../kit/http/query.js';

const knownBy = z.enum(replayBys).meta({
  description:
    'What a score at a cut-off rests on. `recorded`: what was in the ledger before it. `outcome`: what had happened before it, ' +
    'as if it had been recorded at once. Use `outcome` for imported history.',
});
const step = z.int().min(1).max(MAX_STEP_DAYS);
const everyDays = step.meta({
  description: 'Days between two cut-offs.',
  example: DEFAULT_EVERY_DAYS,
});
const horizonDays = step.meta({
  description: 'Days after a cut-off whose verified outcomes count.',
  example: DEFAULT_HORIZON_DAYS,
});
const from = z.iso.date({ abort: true }).meta({
  description: 'The first cut-off (UTC). Default: the day of the first event.',
  example: '2025-01-01',
});
const to = z.iso.date({ abort: true }).meta({
  description: 'The last possible cut-off (UTC). Default: the last whose horizon has ended.',
  example: '2025-12-31',
});

export type BacktestBody = z.output<typeof BacktestBody>;
export const BacktestBody = z
  .object({
    horizonDays: horizonDays.default(DEFAULT_HORIZON_DAYS),
    everyDays: everyDays.default(DEFAULT_EVERY_DAYS),
    from: from.optional(),
    to: to.optional(),
    by: knownBy.default('recorded'),
  })
  .refine((body) => !body.from || !body.to || body.from <= body.to, {
    path: ['from'],
    message: 'must not be after `to`',
  })
  .meta({
    id: 'NewBacktest',
    description: 'What to compare. Every field has a default.',
    example: { by: 'outcome', everyDays: 30, horizonDays: 90 },
  });

const count = z.int().min(0);
const rate = z.number().min(0).max(1).nullable();
const ci95 = z
  .tuple([z.number(), z.number()])
  .nullable()
  .meta({ description: 'Lower and upper end of the 95 % interval.' });
const auc = rate.meta({
  description:
    'Probability that a kept outcome comes from a higher value than a broken one: 0.5 is chance, 1 is perfect.',
});

const cell = {
  n: count.meta({ description: 'Number of pairs.' }),
  kept: rate.meta({ description: 'Share of kept outcomes. Null with fewer than 100 pairs.' }),
  ci95,
};

function groupsBy(names: readonly [string, ...string[]], description: string) {
  return z
    .array(
      z.object({
        group: z.enum(names).meta({ description: 'The part of the pairs.' }),
        ...cell,
        auc: auc.meta({ description: 'Null with fewer than 100 pairs.' }),
      }),
    )
    .meta({ description });
}

const Report = z
  .object({
    formulaVersion: z.string(),
    by: knownBy,
    asOf: z.array(z.iso.date()).meta({ description: 'The cut-offs.' }),
    everyDays,
    horizonDays,
    pairs: count.meta({
      description:
        'Number of pairs: a subject with a score at a cut-off, and one verified outcome that followed.',
    }),
    subjects: count.meta({ description: 'Number of subjects with at least one pair.' }),
    unscoredPairs: count.meta({
      description: 'Pairs left out because the subject had no score at the cut-off.',
    }),
    baseRate: rate.meta({ description: 'Share of kept outcomes in all pairs.' }),
    discrimination: z
      .object({
        auc,
        ci95: ci95.meta({
          description: 'From a bootstrap over whole subjects. Null with fewer than 100 pairs.',
        }),
        rivals: z
          .object({
            completionRate: auc.meta({ description: 'Plain share of kept outcomes before the cut-off.' }),
            betaRate: auc.meta({
              description: 'The same share after one kept and one broken outcome are added.',
            }),
            behavioralQuality: auc.meta({ description: '`behavioralQuality` at the cut-off.' }),
            lastOutcome: auc.meta({ description: 'Whether the latest outcome before the cut-off was kept.' }),
          })
          .meta({ description: 'AUC of simpler predictors over the same pairs.' }),
      })
      .meta({ description: 'How well scores rank kept outcomes above broken ones.' }),
    calibration: z
      .object({
        brier: rate.meta({ description: 'Mean squared error of the predicted rates; lower is better.' }),
        brierOfBaseRate: rate.meta({ description: 'The same if every prediction is the base rate.' }),
        skill: z
          .number()
          .nullable()
          .meta({ description: '1 − brier / brierOfBaseRate. Above 0 is better than the base rate.' }),
        curve: z
          .array(
            z.object({
              from: z.number().meta({ description: 'Lowest score of the range.' }),
              to: z.number().meta({ description: 'End of the range, not included; 100 is.' }),
              predicted: rate.meta({ description: 'Mean predicted rate. Null with fewer than 100 pairs.' }),
              ...cell,
            }),
          )
          .meta({ description: 'Predicted and observed rates by score, of the half that was not fitted.' }),
      })
      .meta({
        description:
          'A monotone curve from score to rate, fitted on one half of the subjects and tested on the other.',
      }),
    bands: z
      .array(z.object({ band: z.enum(scoreBands), ...cell }))
      .meta({ description: 'Pairs by the band of the score, highest band first.' }),
    bandsMonotone: z.boolean().nullable().meta({
      description: 'Whether no higher band has a lower rate. Null if fewer than two bands have 100 pairs.',
    }),
    groups: z
      .object({
        tenure: groupsBy(TENURES, 'By days since the first event.'),
        tier: groupsBy(platformTiers, 'By trust tier of the latest event.'),
        subjectType: groupsBy(subjectTypes, 'By type of the subject.'),
        confidence: groupsBy(confidenceLabels, 'By confidence of the score.'),
      })
      .meta({ description: 'The same figures for parts of the pairs.' }),
    caveats: z.array(z.string()).meta({ description: 'What a reader of these figures has to know.' }),
  })
  .meta({ id: 'BacktestReport', description: 'What scores were worth. Rates are 0 to 1.' });

const REPORT_EXAMPLE = {
  formulaVersion: '5.3',
  by: 'outcome',
  asOf: ['2025-10-01', '2025-10-31'],
  everyDays: 30,
  horizonDays: 90,
  pairs: 812,
  subjects: 74,
  unscoredPairs: 19,
  baseRate: 0.9138,
  discrimination: {
    auc: 0.8012,
    ci95: [0.7417, 0.8532],
    rivals: { completionRate: 0.8127, betaRate: 0.8243, behavioralQuality: 0.7868, lastOutcome: 0.6612 },
  },
  calibration: {
    brier: 0.0642,
    brierOfBaseRate: 0.0785,
    skill: 0.1822,
    curve: [{ from: 80, to: 85, predicted: 0.9712, n: 204, kept: 0.9755, ci95: [0.9439, 0.9895] }],
  },
  bands: [{ band: 'Excellent', n: 431, kept: 0.9814, ci95: [0.9638, 0.9906] }],
  bandsMonotone: true,
  groups: {
    tenure: [{ group: '0-29', n: 58, kept: null, ci95: null, auc: null }],
    tier: [{ group: 'GROWTH', n: 812, kept: 0.9138, ci95: [0.8925, 0.9312], auc: 0.8012 }],
    subjectType: [{ group: 'PERSON', n: 812, kept: 0.9138, ci95: [0.8925, 0.9312], auc: 0.8012 }],
    confidence: [{ group: 'high', n: 540, kept: 0.9685, ci95: [0.9501, 0.9803], auc: 0.7519 }],
  },
  caveats: [
    'A score says how much reliability is proven. It is not the probability that the next job is kept.',
  ],
};

export type BacktestState = z.output<typeof BacktestState>;
export const BacktestState = z
  .object({
    id: z.uuid(),
    status: z.enum(jobStatuses),
    by: knownBy,
    everyDays,
    horizonDays,
    from: from.nullable(),
    to: to.nullable(),
    progress: z.int().min(0).max(100).meta({ description: 'Percent of the events that were read.' }),
    error: z.string().nullable().meta({ description: 'Why it failed; null if it did not fail.' }),
    createdAt: instant,
    completedAt: instant.nullable().meta({ description: 'When it completed or failed.' }),
    report: Report.nullable().meta({ description: 'Null until the status is `COMPLETED`.' }),
  })
  .meta({ description: 'The backtest.' });

export type BacktestSummary = z.output<typeof BacktestSummary>;
const BacktestSummary = BacktestState.omit({ report: true });

const STATE_EXAMPLE = {
  id: '0199a3c2-9d10-7b44-8c2e-5a1f3b7d9e21',
  status: 'QUEUED',
  by: 'outcome',
  everyDays: 30,
  horizonDays: 90,
  from: null,
  to: null,
  progress: 0,
  error: null,
  createdAt: '2026-03-01T09:00:00.000Z',
  completedAt: null,
  report: null,
};

export const BacktestCreated = z.object({ backtest: BacktestState }).meta({
  id: 'BacktestCreated',
  description: 'A queued backtest.',
  example: { backtest: STATE_EXAMPLE },
});

export const BacktestAnswer = z.object({ backtest: BacktestState }).meta({
  id: 'Backtest',
  description: 'A backtest with its status and, once it is completed, its report.',
  example: {
    backtest: {
      ...STATE_EXAMPLE,
      status: 'COMPLETED',
      progress: 100,
      completedAt: '2026-03-01T09:00:12.482Z',
      report: REPORT_EXAMPLE,
    },
  },
});

const { report: _, ...SUMMARY_EXAMPLE } = STATE_EXAMPLE;

export const Backtests = z
  .object({ backtests: z.array(BacktestSummary).meta({ description: 'Newest first.' }) })
  .meta({
    id: 'Backtests',
    description: 'Backtests of the last 30 days, without their reports.',
    example: { backtests: [SUMMARY_EXAMPLE] },
  });

export const backtestPath = z.object({
  id: pathText('Id of the backtest.', STATE_EXAMPLE.id),
});

export const BacktestQuery = z.object({
  format: z.enum(['json', 'html']).default('json').meta({
    description: '`html`: the report as a page with pictures, once the status is `COMPLETED`.',
  }),
});
