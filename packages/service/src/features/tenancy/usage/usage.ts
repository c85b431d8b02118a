import { z } from 'zod';
import { keyModes } from '#domain/catalogues/enums.js';
import { allowanceOf } from '#domain/catalogues/plans.js';
import { everyDay } from '#domain/timestamp.js';
import { CSV_TYPE, type CsvColumn, csvHeaders, csvStream, onePage } from '#kit/csv.js';
import type { Queryable } from '#kit/db/database.js';
import { media, ok } from '#kit/http/answer.js';
import { instant, wholeNumber } from '#kit/http/query.js';
import { type KeyCaller, keyFor, operator, type RouteTable, route } from '#kit/http/route.js';
import { isUuid } from '#kit/ids.js';
import { failUnknownPlatform, platformPath } from '#ledger/requests/addressedSubject.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import type { UsageMeter } from './meter.js';
import { periodAt, secondsUntil } from './meter.js';
import {
  type DayCount,
  findLimits,
  readBusiestRoutes,
  readCalls,
  readDays,
  readUsed,
  type StatusClass,
  windowOf,
} from './store.js';

const windowFields = {
  days: wholeNumber(1, 1_000_000).optional(),
  from: z.string().max(64).optional().meta({ format: 'date' }),
  to: z.string().max(64).optional().meta({ format: 'date' }),
  format: z.enum(['json', 'csv']).default('json'),
};

const UsageQuery = z.object(windowFields);

const PlatformUsageQuery = z.object({
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

const Meters = z
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

/** The calls of a platform, and its monthly quota. */
export function usageRoutes(deps: UsageDeps): RouteTable {
  const own = { access: keyFor('usage'), tag: 'Usage' };
  const windowed = {
    queryError: (path: string) => (path === 'format' ? 'USAGE_FORMAT_INVALID' : 'USAGE_RANGE_INVALID'),
    errors: ['USAGE_RANGE_INVALID', 'USAGE_WINDOW_CONFLICT', 'USAGE_FORMAT_INVALID'] as const,
  };
  const usageAnswers = { 200: { json: Usage, media: [{ type: CSV_TYPE }] } };
  return {
    'GET /usage': route({
      operationId: 'readUsage',
      ...own,
      ...windowed,
      query: UsageQuery,
      answers: usageAnswers,
      handle: ({ caller, query }) => readUsage(deps, caller, query),
    }),
    'GET /usage/quota': route({
      operationId: 'readQuota',
      ...own,
      quotaFree: true,
      answers: { 200: Quota },
      handle: async ({ caller }) => ok(await readQuota(deps, caller)),
    }),
    'GET /usage/meters': route({
      operationId: 'readUsageMeters',
      ...own,
      ...windowed,
      query: UsageQuery,
      answers: { 200: { json: Meters, media: [{ type: CSV_TYPE }] } },
      handle: ({ caller, query }) => readMeters(deps, caller, query),
    }),
    'GET /admin/platforms/{id}/usage': route({
      operationId: 'adminReadUsage',
      access: operator,
      tag: 'Operator',
      ...windowed,
      params: platformPath,
      query: PlatformUsageQuery,
      answers: usageAnswers,
      errors: [...windowed.errors, 'NOT_FOUND'],
      handle: async ({ params, query }) =>
        readUsage(deps, await findSubscriber(deps.db, params.id, query.mode === 'live'), query),
    }),
  };
}

type UsageDeps = Pick<ServiceDeps, 'db' | 'clock'> & { meter: Pick<UsageMeter, 'flush'> };

/** Usage of one platform in one mode. */
interface Subscriber {
  readonly platformId: string;
  readonly livemode: boolean;
  readonly rateLimitPerMinute: number;
}

/** The live or test mode of a platform that the operator names. Throws NOT_FOUND. */
async function findSubscriber(db: Queryable, id: string, livemode: boolean): Promise<Subscriber> {
  const limits = isUuid(id) ? await findLimits(db, id) : null;
  if (!limits) return failUnknownPlatform();
  const { rateLimitPerMinute } = allowanceOf(limits.plan, limits);
  return { platformId: id, livemode, rateLimitPerMinute };
}

/**
 * GET /usage/quota: the calls of this UTC calendar month. Test keys read the same, since the quota
 * is the platform's.
 */
export async function readQuota({ db, clock, meter }: UsageDeps, caller: KeyCaller): Promise<Quota> {
  const now = clock.now();
  const { start, end } = periodAt(now);
  await meter.flush();
  const used = await readUsed(db, caller.platformId, start);
  const cap = caller.monthlyQuota === 0 ? null : caller.monthlyQuota;
  return {
    unlimited: cap === null,
    cap,
    used,
    remaining: cap === null ? null : Math.max(0, cap - used),
    periodEnd: end,
    secondsUntilReset: secondsUntil(end, now),
  };
}

const BUSIEST = 10;

/** Requests by day and by operation, as JSON or CSV. */
export async function readUsage(
  { db, clock, meter }: UsageDeps,
  { platformId, livemode, rateLimitPerMinute }: Subscriber,
  query: z.output<typeof UsageQuery>,
) {
  const { window, truncated } = windowOf(query, clock.now());
  await meter.flush();
  const slice = { platformId, livemode, from: window.from, to: window.to };
  const [counted, endpoints] = await Promise.all([
    readDays(db, slice),
    readBusiestRoutes(db, slice, BUSIEST),
  ]);
  const byDate = new Map(counted.map((day) => [day.date, day]));
  const days = everyDay(window, (date) => byDate.get(date) ?? { date, ...NO_CALLS });
  const total = sumOf(days);
  if (query.format === 'json') {
    return ok({ window, truncated, rateLimitPerMinute, days, total: total.total, endpoints });
  }
  const rows: Row[] = [
    ...days.map((day): Row => ({ ...NOTHING, ...day, row: 'day' })),
    { ...NOTHING, ...total, row: 'total' },
    ...endpoints.map(({ route, count }): Row => ({ ...NOTHING, row: 'endpoint', route, total: count })),
  ];
  const stream = csvStream(COLUMNS, onePage(rows), { maxRows: rows.length });
  return media(CSV_TYPE, stream, csvHeaders(`usage-${window.from}-to-${window.to}.csv`));
}

const NO_CALLS = { ok: 0, clientError: 0, serverError: 0, total: 0 };

function sumOf(days: readonly DayCount[]): Omit<DayCount, 'date'> {
  const sum = { ...NO_CALLS };
  for (const day of days) {
    sum.ok += day.ok;
    sum.clientError += day.clientError;
    sum.serverError += day.serverError;
    sum.total += day.total;
  }
  return sum;
}

interface Row {
  row: 'day' | 'total' | 'endpoint';
  date: string | null;
  route: string | null;
  ok: number | null;
  clientError: number | null;
  serverError: number | null;
  total: number | null;
}

const NOTHING = { date: null, route: null, ok: null, clientError: null, serverError: null, total: null };

const COLUMNS: readonly CsvColumn<Row>[] = (
  ['row', 'date', 'route', 'ok', 'clientError', 'serverError', 'total'] as const
).map((name) => ({ name, value: (row) => row[name] }));

/** GET /usage/meters: billed calls, as JSON or CSV. */
async function readMeters(
  { db, clock, meter }: UsageDeps,
  { platformId, livemode }: KeyCaller,
  query: z.output<typeof UsageQuery>,
) {
  const { window, truncated } = windowOf(query, clock.now());
  await meter.flush();
  const meters = metersOf(await readCalls(db, { platformId, livemode, from: window.from, to: window.to }));
  if (query.format === 'json') return ok({ window, truncated, meters });
  const stream = csvStream(METER_COLUMNS, onePage(meters), { maxRows: meters.length });
  return media(CSV_TYPE, stream, csvHeaders(`usage-meters-${window.from}-to-${window.to}.csv`));
}

interface MeterRow {
  dimension: 'total' | 'status_class' | 'endpoint';
  value: string;
  count: number;
}

interface Calls {
  readonly route: string;
  readonly statusClass: StatusClass;
  readonly calls: number;
}

/** The rows of each dimension add up to the total. */
function metersOf(calls: readonly Calls[]): MeterRow[] {
  const sum = (rows: readonly Calls[]) => rows.reduce((total, row) => total + row.calls, 0);
  const routes = [...new Set(calls.map(({ route }) => route))];
  return [
    { dimension: 'total', value: 'all', count: sum(calls) },
    ...(['ok', 'clientError', 'serverError'] as const).map((value) => ({
      dimension: 'status_class' as const,
      value,
      count: sum(calls.filter(({ statusClass }) => statusClass === value)),
    })),
    ...routes.map((value) => ({
      dimension: 'endpoint' as const,
      value,
      count: sum(calls.filter(({ route }) => route === value)),
    })),
  ];
}

const METER_COLUMNS: readonly CsvColumn<MeterRow>[] = (['dimension', 'value', 'count'] as const).map(
  (name) => ({ name, value: (row) => row[name] }),
);
