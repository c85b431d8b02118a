import type { BacktestReport } from '../../../domain/backtest/report.js';
import type { Queryable, Tx } from '../../../kit/db/database.js';
import { insertRow, pick } from '../../../kit/db/rows.js';
import type { BookOwner } from './ledgerStore.js';
import type { BacktestState, BacktestSummary } from './schemas.js';

const SUMMARY = `backtest_id as id, status, known_by as by, every_days, horizon_days, from_day as "from", to_day as "to", progress,
  error, created_at, completed_at`;
const COLUMNS = `${SUMMARY}, report`;

/** A backtest with its mode: a job knows only the platform. */
export type OwnedBacktest = BacktestState & { readonly livemode: boolean };

/** False if another one is under way. */
export async function insertBacktest(
  tx: Tx,
  { platformId, livemode }: BookOwner,
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

export async function findBacktest(
  db: Queryable,
  { platformId, livemode }: BookOwner,
  id: string,
): Promise<BacktestState | null> {
  const [row] = await db.query<BacktestState>(
    `select ${COLUMNS} from backtest where platform_id = $1 and backtest_id = $2 and livemode = $3`,
    [platformId, id, livemode],
  );
  return row ?? null;
}

/** Without reports, newest first. */
export function listBacktests(
  db: Queryable,
  { platformId, livemode }: BookOwner,
): Promise<BacktestSummary[]> {
  return db.query<BacktestSummary>(
    `select ${SUMMARY} from backtest where platform_id = $1 and livemode = $2 order by backtest_id desc limit $3`,
    [platformId, livemode, MAX_LISTED],
  );
}

const MAX_LISTED = 100;

export async function findUnderWay(
  db: Queryable,
  { platformId, livemode }: BookOwner,
): Promise<BacktestState | null> {
  const [row] = await db.query<BacktestState>(
    `select ${COLUMNS} from backtest where platform_id = $1 and livemode = $2 and status in ('QUEUED', 'RUNNING')`,
    [platformId, livemode],
  );
  return row ?? null;
}

/** The backtest of a job. */
export interface BacktestKey {
  readonly platformId: string;
  readonly backtestId: string;
}

/** Locks the row until the transaction ends. Null if the backtest has ended or was deleted. */
export async function noteProgress(
  tx: Tx,
  { platformId, backtestId }: BacktestKey,
  percent: number,
): Promise<OwnedBacktest | null> {
  const [row] = await tx.query<OwnedBacktest>(
    `update backtest set status = 'RUNNING', progress = $3
     where platform_id = $1 and backtest_id = $2 and status in ('QUEUED', 'RUNNING') returning ${COLUMNS}, livemode`,
    [platformId, backtestId, percent],
  );
  return row ?? null;
}

/** Changes nothing if the backtest has ended or was deleted. */
export async function completeBacktest(
  tx: Tx,
  { platformId, backtestId }: BacktestKey,
  report: BacktestReport,
  now: Date,
): Promise<void> {
  await tx.execute(
    `update backtest set status = 'COMPLETED', progress = 100, report = $3, completed_at = $4
     where platform_id = $1 and backtest_id = $2 and status in ('QUEUED', 'RUNNING')`,
    [platformId, backtestId, report, now],
  );
}

/** Changes nothing if the backtest has ended or was deleted. */
export async function failBacktest(
  tx: Tx,
  { platformId, backtestId }: BacktestKey,
  error: string,
  now: Date,
): Promise<void> {
  await tx.execute(
    `update backtest set status = 'FAILED', error = $3, completed_at = $4
     where platform_id = $1 and backtest_id = $2 and status in ('QUEUED', 'RUNNING')`,
    [platformId, backtestId, error, now],
  );
}

/** Deletes up to `limit` backtests that ended (or, without an end, were created) before `before`. Returns their number. */
export function deleteBacktests(tx: Tx, before: Date, limit: number): Promise<number> {
  return tx.execute(
    `delete from backtest where (platform_id, backtest_id) in (
       select platform_id, backtest_id from backtest where coalesce(completed_at, created_at) < $1
       order by coalesce(completed_at, created_at) limit $2
     )`,
    [before, limit],
  );
}
