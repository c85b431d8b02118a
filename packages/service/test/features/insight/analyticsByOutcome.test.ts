import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import { anotherPlatform } from '../intake/eventFixtures.js';
import { breached, DAY_MS, fulfilled, reportAll } from './recordFixtures.js';

interface DayCount {
  date: string;
  total: number;
  verified: number;
}

describe.each(breadth)('analytics by outcome on %s', (engine) => {
  const clock = { nowMs: Date.parse('2026-02-01T23:30:00.000Z'), now: () => new Date(clock.nowMs) };
  const service = givenService(engine, { clock, env: { ANALYTICS_MAX_DAYS: '3650' } });
  const eventsBy = async (by: string, query: string, key = service.liveKey) =>
    (await service.request('GET', `/analytics/events?by=${by}&${query}`, { key })).body;
  const byOutcome = (query: string, key?: string) => eventsBy('outcome', query, key);
  const busyDays = ({ daily }: { daily: DayCount[] }) =>
    daily.filter(({ total }) => total > 0).map(({ date, total, verified }) => [date, total, verified]);
  const sum = () => service.request('POST', '/admin/sweeps/benchmarks', { admin: true });
  const on = (date: string, event: object = fulfilled) => ({ ...event, completedAt: `${date}T12:00:00Z` });

  test('an event counts on the UTC day of its outcome, never after its report', async () => {
    await reportAll(service, 'ada', [
      on('2025-11-05'),
      on('2025-11-05', { ...breached, stakeLevel: 'HIGH' }),
      { ...fulfilled, isVerified: false, completedAt: '2026-01-31T00:30:00+02:00' },
      { ...fulfilled, dueDate: '2026-01-20T08:00:00Z' },
      { ...fulfilled, dueDate: '2027-01-20T08:00:00Z' },
      fulfilled,
    ]);
    const body = await byOutcome('days=100');
    expect(body).toMatchObject({
      by: 'outcome',
      total: 6,
      verified: 5,
      window: { days: 100, clamped: false },
      byType: { CONTRACT_FULFILLED: 5, CONTRACT_BREACHED: 1 },
      byStake: { HIGH: 1, MEDIUM: 5, LOW: 0 },
    });
    expect(busyDays(body)).toEqual([
      ['2025-11-05', 2, 2],
      ['2026-01-20', 1, 1],
      ['2026-01-30', 1, 0],
      ['2026-02-01', 2, 2],
    ]);
    expect(busyDays(await eventsBy('recorded', 'days=100'))).toEqual([['2026-02-01', 6, 5]]);
  });

  test('both ends of a window belong to it', async () => {
    expect((await byOutcome('from=2025-11-05&to=2026-01-30')).total).toBe(4);
    expect((await byOutcome('from=2025-11-06&to=2026-01-29')).total).toBe(1);
  });

  test('sums read the same as the events, and a late report changes the old day, summed or not', async () => {
    const windows = ['days=1', 'days=100', 'days=3650', 'from=2025-11-05&to=2025-11-05'];
    const all = () => Promise.all(windows.map((query) => byOutcome(query)));
    const counted = await all();
    await sum();
    expect(await all()).toEqual(counted);
    clock.nowMs += DAY_MS;
    await reportAll(service, 'bob', [on('2026-02-02')]);
    const before = (await byOutcome('from=2025-11-05&to=2025-11-05')).total;
    await sum();
    expect(await summedEvents()).toBe(6);
    for (const [index, hours] of [0, 2, 2].entries()) {
      clock.nowMs += hours * 60 * 60 * 1000;
      await sum();
      await reportAll(service, 'bob', [on('2025-11-05')]);
      expect((await byOutcome('from=2025-11-05&to=2025-11-05')).total).toBe(before + index + 1);
    }
    expect(await summedEvents()).toBe(9);
    clock.nowMs += 2 * 60 * 60 * 1000;
    const unsummed = await byOutcome('days=3650');
    await sum();
    expect(await summedEvents()).toBe(10);
    expect(await byOutcome('days=3650')).toEqual(unsummed);
  });

  test('a window costs its sums and not its events', async () => {
    const before = await byOutcome('days=3650');
    const add = (count: number) =>
      service.db.execute(
        `update analytics_outcome_day set count = count + $1 where event_type = 'CONTRACT_BREACHED'`,
        [count],
      );
    await add(100);
    expect((await byOutcome('days=3650')).total).toBe(before.total + 100);
    await add(-100);
  });

  test('ten years of an import stand on their own days', async () => {
    const { liveKey } = await anotherPlatform(service);
    const days = Array.from({ length: 10 }, (_, year) => `${2016 + year}-05-01`);
    const events = days.map((date) => on(date));
    await reportAll(service, 'veteran', events, liveKey);
    const expected = days.map((date) => [date, 1, 1]);
    expect(busyDays(await byOutcome('days=3650', liveKey))).toEqual(expected);
    await sum();
    expect(busyDays(await byOutcome('days=3650', liveKey))).toEqual(expected);
  });

  test('live and test stand apart, and test events are never summed', async () => {
    await reportAll(service, 'tess', [on('2025-12-01')], service.testKey);
    clock.nowMs += 3 * 60 * 60 * 1000;
    await sum();
    expect(busyDays(await byOutcome('days=100', service.testKey))).toEqual([['2025-12-01', 1, 1]]);
    expect(busyDays(await byOutcome('from=2025-12-01&to=2025-12-01'))).toEqual([]);
    await service.request('DELETE', '/test/data', { key: service.testKey });
    expect((await byOutcome('days=100', service.testKey)).total).toBe(0);
  });

  test('without `by` an event counts on the day of its report', async () => {
    expect((await service.request('GET', '/analytics/events')).body.by).toBe('recorded');
  });

  async function summedEvents(): Promise<number> {
    const [row] = await service.db.query<{ events: number }>(
      'select sum(count)::integer as events from analytics_outcome_day where platform_id = $1',
      [service.platformId],
    );
    return row?.events ?? 0;
  }
});
