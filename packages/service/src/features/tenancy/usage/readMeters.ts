import type { z } from 'zod';
import { type CsvColumn, csvHeaders, csvStream, onePage } from '../../../kit/csv.js';
import { type Answer, ok } from '../../../kit/http/answer.js';
import type { KeyAccess, RequestContext } from '../../../kit/http/route.js';
import type { UsageDeps } from './deps.js';
import type { UsageQuery } from './schemas.js';
import { readCalls, type StatusClass } from './store.js';
import { windowOf } from './window.js';

/** GET /usage/meters: what a bill can be made from. A CSV export counts as many calls as it has started 1000 rows. */
export async function readMeters(
  { db, clock, meter }: UsageDeps,
  { caller, query }: RequestContext<KeyAccess, undefined, z.output<typeof UsageQuery>, undefined>,
): Promise<Answer> {
  const { window, truncated } = windowOf(query, clock.now());
  await meter.flush();
  const { platformId, livemode } = caller;
  const meters = metersOf(await readCalls(db, { platformId, livemode, from: window.from, to: window.to }));
  if (query.format === 'json') return ok({ window, truncated, meters });
  return {
    status: 200,
    body: csvStream(COLUMNS, onePage(meters), { maxRows: meters.length }),
    headers: csvHeaders(`usage-meters-${window.from}-to-${window.to}.csv`),
  };
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

/** Every dimension adds up to the total. */
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

const COLUMNS: readonly CsvColumn<MeterRow>[] = [
  { name: 'dimension', value: ({ dimension }) => dimension },
  { name: 'value', value: ({ value }) => value },
  { name: 'count', value: ({ count }) => count },
];
