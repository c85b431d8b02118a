import { eventTypes, scoreBands } from '@reliability/scoring';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { startTestService, type TestService } from '#harness/service.js';
import { anotherPlatform } from '../intake/eventFixtures.js';
import { breached, DAY_MS, fulfilled, reportOf } from './recordFixtures.js';

const none = (keys: readonly string[]) => Object.fromEntries(keys.map((key) => [key, 0]));

describe.each(breadth)('analytics on %s', (engine) => {
  const clock = { nowMs: Date.parse('2026-02-01T23:30:00.000Z'), now: () => new Date(clock.nowMs) };
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(engine, { clock, env: { ANALYTICS_MAX_DAYS: '40' } });
    const other = await anotherPlatform(service);
    await reportOf(service, 'one', [fulfilled, { ...fulfilled, stakeLevel: 'HIGH', isVerified: false }]);
    clock.nowMs += DAY_MS;
    await reportOf(service, 'two', [breached, { ...breached, completedAt: '2025-01-01T00:00:00Z' }]);
    await reportOf(service, 'two', [fulfilled, fulfilled, fulfilled]);
    await reportOf(service, 'one', [fulfilled], service.testKey);
    await reportOf(service, 'one', [fulfilled], other.liveKey);
    clock.nowMs += DAY_MS;
    // So that the worker's daily round falls into no test.
    await service.request('POST', '/admin/sweeps/decay', { admin: true });
    await service.settle();
  });
  afterAll(() => service.close());
  const events = (query = '', key = service.liveKey) =>
    service.request('GET', `/analytics/events${query}`, { key });
  const scores = (query = '', key = service.liveKey) =>
    service.request('GET', `/analytics/scores${query}`, { key });

  test('events are counted by the day they were reported on, and by kind', async () => {
    const { body } = await events('?days=3');
    expect(body).toEqual({
      by: 'recorded',
      window: { from: '2026-02-01', to: '2026-02-03', days: 3, clamped: false },
      total: 7,
      verified: 6,
      byType: { ...none(eventTypes), CONTRACT_FULFILLED: 5, CONTRACT_BREACHED: 2 },
      byStake: { HIGH: 1, MEDIUM: 6, LOW: 0 },
      daily: [
        { date: '2026-02-01', total: 2, verified: 1 },
        { date: '2026-02-02', total: 5, verified: 5 },
        { date: '2026-02-03', total: 0, verified: 0 },
      ],
    });
  });

  test('both ends of a window belong to it, whole', async () => {
    const { body } = await events('?from=2026-02-02&to=2026-02-02');
    expect([body.total, body.window]).toEqual([
      5,
      { from: '2026-02-02', to: '2026-02-02', days: 1, clamped: false },
    ]);
    expect((await events('?from=2026-01-01&to=2026-02-01')).body.total).toBe(2);
  });

  test('live and test stand apart, and so do platforms', async () => {
    expect((await events('', service.testKey)).body.total).toBe(1);
    expect((await scores('', service.testKey)).body).toMatchObject({ subjects: 1, scored: 1 });
  });

  test('scores: the book now, and what was published each day', async () => {
    const { body } = await scores('?days=3');
    const [one, two] = (await service.request('POST', '/users/scores', { body: { userIds: ['one', 'two'] } }))
      .body.scores;
    const mean = (one.finalScore + two.finalScore) / 2;
    expect(body).toMatchObject({ subjects: 2, scored: 2, aggregationSkipped: null });
    expect(body.central.mean).toBeCloseTo(mean, 1);
    expect(body.bands).toEqual({ ...none(scoreBands), ...countedBands([one.scoreBand, two.scoreBand]) });
    const history = (await service.request('GET', '/users/two/score/history')).body.history;
    const ofOne = (await service.request('GET', '/users/one/score/history')).body.history;
    const days = ['2026-02-01', '2026-02-02', '2026-02-03'];
    const published = [...history, ...ofOne];
    expect(body.daily.map(({ date }: { date: string }) => date)).toEqual(days);
    expect(body.daily.map(({ recomputes }: { recomputes: number }) => recomputes)).toEqual(
      days.map((date) => published.filter(({ computedAt }) => computedAt.startsWith(date)).length),
    );
    expect(body.daily[0]).toMatchObject({ bandChanges: 0, meanScore: ofOne.at(-1).finalScore });
    const changes = (list: { scoreBand: string }[]) =>
      list.filter((entry, index) => index + 1 < list.length && entry.scoreBand !== list[index + 1]?.scoreBand)
        .length;
    const emitted = body.daily.reduce(
      (sum: number, day: { bandChanges: number }) => sum + day.bandChanges,
      0,
    );
    expect(emitted).toBe(changes(history) + changes(ofOne));
    expect(emitted).toBeGreaterThan(0);
  });

  test('the net change of each band leads from the book before the window to the book now', async () => {
    const all = (await scores('?days=40')).body;
    expect(all.bandNet).toEqual(all.bands);
    const before = (await scores('?from=2026-01-20&to=2026-02-01')).body.bandNet;
    const after = (await scores('?from=2026-02-02&to=2026-02-03')).body.bandNet;
    for (const band of scoreBands)
      expect([band, before[band] + after[band]]).toEqual([band, all.bands[band]]);
    expect(Object.values(before).reduce((sum: number, count) => sum + Number(count), 0)).toBe(1);
  });

  test('movers: whose score rose and fell most since the start of the window', async () => {
    const movers = (query = '', key = service.liveKey) =>
      service.request('GET', `/analytics/movers${query}`, { key });
    const history = async (userId: string) =>
      (await service.request('GET', `/users/${userId}/score/history`)).body.history;
    const { body } = await movers();
    expect(body).toMatchObject({
      window: { from: '2026-01-28', to: '2026-02-03', days: 7, clamped: false },
      since: '2026-01-28T00:00:00.000Z',
      truncated: false,
    });
    const expected = await Promise.all(
      ['one', 'two'].map(async (userId) => {
        const steps = await history(userId);
        const [to, from] = [steps[0], steps.at(-1)];
        const delta = Math.round((to.finalScore - from.finalScore) * 100) / 100;
        return { userId, from: from.finalScore, to: to.finalScore, delta, scoreBand: to.scoreBand };
      }),
    );
    const moved = expected.filter(({ delta }) => delta !== 0);
    expect(moved).not.toEqual([]);
    expect([...body.up, ...body.down].sort((a, b) => a.userId.localeCompare(b.userId))).toEqual(moved);
    expect(body.up.every(({ delta }: { delta: number }) => delta > 0)).toBe(true);
    expect(body.down.every(({ delta }: { delta: number }) => delta < 0)).toBe(true);
    // Yesterday's changes are compared with the score of the day before.
    const [two] = await history('two');
    const [last] = (await history('one')).filter(({ computedAt }: { computedAt: string }) =>
      computedAt.startsWith('2026-02-01'),
    );
    const recent = (await movers('?days=2')).body;
    for (const { userId, from, to } of [...recent.up, ...recent.down]) {
      if (userId === 'one') expect(from).toBe(last.finalScore);
      if (userId === 'two') expect(to).toBe(two.finalScore);
    }
    const ofTest = (await movers('', service.testKey)).body;
    expect([...ofTest.up, ...ofTest.down].map(({ userId }) => userId)).toEqual(['one']);
    expect((await movers('?days=0')).body.code).toBe('ANALYTICS_RANGE_INVALID');
    expect((await movers('?limit=51')).body.code).toBe('VALIDATION_ERROR');
  });

  test('thirty days unless told; empty days are as if left out', async () => {
    for (const query of ['', '?days=']) {
      const { body } = await events(query);
      expect(body.window).toEqual({ from: '2026-01-05', to: '2026-02-03', days: 30, clamped: false });
      expect(body.daily).toHaveLength(30);
    }
  });

  test.each(['?days=41', '?days=99999999999999999999', '?from=2020-01-01&to=2026-02-03'])(
    '%s is clamped to the latest days allowed',
    async (query) => {
      const { body } = await scores(query);
      expect(body.window).toEqual({ from: '2025-12-26', to: '2026-02-03', days: 40, clamped: true });
    },
  );

  test.each([
    '?days=0',
    '?days=-3',
    '?days=1.5',
    '?days=seven',
    '?from=2026-01-01',
    '?to=2026-01-01',
    '?from=2026-02-02&to=2026-02-01',
    '?from=2026-02-30&to=2026-03-01',
    '?from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z',
    '?from=&to=',
  ])('%s is refused with ANALYTICS_RANGE_INVALID', async (query) => {
    for (const { status, body } of [await events(query), await scores(query)]) {
      expect([status, body.code]).toEqual([400, 'ANALYTICS_RANGE_INVALID']);
    }
  });

  test('days and dates at once are a conflict', async () => {
    const { status, body } = await events('?days=3&from=2026-01-01&to=2026-01-02');
    expect([status, body.code]).toEqual([400, 'ANALYTICS_WINDOW_CONFLICT']);
    expect((await events('?days=&from=2026-01-01&to=2026-01-02')).status).toBe(200);
  });

  test('days that are over are summed up, once, and read the same', async () => {
    const queries = [
      '?days=3',
      '?days=1',
      '?from=2026-02-01&to=2026-02-01',
      '?from=2026-01-20&to=2026-02-02',
      '?days=40',
    ];
    const all = async () =>
      (await Promise.all(queries.flatMap((query) => [events(query), scores(query)]))).map(({ body }) => body);
    const before = await all();
    const sweep = async () =>
      (await service.request('POST', '/admin/sweeps/benchmarks', { admin: true })).body.affected;
    await sweep();
    expect(await all()).toEqual(before);
    const summed = () =>
      service.db.query(
        'select day::text, sum(count)::integer as events from analytics_event_day group by 1 order by 1',
      );
    expect(await summed()).toEqual([
      { day: '2026-02-01', events: 2 },
      { day: '2026-02-02', events: 6 },
    ]);
    await sweep();
    expect(await summed()).toHaveLength(2);
    await service.db.execute(
      `update analytics_event_day set count = count + 100 where event_type = 'CONTRACT_BREACHED'`,
    );
    expect((await events('?days=3')).body.total).toBe(before[0].total + 100);
  });
});

describe.each(breadth)('analytics of a large book on %s', (engine) => {
  test('past the cap it is counted, but not spread out', async () => {
    const service = await startTestService(engine, { env: { BOOK_SUMMARY_MAX: '1' } });
    for (const userId of ['a', 'b']) await reportOf(service, userId, [fulfilled]);
    const { body } = await service.request('GET', '/analytics/scores');
    expect(body).toMatchObject({
      subjects: 2,
      scored: 2,
      bands: null,
      central: { median: null, mean: null },
      bandsLastCounted: null,
      aggregationSkipped: 'population_too_large',
    });
    await service.request('POST', '/admin/sweeps/benchmarks', { admin: true });
    const { scoreBand } = (await service.request('GET', '/users/a/score')).body;
    const { bandsLastCounted } = (await service.request('GET', '/analytics/scores')).body;
    const expected = Object.fromEntries(scoreBands.map((band) => [band, band === scoreBand ? 2 : 0]));
    expect(bandsLastCounted.bands).toEqual(expected);
    await service.close();
  });

  test('movers of more than 20 000 published scores are those that moved most at once, and say so', async () => {
    const service = await startTestService(engine);
    await reportOf(service, 'steady', [fulfilled]);
    await reportOf(service, 'falling', [fulfilled, fulfilled]);
    await reportOf(service, 'falling', [breached]);
    // 20 000 later ones of steady, from 70 to 90.
    await service.db.execute(
      `insert into score_snapshot (subject_id, snapshot_no, platform_id, livemode, final_score, score_band, confidence,
         behavioral_quality, total_events, verified_events, previous_score, factors, components, reason_codes, formula_version,
         as_of, positions, computed_at)
       select n.subject_id, n.snapshot_no + step, n.platform_id, n.livemode, 70 + step * 0.001, 'Excellent', n.confidence,
         n.behavioral_quality, n.total_events, n.verified_events, 70 + (step - 1) * 0.001, n.factors, n.components, n.reason_codes, n.formula_version,
         n.as_of, n.positions, n.computed_at + step * interval '10 milliseconds'
       from score_snapshot n join subject s using (subject_id), generate_series(1, 20000) as step
       where s.external_id = 'steady'`,
    );
    const { body } = await service.request('GET', '/analytics/movers');
    expect(body).toMatchObject({ truncated: true, since: `${body.window.from}T00:00:00.000Z`, up: [] });
    const { history } = (await service.request('GET', '/users/falling/score/history')).body;
    const [to, from] = [history[0].finalScore, history.at(-1).finalScore];
    expect(body.down).toMatchObject([
      { userId: 'falling', from, to, delta: Math.round((to - from) * 100) / 100 },
    ]);
    await service.close();
  });

  test('the day under way is summed in parts, and a read counts what came since', async () => {
    let now = new Date('2026-02-03T12:00:00.000Z');
    const service = await startTestService(engine, { clock: { now: () => now } });
    const scores = async () => (await service.request('GET', '/analytics/scores?days=2')).body;
    const sweep = () => service.request('POST', '/admin/sweeps/benchmarks', { admin: true });
    await reportOf(service, 'a', [fulfilled]);
    now = new Date('2026-02-04T09:00:00.000Z');
    await reportOf(service, 'a', [breached]);
    await reportOf(service, 'b', [fulfilled]);
    now = new Date('2026-02-04T09:10:00.000Z');
    const before = await scores();
    await sweep();
    expect(await scores()).toEqual(before);
    await reportOf(service, 'c', [fulfilled]);
    await sweep();
    const today = (await scores()).daily.at(-1);
    now = new Date('2026-02-04T10:00:00.000Z');
    await sweep();
    expect((await scores()).daily.at(-1)).toEqual(today);
    await service.db.execute('update analytics_score_part set published = published + 100');
    expect((await scores()).daily.at(-1).recomputes).toBe(today.recomputes + 200);
    now = new Date('2026-02-05T09:00:00.000Z');
    await sweep();
    expect((await scores()).daily[0]).toEqual(today);
    now = new Date('2026-02-06T09:00:00.000Z');
    await sweep();
    expect(await service.db.query('select 1 from analytics_score_part')).toEqual([]);
    await service.close();
  });
});

function countedBands(bands: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const band of bands) counts[band] = (counts[band] ?? 0) + 1;
  return counts;
}
