import type { z } from 'zod';
import { allowanceOf } from '../../../domain/catalogues/plans.js';
import { everyDay } from '../../../domain/dayWindow.js';
import { type CsvColumn, csvHeaders, csvStream, onePage } from '../../../kit/csv.js';
import { type Answer, ok } from '../../../kit/http/answer.js';
import type { KeyAccess, OperatorAccess, RequestContext } from '../../../kit/http/route.js';
import { isUuid } from '../../../kit/ids.js';
import { failUnknownPlatform, type platformPath } from '../../../ledger/requests/knownPlatform.js';
import type { UsageDeps } from './deps.js';
import type { PlatformUsageQuery, UsageQuery } from './schemas.js';
import { type DayCount, findLimits, readBusiestRoutes, readDays } from './store.js';
import { windowOf } from './window.js';

type Query = z.output<typeof UsageQuery>;

/** GET /usage: what the platform has called in the mode of the key in use. */
export function readUsage(
  deps: UsageDeps,
  { caller, query }: RequestContext<KeyAccess, undefined, Query, undefined>,
): Promise<Answer> {
  return usageOf(deps, caller, query);
}

/** GET /admin/platforms/{id}/usage: the same for the operator, who names the mode. */
export async function readPlatformUsage(
  deps: UsageDeps,
  {
    params: { id },
    query,
  }: RequestContext<
    OperatorAccess,
    undefined,
    z.output<typeof PlatformUsageQuery>,
    z.output<typeof platformPath>
  >,
): Promise<Answer> {
  const limits = isUuid(id) ? await findLimits(deps.db, id) : null;
  if (!limits) return failUnknownPlatform();
  const { rateLimitPerMinute } = allowanceOf(limits.plan, limits);
  return usageOf(deps, { platformId: id, livemode: query.mode === 'live', rateLimitPerMinute }, query);
}

interface Whose {
  readonly platformId: string;
  readonly livemode: boolean;
  readonly rateLimitPerMinute: number;
}

const BUSIEST = 10;

async function usageOf({ db, clock, meter }: UsageDeps, whose: Whose, query: Query): Promise<Answer> {
  const { window, truncated } = windowOf(query, clock.now());
  const { platformId, livemode, rateLimitPerMinute } = whose;
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
  return {
    status: 200,
    body: csvStream(COLUMNS, onePage(rows), { maxRows: rows.length }),
    headers: csvHeaders(`usage-${window.from}-to-${window.to}.csv`),
  };
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

const COLUMNS: readonly CsvColumn<Row>[] = [
  { name: 'row', value: ({ row }) => row },
  { name: 'date', value: ({ date }) => date },
  { name: 'route', value: ({ route }) => route },
  { name: 'ok', value: (row) => row.ok },
  { name: 'clientError', value: ({ clientError }) => clientError },
  { name: 'serverError', value: ({ serverError }) => serverError },
  { name: 'total', value: ({ total }) => total },
];
