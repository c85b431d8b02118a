import { dayOf } from '@reliability/scoring';
import type { PlanKey } from '#domain/catalogues/plans.js';
import { DAY_MS, type DayWindow, dayWindowOf, type WindowQuery } from '#domain/timestamp.js';
import type { Database, Queryable, Tx } from '#kit/db/database.js';
import { insertInto, rowsOf, sql } from '#kit/db/rows.js';
import { compareTexts } from '#kit/lists.js';
import { removeExpired, type Sweep } from '#ledger/sweep.js';

export type StatusClass = 'ok' | 'clientError' | 'serverError';

/** Answers of one kind on one UTC day. */
export interface UsageRow {
  readonly platformId: string;
  readonly livemode: boolean;
  /** YYYY-MM-DD */
  readonly date: string;
  readonly route: string;
  readonly statusClass: StatusClass;
  readonly requests: number;
  readonly calls: number;
}

/** Calls to add to a month's total; negative to take some back. */
export interface Charge {
  readonly platformId: string;
  /** First moment of the month, UTC. */
  readonly period: Date;
  readonly calls: number;
  /** 0: no quota. */
  readonly cap: number;
}

/** A platform that has just crossed the warning share of its month. */
export interface CrossedQuota {
  readonly platformId: string;
  /** YYYY-MM-DD, the first day of the month. */
  readonly period: string;
  readonly used: number;
  readonly cap: number;
}

interface SavedCounts {
  /** The months' totals, in the order of the charges. */
  readonly totals: readonly number[];
  readonly crossed: readonly CrossedQuota[];
}

/**
 * Adds counts to the stored ones, and notes once a month which platforms crossed the warning share
 * of their quota.
 */
export async function saveCounts(
  tx: Tx,
  rows: readonly UsageRow[],
  charges: readonly Charge[],
  { at, warningShare }: { at: Date; warningShare: number },
): Promise<SavedCounts> {
  const [months] = await Promise.all([
    charges.length === 0 ? [] : addToMonths(tx, charges, at, warningShare),
    rows.length === 0 ? 0 : addToDays(tx, rows),
  ]);
  const byMonth = new Map(months.map(({ platformId, period, used }) => [`${platformId} ${period}`, used]));
  return {
    totals: charges.map((charge) => byMonth.get(`${charge.platformId} ${isoDateOf(charge.period)}`) ?? 0),
    crossed: months.flatMap(({ platformId, period, used, warnedCap: cap }) =>
      cap === null ? [] : [{ platformId, period, used, cap }],
    ),
  };
}

// Rows are sorted by key, so that two processes cannot deadlock.
function addToMonths(tx: Tx, charges: readonly Charge[], at: Date, warningShare: number) {
  const sorted = [...charges].sort((a, b) => compareTexts(a.platformId, b.platformId));
  return sql`with charge as (
      select * from ${chargeColumns.as('c', sorted)}
    ), total as (
      insert into quota_usage as stored (platform_id, period, used)
      select platform_id, period, calls from charge
      on conflict (platform_id, period) do update set used = stored.used + excluded.used
      returning platform_id, period, used
    ), warning as (
      insert into quota_warning (platform_id, period, at, used, cap)
      select platform_id, period, ${at}::timestamptz, total.used, charge.cap
      from total join charge using (platform_id, period)
      where charge.cap > 0 and total.used >= charge.cap * ${warningShare}::numeric
      on conflict do nothing
      returning platform_id, period, cap
    )
    select total.platform_id, total.period, total.used, warning.cap as warned_cap
    from total left join warning using (platform_id, period)`.query<MonthRow>(tx);
}

interface MonthRow {
  platformId: string;
  period: string;
  used: number;
  warnedCap: number | null;
}

const chargeColumns = rowsOf<Charge>(
  { uuid: ['platformId'], bigint: ['calls', 'cap'] },
  { period: ['date', ({ period }) => isoDateOf(period)] },
);

function addToDays(tx: Tx, rows: readonly UsageRow[]): Promise<number> {
  const sorted = [...rows].sort((a, b) => compareTexts(rowKey(a), rowKey(b)));
  return insertInto(
    'usage_daily as stored',
    usageColumns,
    sorted,
    `on conflict (platform_id, livemode, day, route, status_class)
     do update set requests = stored.requests + excluded.requests, calls = stored.calls + excluded.calls`,
  ).execute(tx);
}

const usageColumns = rowsOf<UsageRow>(
  {
    uuid: ['platformId'],
    boolean: ['livemode'],
    text: ['route', 'statusClass'],
    bigint: ['requests', 'calls'],
  },
  { day: ['date', ({ date }) => date] },
);

function rowKey({ platformId, livemode, date, route, statusClass }: UsageRow): string {
  return `${platformId} ${livemode} ${date} ${route} ${statusClass}`;
}

function isoDateOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/** Calls of the month that all processes have written. */
export async function readUsed(db: Queryable, platformId: string, period: Date): Promise<number> {
  const [row] = await db.query<{ used: number }>(
    'select used from quota_usage where platform_id = $1 and period = $2::date',
    [platformId, isoDateOf(period)],
  );
  return row?.used ?? 0;
}

/** The usage of a platform and mode on these UTC days, both ends included. */
interface UsageSlice {
  readonly platformId: string;
  readonly livemode: boolean;
  readonly from: string;
  readonly to: string;
}

export interface DayCount {
  readonly date: string;
  readonly ok: number;
  readonly clientError: number;
  readonly serverError: number;
  readonly total: number;
}

/** Days with requests, oldest first. */
export function readDays(db: Queryable, slice: UsageSlice): Promise<DayCount[]> {
  return db.query<DayCount>(
    `select day as date,
       coalesce(sum(requests) filter (where status_class = 'ok'), 0) as ok,
       coalesce(sum(requests) filter (where status_class = 'clientError'), 0) as client_error,
       coalesce(sum(requests) filter (where status_class = 'serverError'), 0) as server_error,
       sum(requests) as total
     from usage_daily
     where platform_id = $1 and livemode = $2 and day between $3::date and $4::date
     group by day order by day`,
    [slice.platformId, slice.livemode, slice.from, slice.to],
  );
}

/** The routes with most requests, busiest first. */
export function readBusiestRoutes(
  db: Queryable,
  slice: UsageSlice,
  limit: number,
): Promise<{ route: string; count: number }[]> {
  return db.query<{ route: string; count: number }>(
    `select route, sum(requests) as count
     from usage_daily
     where platform_id = $1 and livemode = $2 and day between $3::date and $4::date
     group by route order by count desc, route limit $5`,
    [slice.platformId, slice.livemode, slice.from, slice.to, limit],
  );
}

/** Billed calls by route and status class. */
export function readCalls(
  db: Queryable,
  slice: UsageSlice,
): Promise<{ route: string; statusClass: StatusClass; calls: number }[]> {
  return db.query<{ route: string; statusClass: StatusClass; calls: number }>(
    `select route, status_class, sum(calls) as calls
     from usage_daily
     where platform_id = $1 and livemode = $2 and day between $3::date and $4::date
     group by route, status_class order by route, status_class`,
    [slice.platformId, slice.livemode, slice.from, slice.to],
  );
}

/** The limits of a platform; null when it does not exist. */
export async function findLimits(
  db: Queryable,
  platformId: string,
): Promise<{ plan: PlanKey; rateLimitPerMinute: number | null; monthlyQuota: number | null } | null> {
  const [row] = await db.shared.query<{
    plan: PlanKey;
    rateLimitPerMinute: number | null;
    monthlyQuota: number | null;
  }>(
    `select plan, rate_limit_per_minute, monthly_quota
     from platform where platform_id = $1`,
    [platformId],
  );
  return row ?? null;
}

/** How long daily counts are kept, and so the longest window (RULES M7). */
const RETENTION_DAYS = 400;

const RULE = {
  usualDays: 7,
  maxDays: RETENTION_DAYS,
  invalid: 'USAGE_RANGE_INVALID',
  conflict: 'USAGE_WINDOW_CONFLICT',
} as const;

/**
 * The window of a query. Default: the last seven days. A longer window than 400 days is cut to its
 * last 400 days; `truncated` is true then, and also for a window that starts before the retention
 * period (RULES M7).
 */
export function windowOf(query: WindowQuery, now: Date): { window: DayWindow; truncated: boolean } {
  const { window, first, firstAsked } = dayWindowOf(query, RULE, now);
  return { window, truncated: firstAsked < Math.max(first, dayOf(now) - (RETENTION_DAYS - 1)) };
}

const DAYS = { table: 'usage_daily', key: 'platform_id, livemode, day, route, status_class', time: 'day' };
const MONTHS = { key: 'platform_id, period', time: 'period' };

/** Part of the retention sweep: deletes days that no window reaches, and the months before them. */
export function removeOldUsage(db: Database): Sweep {
  return async (now, until) => {
    const oldest = isoDateOf(new Date(now.getTime() - (RETENTION_DAYS - 1) * DAY_MS));
    const affected = await removeExpired(db, DAYS, oldest, until);
    const firstOfMonth = `${oldest.slice(0, -2)}01`;
    for (const table of ['quota_usage', 'quota_warning'])
      await removeExpired(db, { table, ...MONTHS }, firstOfMonth, until);
    return affected;
  };
}
