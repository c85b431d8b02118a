import type { z } from 'zod';
import { allowanceOf } from '../../../domain/catalogues/plans.js';
import { everyDay } from '../../../domain/timestamp.js';
import { CSV_TYPE, type CsvColumn, csvHeaders, csvStream, onePage } from '../../../kit/csv.js';
import type { Queryable } from '../../../kit/db/database.js';
import { media, ok } from '../../../kit/http/answer.js';
import type { KeyCaller } from '../../../kit/http/route.js';
import { isUuid } from '../../../kit/ids.js';
import { failUnknownPlatform } from '../../../ledger/requests/addressedSubject.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import type { UsageMeter } from './meter.js';
import { periodAt, secondsUntil } from './months.js';
import type { Quota, UsageQuery } from './schemas.js';
import { type DayCount, findLimits, readBusiestRoutes, readDays, readUsed } from './store.js';
import { windowOf } from './window.js';

export type UsageDeps = Pick<ServiceDeps, 'db' | 'clock'> & { meter: Pick<UsageMeter, 'flush'> };

/** Usage of one platform in one mode. */
interface Subscriber {
  readonly platformId: string;
  readonly livemode: boolean;
  readonly rateLimitPerMinute: number;
}

/** The live or test mode of a platform that the operator names. Throws NOT_FOUND. */
export async function findSubscriber(db: Queryable, id: string, livemode: boolean): Promise<Subscriber> {
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

const COLUMNS: readonly CsvColumn<Row>[] = [
  { name: 'row', value: ({ row }) => row },
  { name: 'date', value: ({ date }) => date },
  { name: 'route', value: ({ route }) => route },
  { name: 'ok', value: (row) => row.ok },
  { name: 'clientError', value: ({ clientError }) => clientError },
  { name: 'serverError', value: ({ serverError }) => serverError },
  { name: 'total', value: ({ total }) => total },
];
