import { beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import type { TestService } from '#harness/service.js';
import { removeOldUsage } from '../../../src/features/tenancy/usage/store.js';
import { newPlatform } from './keyFixtures.js';

const NOW = new Date('2026-05-04T12:00:00.000Z');

const lastWeek = Array.from({ length: 7 }, (_, index) =>
  new Date(Date.UTC(2026, 3, 28 + index)).toISOString().slice(0, 10),
);
/** A day without calls. */
const quiet = (date: string) => ({ date, ok: 0, clientError: 0, serverError: 0, total: 0 });

/** Writes days as another process does. */
async function haveCounted(
  service: TestService,
  platformId: string,
  rows: readonly (readonly [day: string, route: string, statusClass: string, count: number])[],
): Promise<void> {
  for (const [day, route, statusClass, count] of rows) {
    await service.db.execute(
      `insert into usage_daily (platform_id, livemode, day, route, status_class, requests, calls)
       values ($1, true, $2::date, $3, $4, $5, $5)`,
      [platformId, day, route, statusClass, count],
    );
  }
}

describe.each(breadth)('usage on %s', (engine) => {
  const service = givenService(engine, { clock: { now: () => NOW } });
  const read = (path: string, key?: string) => service.request('GET', path, { key });
  const readByOperator = (platformId: string, query = '') =>
    service.request('GET', `/admin/platforms/${platformId}/usage${query}`, { admin: true });
  /** A platform that the operator reads, because a platform's own read would be counted. */
  let history: Awaited<ReturnType<typeof newPlatform>>;
  const ofHistory = (query: string) => readByOperator(history.platformId, query);

  beforeAll(async () => {
    history = await newPlatform(service, { plan: 'growth' });
    await haveCounted(service, history.platformId, [
      ['2024-01-01', 'GET /users', 'ok', 1000],
      ['2025-03-31', 'GET /users', 'ok', 400],
      ['2026-04-27', 'GET /users', 'ok', 90],
      ['2026-04-28', 'POST /events', 'ok', 5],
      ['2026-04-28', 'POST /events', 'clientError', 2],
      ['2026-05-04', 'POST /events', 'serverError', 1],
      ['2026-05-04', 'GET /users', 'ok', 3],
    ]);
  });

  test('the last seven days are listed by day (zeros included), status class and operation', async () => {
    expect((await ofHistory('')).body).toEqual({
      window: { from: '2026-04-28', to: '2026-05-04', days: 7 },
      truncated: false,
      rateLimitPerMinute: 600,
      days: [
        { date: '2026-04-28', ok: 5, clientError: 2, serverError: 0, total: 7 },
        ...lastWeek.slice(1, -1).map(quiet),
        { date: '2026-05-04', ok: 3, clientError: 0, serverError: 1, total: 4 },
      ],
      total: 11,
      endpoints: [
        { route: 'POST /events', count: 8 },
        { route: 'GET /users', count: 3 },
      ],
    });
  });

  test('a key reads the usage of its platform and mode up to its last request, the operator that of both', async () => {
    const { platformId, live, test: inTest } = await newPlatform(service);
    const empty = { days: lastWeek.map(quiet), total: 0, endpoints: [], rateLimitPerMinute: 60_000 };
    expect((await read('/usage', live.key)).body).toMatchObject(empty);
    await read('/users/nobody/score', live.key);
    await read('/users?limit=0', live.key);
    await read('/events/export', inTest.key);
    const days = [
      ...lastWeek.slice(0, -1).map(quiet),
      { date: '2026-05-04', ok: 1, clientError: 2, serverError: 0, total: 3 },
    ];
    const endpoints = ['GET /usage', 'GET /users', 'GET /users/{id}/score'].map((route) => ({
      route,
      count: 1,
    }));
    const inTestMode = { total: 1, endpoints: [{ route: 'GET /events/export', count: 1 }] };
    expect((await readByOperator(platformId)).body).toMatchObject({ days, total: 3, endpoints });
    expect((await readByOperator(platformId, '?mode=test')).body).toMatchObject(inTestMode);
    expect((await read('/usage', live.key)).body).toMatchObject({ days, total: 3, endpoints });
    expect((await read('/usage', inTest.key)).body).toMatchObject(inTestMode);
  });

  test('only the ten busiest operations are listed', async () => {
    const { platformId } = await newPlatform(service);
    const rows = Array.from(
      { length: 14 },
      (_, n) => ['2026-05-01', `GET /route-${n}`, 'ok', 100 - n] as const,
    );
    await haveCounted(service, platformId, rows);
    const { body } = await readByOperator(platformId);
    expect(body.endpoints).toEqual(rows.slice(0, 10).map(([, route, , count]) => ({ route, count })));
    expect(body.total).toBe(rows.reduce((sum, [, , , count]) => sum + count, 0));
  });

  test.each([
    ['?days=1', { from: '2026-05-04', to: '2026-05-04', days: 1 }, false, 4],
    ['?days=8', { from: '2026-04-27', to: '2026-05-04', days: 8 }, false, 101],
    ['?days=400', { from: '2025-03-31', to: '2026-05-04', days: 400 }, false, 501],
    ['?days=401', { from: '2025-03-31', to: '2026-05-04', days: 400 }, true, 501],
    ['?days=100000', { from: '2025-03-31', to: '2026-05-04', days: 400 }, true, 501],
    ['?from=2026-04-27&to=2026-04-28', { from: '2026-04-27', to: '2026-04-28', days: 2 }, false, 97],
    ['?from=2026-04-28&to=2026-04-28', { from: '2026-04-28', to: '2026-04-28', days: 1 }, false, 7],
    ['?from=2020-01-01&to=2026-05-04', { from: '2025-03-31', to: '2026-05-04', days: 400 }, true, 501],
    ['?from=2024-12-31&to=2025-01-02', { from: '2024-12-31', to: '2025-01-02', days: 3 }, true, 0],
    ['?from=2026-05-04&to=2026-05-10', { from: '2026-05-04', to: '2026-05-10', days: 7 }, false, 4],
  ])('%s gives the window %o', async (query, window, truncated, total) => {
    const { body } = await ofHistory(query);
    expect(body).toMatchObject({ window, truncated, total });
    expect(body.days).toHaveLength(window.days);
    expect([body.days[0].date, body.days.at(-1).date]).toEqual([window.from, window.to]);
  });

  test.each([
    ['?from=2026-04-01', 'USAGE_RANGE_INVALID'],
    ['?to=2026-04-01', 'USAGE_RANGE_INVALID'],
    ['?from=2026-04-02&to=2026-04-01', 'USAGE_RANGE_INVALID'],
    ['?from=yesterday&to=2026-04-01', 'USAGE_RANGE_INVALID'],
    ['?from=2026-02-30&to=2026-04-01', 'USAGE_RANGE_INVALID'],
    ['?days=0', 'USAGE_RANGE_INVALID'],
    ['?days=3&from=2026-04-01&to=2026-04-02', 'USAGE_WINDOW_CONFLICT'],
    ['?days=3&to=2026-04-02', 'USAGE_WINDOW_CONFLICT'],
    ['?format=xml', 'USAGE_FORMAT_INVALID'],
  ])('%s is refused with %s by every read with a window', async (query, code) => {
    for (const answer of [
      await ofHistory(query),
      await read(`/usage${query}`),
      await read(`/usage/meters${query}`),
    ]) {
      expect([answer.status, answer.body.code, answer.body.retryable]).toEqual([400, code, false]);
    }
  });

  test('the CSV file is named after its window and marks the kind of each row', async () => {
    const { headers, text } = await ofHistory('?format=csv');
    expect(headers.get('content-type')).toContain('text/csv');
    expect(headers.get('content-disposition')).toBe(
      'attachment; filename="usage-2026-04-28-to-2026-05-04.csv"',
    );
    expect(text.split('\r\n')).toEqual([
      'row,date,route,ok,clientError,serverError,total',
      'day,2026-04-28,,5,2,0,7',
      ...lastWeek.slice(1, -1).map((day) => `day,${day},,0,0,0,0`),
      'day,2026-05-04,,3,0,1,4',
      'total,,,8,2,1,11',
      'endpoint,,POST /events,,,,8',
      'endpoint,,GET /users,,,,3',
      '',
    ]);
  });

  test('the totals are the same in each dimension', async () => {
    const { body } = await read('/usage/meters?from=2026-04-27&to=2026-05-03', history.live.key);
    expect(body).toEqual({
      window: { from: '2026-04-27', to: '2026-05-03', days: 7 },
      truncated: false,
      meters: [
        { dimension: 'total', value: 'all', count: 97 },
        { dimension: 'status_class', value: 'ok', count: 95 },
        { dimension: 'status_class', value: 'clientError', count: 2 },
        { dimension: 'status_class', value: 'serverError', count: 0 },
        { dimension: 'endpoint', value: 'GET /users', count: 90 },
        { dimension: 'endpoint', value: 'POST /events', count: 7 },
      ],
    });
    const csv = await read('/usage/meters?from=2026-04-28&to=2026-05-03&format=csv', history.live.key);
    expect(csv.headers.get('content-disposition')).toContain('usage-meters-2026-04-28-to-2026-05-03.csv');
    expect(csv.text.split('\r\n').slice(0, 3)).toEqual([
      'dimension,value,count',
      'total,all,7',
      'status_class,ok,5',
    ]);
  });

  test('the quota read has the remaining calls and costs none', async () => {
    const { platformId, live, test: inTest } = await newPlatform(service, { plan: 'starter' });
    const asked = async ({ key } = live) => (await read('/usage/quota', key)).body;
    const setQuota = (monthlyQuota: number) =>
      service.request('PATCH', `/admin/platforms/${platformId}`, { admin: true, body: { monthlyQuota } });
    const fresh = {
      unlimited: false,
      cap: 50_000,
      used: 0,
      remaining: 50_000,
      periodEnd: '2026-06-01T00:00:00.000Z',
      secondsUntilReset: 27.5 * 24 * 60 * 60,
    };
    for (let time = 0; time < 2; time += 1) expect(await asked()).toEqual(fresh);
    for (const { key } of [live, inTest]) await read('/users', key);
    for (const of of [live, inTest])
      expect(await asked(of)).toEqual({ ...fresh, used: 1, remaining: 49_999 });

    await setQuota(2);
    await read('/users', live.key);
    const refused = await read('/users', live.key);
    expect([refused.status, refused.body.code]).toEqual([429, 'QUOTA_EXCEEDED']);
    const spent = await asked();
    expect(spent).toMatchObject({ cap: 2, used: 2, remaining: 0 });
    expect(refused.headers.get('Retry-After')).toBe(String(spent.secondsUntilReset));
    expect((await read('/users', inTest.key)).status).toBe(200);

    await setQuota(0);
    expect(await asked()).toMatchObject({ unlimited: true, cap: null, used: 2, remaining: null });
    const free = await read('/users', live.key);
    expect([free.status, free.headers.get('x-quota-remaining')]).toEqual([200, null]);
  });

  test('retention deletes only days outside every window', async () => {
    const never = new AbortController().signal;
    await service.db.execute(
      `insert into quota_usage (platform_id, period, used) select $1::uuid, unnest('{2025-02-01,2025-03-01}'::date[]), 1`,
      [service.platformId],
    );
    expect(await removeOldUsage(service.db)(NOW, never)).toBe(1);
    expect((await ofHistory('?from=2025-03-31&to=2026-05-03')).body.total).toBe(497);
    const months = await service.db.query<{ period: string }>(
      'select period from quota_usage where used = 1',
    );
    expect(months.map(({ period }) => period)).toEqual(['2025-03-01']);
  });
});
