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

  test('without `by` the day of the report counts', async () => {
    for (const what of ['events', 'scores', 'movers'])
      expect((await service.request('GET', `/analytics/${what}`)).body.by).toBe('recorded');
  });

  test('scores by outcome are those that each subject would have had on each day', async () => {
    const { liveKey } = await anotherPlatform(service);
    const day = (ago: number) => new Date(clock.nowMs - ago * DAY_MS).toISOString().slice(0, 10);
    // All are recorded today.
    await reportAll(
      service,
      'old',
      Array.from({ length: 12 }, (_, index) => on(day(200 + index))),
      liveKey,
    );
    await reportAll(service, 'fell', [on(day(90)), on(day(80)), on(day(3), breached)], liveKey);
    await reportAll(service, 'new', [on(day(5)), fulfilled], liveKey);
    const read = async (path: string) => (await service.request('GET', path, { key: liveKey })).body;
    const window = `from=${day(9)}&to=${day(0)}`;
    const [scores, recorded] = [
      await read(`/analytics/scores?by=outcome&${window}`),
      await read(`/analytics/scores?${window}`),
    ];
    const courses = await Promise.all(
      ['old', 'fell', 'new'].map(async (id) => {
        const path = `/users/${id}/score/course?step=day&from=${day(10)}&to=${day(0)}`;
        const { points } = await read(path);
        return new Map<string, { finalScore: number; scoreBand: string }>(
          points.map((point: { day: string; finalScore: number; scoreBand: string }) => [point.day, point]),
        );
      }),
    );
    const known = (date: string) => courses.flatMap((course) => course.get(date) ?? []);
    expect(scores.by).toBe('outcome');
    for (const { date, meanScore, recomputes } of scores.daily) {
      const values = known(date).map(({ finalScore }) => finalScore);
      expect(recomputes).toBe(values.length);
      expect(meanScore).toBeCloseTo(values.reduce((sum, value) => sum + value, 0) / values.length, 1);
    }
    const inBand = (date: string, band: string) =>
      known(date).filter(({ scoreBand }) => scoreBand === band).length;
    for (const [band, net] of Object.entries(scores.bandNet))
      expect(net, band).toBe(inBand(day(0), band) - inBand(day(10), band));
    // As published, the whole book came in the window.
    const sum = (net: Record<string, number>) => Object.values(net).reduce((all, count) => all + count, 0);
    expect([sum(scores.bandNet), sum(recorded.bandNet)]).toEqual([1, 3]);
    expect(scores.bands).toEqual(recorded.bands);

    const movers = await read('/analytics/movers?by=outcome&days=10');
    const from = courses[1]?.get(day(10))?.finalScore ?? 0;
    expect(movers.down[0]).toMatchObject({ userId: 'fell', from });
    expect(movers.down[0].delta).toBeCloseTo(movers.down[0].to - from, 2);
    expect(movers.up.map(({ userId }: { userId: string }) => userId)).toEqual(['new']);
    expect((await read('/analytics/movers?days=10')).down).toEqual([]);
  });

  test('a book that is too large to be replayed is read by the day of the report, and says so', async () => {
    const { liveKey } = await anotherPlatform(service);
    const events = Array.from({ length: 100 }, (_, index) => ({
      ...on('2025-06-01'),
      userId: `worker-${index}`,
    }));
    for (const offset of ['a', 'b'])
      await service.request('POST', '/events/batch', {
        key: liveKey,
        body: { events: events.map((event) => ({ ...event, userId: event.userId + offset })) },
      });
    await service.settle();
    const read = async (path: string) => (await service.request('GET', path, { key: liveKey })).body.by;
    expect(await read('/analytics/scores?by=outcome&days=3650')).toBe('recorded');
    expect(await read('/analytics/movers?by=outcome&days=3650')).toBe('recorded');
    expect(await read('/analytics/scores?by=outcome&days=30')).toBe('outcome');
  });

  async function summedEvents(): Promise<number> {
    const [row] = await service.db.query<{ events: number }>(
      'select sum(count)::integer as events from analytics_outcome_day where platform_id = $1',
      [service.platformId],
    );
    return row?.events ?? 0;
  }
});
