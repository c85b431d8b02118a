import { confidenceLabels, platformTiers, replayBys, scoreBands } from '@reliability/scoring';
import { z } from 'zod';
import { DEFAULT_EVERY_DAYS, DEFAULT_HORIZON_DAYS, MAX_STEP_DAYS } from '#domain/backtest/backtest.js';
import { TENURES } from '#domain/backtest/formulaFigures.js';
import { jobStatuses, subjectTypes } from '#domain/catalogues/enums.js';
import type { Queryable, Tx } from '#kit/db/database.js';
import { insertRow, pick } from '#kit/db/rows.js';
import { instant, pathText } from '#kit/http/query.js';
import type { ModeOwner } from '#ledger/reads/ownedRows.js';
import { trackedJobs } from '../trackedJobs.js';

const knownBy = z.enum(replayBys);
const step = z.int().min(1).max(MAX_STEP_DAYS);
const everyDays = step;
const horizonDays = step;
const from = z.iso.date({ abort: true });
const to = z.iso.date({ abort: true });

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
  .meta({ id: 'NewBacktest' });

const count = z.int().min(0);
const rate = z.number().min(0).max(1).nullable();
const ci95 = z.tuple([z.number(), z.number()]).nullable();
const auc = rate;

const cell = {
  n: count,
  kept: rate,
  ci95,
};

function groupsBy(names: readonly [string, ...string[]]) {
  return z.array(
    z.object({
      group: z.enum(names),
      ...cell,
      auc,
    }),
  );
}

const Report = z
  .object({
    formulaVersion: z.string(),
    by: knownBy,
    asOf: z.array(z.iso.date()),
    everyDays,
    horizonDays,
    pairs: count,
    subjects: count,
    unscoredPairs: count,
    baseRate: rate,
    discrimination: z.object({
      auc,
      ci95,
      rivals: z.object({
        completionRate: auc,
        betaRate: auc,
        behavioralQuality: auc,
        lastOutcome: auc,
      }),
    }),
    calibration: z.object({
      brier: rate,
      brierOfBaseRate: rate,
      skill: z.number().nullable(),
      curve: z.array(
        z.object({
          from: z.number(),
          to: z.number(),
          predicted: rate,
          ...cell,
        }),
      ),
    }),
    bands: z.array(z.object({ band: z.enum(scoreBands), ...cell })),
    bandsMonotone: z.boolean().nullable(),
    groups: z.object({
      tenure: groupsBy(TENURES),
      tier: groupsBy(platformTiers),
      subjectType: groupsBy(subjectTypes),
      confidence: groupsBy(confidenceLabels),
    }),
    caveats: z.array(z.string()),
  })
  .meta({ id: 'BacktestReport' });

export type BacktestState = z.output<typeof BacktestState>;
export const BacktestState = z.object({
  id: z.uuid(),
  status: z.enum(jobStatuses),
  by: knownBy,
  everyDays,
  horizonDays,
  from: from.nullable(),
  to: to.nullable(),
  progress: z.int().min(0).max(100),
  error: z.string().nullable(),
  createdAt: instant,
  completedAt: instant.nullable(),
  report: Report.nullable(),
});

type BacktestSummary = z.output<typeof BacktestSummary>;
const BacktestSummary = BacktestState.omit({ report: true });

export const BacktestCreated = z.object({ backtest: BacktestState }).meta({ id: 'BacktestCreated' });

export const BacktestAnswer = z.object({ backtest: BacktestState }).meta({ id: 'Backtest' });

export const Backtests = z.object({ backtests: z.array(BacktestSummary) }).meta({ id: 'Backtests' });

export const backtestPath = z.object({
  id: pathText(),
});

export const BacktestQuery = z.object({
  format: z.enum(['json', 'html']).default('json'),
});

const SUMMARY = `backtest_id as id, status, known_by as by, every_days, horizon_days, from_day as "from", to_day as "to", progress,
  error, created_at, completed_at`;
const COLUMNS = `${SUMMARY}, report`;

export const backtests = trackedJobs<BacktestState>('backtest', COLUMNS);

/** False if another one is under way. */
export async function insertBacktest(
  tx: Tx,
  { platformId, livemode }: ModeOwner,
  backtest: BacktestState,
): Promise<boolean> {
  const inserted = await insertRow(
    tx,
    'backtest',
    {
      ...pick(backtest, 'status', 'everyDays', 'horizonDays', 'createdAt'),
      platformId,
      backtestId: backtest.id,
      livemode,
      knownBy: backtest.by,
      fromDay: backtest.from,
      toDay: backtest.to,
    },
    "on conflict (platform_id, livemode) where status in ('QUEUED', 'RUNNING') do nothing",
  );
  return inserted === 1;
}

/** Without reports, newest first. */
export function listBacktests(
  db: Queryable,
  { platformId, livemode }: ModeOwner,
): Promise<BacktestSummary[]> {
  return db.query<BacktestSummary>(
    `select ${SUMMARY} from backtest where platform_id = $1 and livemode = $2 order by backtest_id desc limit $3`,
    [platformId, livemode, MAX_LISTED],
  );
}

const MAX_LISTED = 100;

export async function findUnderWay(
  db: Queryable,
  { platformId, livemode }: ModeOwner,
): Promise<BacktestState | null> {
  const [row] = await db.query<BacktestState>(
    `select ${COLUMNS} from backtest where platform_id = $1 and livemode = $2 and status in ('QUEUED', 'RUNNING')`,
    [platformId, livemode],
  );
  return row ?? null;
}
