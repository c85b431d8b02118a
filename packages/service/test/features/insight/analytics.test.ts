import { eventTypes, scoreBands } from '@reliability/scoring';
import { beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import { anotherPlatform } from '../intake/eventFixtures.js';
import { breached, DAY_MS, fulfilled, reportAll } from './recordFixtures.js';

interface Published {
  computedAt: string;
  finalScore: number;
  scoreBand: string;
}

interface Mover {
  userId: string;
  from: number;
  to: number;
  delta: number;
}

const countsOf = (keys: readonly string[], found: readonly string[] = []) =>
  Object.fromEntries(keys.map((key) => [key, found.filter((each) => each === key).length]));
const rounded = (points: number) => Math.round(points * 100) / 100;

describe.each(breadth)('analytics on %s', (engine) => {
  const clock = { nowMs: Date.parse('2026-02-01T23:30:00.000Z'), now: () => new Date(clock.nowMs) };
  const service = givenService(engine, { clock, env: { ANALYTICS_MAX_DAYS: '40' } });
  beforeAll(async () => {
    const other = await anotherPlatform(service);
    await reportAll(service, 'one', [fulfilled, { ...fulfilled, stakeLevel: 'HIGH', isVerified: false }]);
    clock.nowMs += DAY_MS;
    await reportAll(service, 'two', [breached, { ...breached, completedAt: '2025-01-01T00:00:00Z' }]);
    await reportAll(service, 'two', [fulfilled, fulfilled, fulfilled]);
    await reportAll(service, 'one', [fulfilled], service.testKey);
    await reportAll(service, 'one', [fulfilled], other.liveKey);
    clock.nowMs += DAY_MS;
    // So that the worker's daily round falls into no test.
    await service.request('POST', '/admin/sweeps/decay', { admin: true });
    await service.settle();
  });
  const read =
    (what: string) =>
    (query = '', key = service.liveKey) =>
      service.request('GET', `/analytics/${what}${query}`, { key });
  const [events, scores, movers] = [read('events'), read('scores'), read('movers')];
  const sweep = () => service.request('POST', '/admin/sweeps/benchmarks', { admin: true });
  const historyOf = async (userId: string, key?: string): Promise<Published[]> =>
    (await service.request('GET', `/users/${userId}/score/history`, { key })).body.history;

  test('events are counted by the day they were reported on, and by kind', async () => {
    const { body } = await events('?days=3');
    expect(body).toEqual({
      by: 'recorded',
      window: { from: '2026-02-01', to: '2026-02-03', days: 3, clamped: false },
      total: 7,
      verified: 6,
      byType: { ...countsOf(eventTypes), CONTRACT_FULFILLED: 5, CONTRACT_BREACHED: 2 },
      byStake: { HIGH: 1, MEDIUM: 6, LOW: 0 },
      daily: [
        { date: '2026-02-01', total: 2, verified: 1 },
        { date: '2026-02-02', total: 5, verified: 5 },
        { date: '2026-02-03', total: 0, verified: 0 },
      ],
    });
  });

  test('both ends of a window belong to it, whole', async () => {
    const window = { from: '2026-02-02', to: '2026-02-02', days: 1, clamped: false };
    expect((await events('?from=2026-02-02&to=2026-02-02')).body).toMatchObject({ total: 5, window });
    expect((await events('?from=2026-01-01&to=2026-02-01')).body.total).toBe(2);
  });

  test('live and test stand apart, and so do platforms', async () => {
    expect((await events('', service.testKey)).body.total).toBe(1);
    expect((await scores('', service.testKey)).body).toMatchObject({ subjects: 1, scored: 1 });
  });

  test('scores: the book now, and what was published each day', async () => {
    const { body } = await scores('?days=3');
    const histories = [await historyOf('one'), await historyOf('two')];
    const now = histories.flatMap(([newest]) => (newest ? [newest] : []));
    const mean = now.reduce((sum, { finalScore }) => sum + finalScore / 2, 0);
    expect(body).toMatchObject({ subjects: 2, scored: 2, aggregationSkipped: null });
    expect(body.central.mean).toBeCloseTo(mean, 1);
    const bands = now.map(({ scoreBand }) => scoreBand);
    expect(body.bands).toEqual(countsOf(scoreBands, bands));
    const days = ['2026-02-01', '2026-02-02', '2026-02-03'];
    const recomputesOn = (date: string) =>
      histories.flat().filter(({ computedAt }) => computedAt.startsWith(date)).length;
    const expected = days.map((date) => ({ date, recomputes: recomputesOn(date) }));
    expect(body.daily).toMatchObject(expected);
    expect(body.daily[0]).toMatchObject({ bandChanges: 0, meanScore: histories[0]?.at(-1)?.finalScore });
    const changed = histories.flatMap((history) =>
      history.slice(1).filter(({ scoreBand }, index) => scoreBand !== history[index]?.scoreBand),
    );
    const told = body.daily.reduce((sum: number, day: { bandChanges: number }) => sum + day.bandChanges, 0);
    expect(told).toBe(changed.length);
    expect(told).toBeGreaterThan(0);
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
    const { body } = await movers();
    expect(body).toMatchObject({
      window: { from: '2026-01-28', to: '2026-02-03', days: 7, clamped: false },
      since: '2026-01-28T00:00:00.000Z',
      truncated: false,
    });
    const [ofOne, ofTwo] = [await historyOf('one'), await historyOf('two')];
    const expected = [ofOne, ofTwo].map((history, index) => {
      const [to, from] = [history[0]?.finalScore ?? 0, history.at(-1)?.finalScore ?? 0];
      const userId = ['one', 'two'][index];
      return { userId, from, to, delta: rounded(to - from), scoreBand: history[0]?.scoreBand };
    });
    const moved = expected.filter(({ delta }) => delta !== 0);
    expect(moved).not.toEqual([]);
    expect(allOf(body)).toEqual(moved);
    expect(body.up.every(({ delta }: Mover) => delta > 0)).toBe(true);
    expect(body.down.every(({ delta }: Mover) => delta < 0)).toBe(true);
    // Yesterday's changes are compared with the score of the day before.
    const before = ofOne.find(({ computedAt }) => computedAt.startsWith('2026-02-01'));
    for (const { userId, from, to } of allOf((await movers('?days=2')).body))
      expect(userId === 'one' ? from : to).toBe((userId === 'one' ? before : ofTwo[0])?.finalScore);
    expect(allOf((await movers('', service.testKey)).body)).toMatchObject([{ userId: 'one' }]);
    expect((await movers('?days=0')).body.code).toBe('ANALYTICS_RANGE_INVALID');
  });

  test('a window is thirty days by default; empty days are as if left out', async () => {
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

  test('the day under way is summed in parts, and a read counts what came since', async () => {
    const { liveKey: key } = await anotherPlatform(service);
    const read = async () => (await scores('?days=2', key)).body;
    const setClock = (text: string) => {
      clock.nowMs = Date.parse(text);
    };
    setClock('2026-02-04T12:00:00.000Z');
    await reportAll(service, 'a', [fulfilled], key);
    setClock('2026-02-05T09:00:00.000Z');
    await reportAll(service, 'a', [breached], key);
    await reportAll(service, 'b', [fulfilled], key);
    setClock('2026-02-05T09:10:00.000Z');
    const before = await read();
    await sweep();
    expect(await read()).toEqual(before);
    await reportAll(service, 'c', [fulfilled], key);
    await sweep();
    const today = (await read()).daily.at(-1);
    setClock('2026-02-05T10:00:00.000Z');
    await sweep();
    expect((await read()).daily.at(-1)).toEqual(today);
    await service.db.execute('update analytics_score_part set published = published + 100');
    expect((await read()).daily.at(-1).recomputes).toBe(today.recomputes + 200);
    setClock('2026-02-06T09:00:00.000Z');
    await sweep();
    expect((await read()).daily[0]).toEqual(today);
    setClock('2026-02-07T09:00:00.000Z');
    await sweep();
    expect(await service.db.query('select 1 from analytics_score_part')).toEqual([]);
  });

  test('movers of more than 20 000 published scores are those that moved most at once, and say so', async () => {
    const { liveKey: key } = await anotherPlatform(service);
    await reportAll(service, 'steady', [fulfilled], key);
    await reportAll(service, 'falling', [fulfilled, fulfilled], key);
    await reportAll(service, 'falling', [breached], key);
    // 20 000 later ones of steady, from 70 to 90. It cannot be scored again afterwards: this test is the last.
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
    const { body } = await movers('', key);
    expect(body).toMatchObject({ truncated: true, since: `${body.window.from}T00:00:00.000Z`, up: [] });
    const history = await historyOf('falling', key);
    const [to, from] = [history[0]?.finalScore ?? 0, history.at(-1)?.finalScore ?? 0];
    expect(body.down).toMatchObject([{ userId: 'falling', from, to, delta: rounded(to - from) }]);
  });
});

function allOf({ up, down }: { up: Mover[]; down: Mover[] }): Mover[] {
  return [...up, ...down].sort((a, b) => a.userId.localeCompare(b.userId));
}

describe.each(breadth)('analytics of a large book on %s', (engine) => {
  const service = givenService(engine, { env: { BOOK_SUMMARY_MAX: '1' } });

  test('past the cap it is counted, but not spread out', async () => {
    for (const userId of ['a', 'b']) await reportAll(service, userId, [fulfilled]);
    const scores = async () => (await service.request('GET', '/analytics/scores')).body;
    expect(await scores()).toMatchObject({
      subjects: 2,
      scored: 2,
      bands: null,
      central: { median: null, mean: null },
      bandsLastCounted: null,
      aggregationSkipped: 'population_too_large',
    });
    await service.request('POST', '/admin/sweeps/benchmarks', { admin: true });
    const { scoreBand } = (await service.request('GET', '/users/a/score')).body;
    const bands = countsOf(scoreBands, [scoreBand, scoreBand]);
    expect((await scores()).bandsLastCounted).toMatchObject({ bands });
  });
});
