import type { z } from 'zod';
import { CSV_TYPE, type CsvColumn, csvHeaders, csvStream, onePage } from '../../../kit/csv.js';
import { media, ok } from '../../../kit/http/answer.js';
import type { KeyCaller } from '../../../kit/http/route.js';
import type { UsageDeps } from './readUsage.js';
import type { UsageQuery } from './schemas.js';
import { readCalls, type StatusClass } from './store.js';
import { windowOf } from './window.js';

/** GET /usage/meters: billed calls, as JSON or CSV. */
export async function readMeters(
  { db, clock, meter }: UsageDeps,
  { platformId, livemode }: KeyCaller,
  query: z.output<typeof UsageQuery>,
) {
  const { window, truncated } = windowOf(query, clock.now());
  await meter.flush();
  const meters = metersOf(await readCalls(db, { platformId, livemode, from: window.from, to: window.to }));
  if (query.format === 'json') return ok({ window, truncated, meters });
  const stream = csvStream(COLUMNS, onePage(meters), { maxRows: meters.length });
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

const COLUMNS: readonly CsvColumn<MeterRow>[] = [
  { name: 'dimension', value: ({ dimension }) => dimension },
  { name: 'value', value: ({ value }) => value },
  { name: 'count', value: ({ count }) => count },
];
