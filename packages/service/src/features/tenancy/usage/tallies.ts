import { DAY_MS } from '#domain/timestamp.js';
import type { Clock } from '#kit/clock.js';
import type { Meter } from '#kit/http/limits.js';
import type { StatusClass, UsageRow } from './store.js';

/** Counts of answers that are not written yet. */
export interface Tallies {
  count: Meter['count'];
  /** Everything counted since the last time, one row per key. */
  take(): UsageRow[];
  /** Returns rows that could not be written, for the next `take`. */
  putBack(rows: Iterable<UsageRow>): void;
}

/**
 * Counting is two look-ups and an addition; keys of a database row are only made when rows are
 * taken.
 */
export function createTallies(clock: Clock): Tallies {
  let current = emptyDay(today());
  let waiting = new Map<string, UsageRow>();
  return {
    count({ platformId, livemode }, route, status, requests, calls) {
      const day = today();
      if (day !== current.day) closeDay(day);
      const platforms = livemode ? current.live : current.test;
      const count = countOf(routesOf(platforms, platformId), route)[statusClassOf(status)];
      count.requests += requests;
      count.calls += calls;
    },
    take() {
      closeDay(today());
      const taken = waiting;
      waiting = new Map();
      return [...taken.values()];
    },
    putBack,
  };

  function today(): number {
    return Math.floor(clock.now().getTime() / DAY_MS);
  }

  /** Moves the open counts to those that wait to be written. */
  function closeDay(day: number): void {
    putBack(rowsOf(current));
    current = emptyDay(day);
  }

  function putBack(rows: Iterable<UsageRow>): void {
    for (const row of rows) {
      const key = keyOf(row);
      const known = waiting.get(key);
      waiting.set(key, known ? sumOf(known, row) : row);
    }
  }
}

type Counts = Record<StatusClass, { requests: number; calls: number }>;
type Platforms = Map<string, Map<string, Counts>>;

interface Day {
  readonly day: number;
  readonly live: Platforms;
  readonly test: Platforms;
}

function emptyDay(day: number): Day {
  return { day, live: new Map(), test: new Map() };
}

function routesOf(platforms: Platforms, platformId: string): Map<string, Counts> {
  const known = platforms.get(platformId);
  if (known) return known;
  const routes = new Map<string, Counts>();
  platforms.set(platformId, routes);
  return routes;
}

function countOf(routes: Map<string, Counts>, route: string): Counts {
  const known = routes.get(route);
  if (known) return known;
  const counts = noCounts();
  routes.set(route, counts);
  return counts;
}

function noCounts(): Counts {
  return {
    ok: { requests: 0, calls: 0 },
    clientError: { requests: 0, calls: 0 },
    serverError: { requests: 0, calls: 0 },
  };
}

function statusClassOf(status: number): StatusClass {
  if (status < 400) return 'ok';
  return status < 500 ? 'clientError' : 'serverError';
}

function* rowsOf({ day, live, test }: Day): Generator<UsageRow> {
  const date = new Date(day * DAY_MS).toISOString().slice(0, 10);
  for (const [platforms, livemode] of [
    [live, true],
    [test, false],
  ] as const) {
    for (const [platformId, routes] of platforms) {
      for (const [route, counts] of routes) {
        for (const statusClass of ['ok', 'clientError', 'serverError'] as const) {
          const { requests, calls } = counts[statusClass];
          if (calls > 0) yield { platformId, livemode, date, route, statusClass, requests, calls };
        }
      }
    }
  }
}

function keyOf({ platformId, livemode, date, route, statusClass }: UsageRow): string {
  return `${platformId} ${livemode} ${date} ${route} ${statusClass}`;
}

function sumOf(known: UsageRow, more: UsageRow): UsageRow {
  return { ...known, requests: known.requests + more.requests, calls: known.calls + more.calls };
}
