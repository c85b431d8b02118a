import { dayOf, isoFromDay } from '@reliability/scoring';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { startTestService, type TestService } from '#harness/service.js';
import { type Alias, alias, ask, figuresOf, link, reportOf, unlink } from './linkFixtures.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface Point {
  day: string;
  finalScore: number;
  scoreBand: string;
  confidence: number;
  outcomes: number;
}

interface Factor {
  contribution: number;
}

const kept = { eventType: 'CONTRACT_FULFILLED', isVerified: true };
const broken = { eventType: 'CONTRACT_BREACHED', isVerified: true };
const contested = { eventType: 'TRANSACTION_DISPUTED', isVerified: true };

describe.each(breadth)('the course of a score on %s', (engine) => {
  let service: TestService;
  let now = new Date('2026-02-10T12:00:00.000Z');
  let count = 0;

  beforeAll(async () => {
    service = await startTestService(engine, {
      env: { VELOCITY_MAX_PER_HOUR: '50' },
      clock: { now: () => now },
    });
  });
  afterAll(() => service.close());

  const someone = (events: readonly object[] = []) => alias(service, `course-${++count}`, events);
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS).toISOString();
  const dayAgo = (days: number) => isoFromDay(dayOf(now) - days);
  const answerOf = (of: Alias, query = '') => ask(service, of, 'GET', `/score/course${query}`);
  const pointsOf = async (of: Alias, query = ''): Promise<Point[]> => {
    const answer = await answerOf(of, query);
    expect([answer.status, answer.text.slice(0, 200)]).toEqual([200, expect.anything()]);
    return answer.body.points;
  };
  const sweep = async (name: string) => {
    const { status } = await service.request('POST', `/admin/sweeps/${name}`, { admin: true });
    expect(status).toBe(200);
    await service.settle();
  };

  test('of an import of ten years is ten years long and ends with the published score', async () => {
    const years = Array.from({ length: 40 }, (_, quarter) => daysAgo(Math.round(quarter * 91.3)));
    const of = await someone();
    const events = years.map((completedAt, index) => ({
      userId: of.userId,
      completedAt,
      ...(index % 9 === 4 ? broken : kept),
    }));
    await service.request('POST', '/events/batch', { key: of.platform.live.key, body: { events } });
    await service.settle();
    const { body } = await answerOf(of);
    expect(body).toMatchObject({ userId: of.userId, by: 'outcome', step: 'month', nextCursor: null });
    expect(body.points.length).toBeGreaterThanOrEqual(117);
    expect(body.points[0].day.slice(0, 7)).toBe(years.at(-1)?.slice(0, 7));
    const outcomes = body.points.reduce((sum: number, point: Point) => sum + point.outcomes, 0);
    expect(outcomes).toBe(40);
    const { finalScore, scoreBand, confidence } = await figuresOf(service, of);
    expect(body.points.at(-1)).toMatchObject({ day: dayAgo(0), finalScore, scoreBand, confidence });
    const recorded = await pointsOf(of, '?by=recorded');
    expect(recorded).toEqual([{ day: dayAgo(0), finalScore, scoreBand, confidence, outcomes: 40 }]);
  });

  test('has a point at the end of each day, week and month, cut at the last day', async () => {
    now = new Date('2026-02-10T12:00:00.000Z');
    const of = await someone([{ ...kept, completedAt: '2025-12-30T10:00:00Z' }, kept]);
    const daysOf = async (query: string) => (await pointsOf(of, query)).map(({ day }) => day);
    expect(await daysOf('?step=month')).toEqual(['2025-12-31', '2026-01-31', '2026-02-10']);
    expect(await daysOf('?step=month&to=2026-01-15')).toEqual(['2025-12-31', '2026-01-15']);
    expect(await daysOf('?step=week&from=2026-01-14')).toEqual([
      '2026-01-18',
      '2026-01-25',
      '2026-02-01',
      '2026-02-08',
      '2026-02-10',
    ]);
    const days = await pointsOf(of);
    expect(days).toHaveLength(43);
    expect([days[0], days[1]]).toMatchObject([
      { day: '2025-12-30', outcomes: 1 },
      { day: '2025-12-31', outcomes: 0 },
    ]);
    const months = await pointsOf(of, '?step=month');
    expect(days.find(({ day }) => day === '2026-01-31')).toMatchObject({
      ...months[1],
      outcomes: 0,
    });
  });

  test('chooses its step by its length', async () => {
    const stepOf = async (days: number) =>
      (await answerOf(await someone([{ ...kept, completedAt: daysAgo(days - 1) }]))).body.step;
    expect([await stepOf(92), await stepOf(93), await stepOf(731), await stepOf(732)]).toEqual([
      'day',
      'week',
      'week',
      'month',
    ]);
  });

  test('is read in pages that end with the same day', async () => {
    const of = await someone([{ ...kept, completedAt: daysAgo(20) }]);
    const whole = await pointsOf(of, '?step=day');
    const paged: Point[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await answerOf(of, `?step=day&limit=4${cursor}`);
      expect(body.points.length).toBeLessThanOrEqual(4);
      paged.push(...body.points);
      now = new Date(now.getTime() + 5 * HOUR_MS);
      if (body.nextCursor === null) break;
      cursor = `&cursor=${body.nextCursor}`;
    }
    expect(paged).toEqual(whole);
    const { body } = await answerOf(of, '?step=day&limit=4');
    const other = await answerOf(of, `?step=week&limit=4&cursor=${body.nextCursor}`);
    expect([other.status, other.body.code]).toEqual([400, 'BAD_REQUEST']);
    expect((await answerOf(of, '?cursor=x')).status).toBe(400);
  });

  test('counts a contested outcome until its dispute has ended', async () => {
    const start = dayOf(now);
    const of = await someone([kept, kept, contested]);
    await service.settle();
    now = new Date(now.getTime() + 15 * DAY_MS);
    await sweep('disputes');
    const points = await pointsOf(of, '?step=day');
    const scores = points.map(({ finalScore }) => finalScore);
    expect(points).toHaveLength(16);
    expect(points.filter(({ outcomes }) => outcomes > 0)).toMatchObject([
      { day: isoFromDay(start), outcomes: 3 },
      { day: isoFromDay(start + 15), outcomes: 1 },
    ]);
    expect((scores[15] ?? 0) - (scores[14] ?? 0)).toBeGreaterThan(10);
    expect(scores[15]).toBe((await figuresOf(service, of)).finalScore);
  });

  test('by recording has the published score of the end of each day, with disputes and links', async () => {
    const [own, other, third] = [await someone(), await someone(), await someone()];
    const key = own.platform.live.key;
    const firstDay = dayOf(now);
    const acts: Record<number, () => Promise<unknown>> = {
      0: () => reportOf(service, own, { ...kept, completedAt: daysAgo(300) }),
      1: () => reportOf(service, other, kept),
      2: () => reportOf(service, other, { ...contested, completedAt: daysAgo(3) }),
      4: () => link(service, other, own),
      5: () => reportOf(service, own, { ...broken, completedAt: daysAgo(2) }),
      6: async () => {
        const { body } = await service.request('GET', `/events/export?userId=${own.userId}&format=json`, {
          key,
        });
        const eventId = body.events.at(-1).id;
        expect((await service.request('POST', '/disputes', { key, body: { eventId } })).status).toBe(201);
      },
      8: () => reportOf(service, third, kept),
      9: () => link(service, third, own),
      11: async () => {
        const { body } = await service.request('GET', '/disputes', { key });
        const path = `/disputes/${body.disputes[0].id}/resolve`;
        expect((await service.request('PATCH', path, { key })).status).toBe(200);
      },
      13: async () => {
        await reportOf(service, other, kept);
        await unlink(service, other);
      },
      14: () => reportOf(service, other, { ...broken, completedAt: daysAgo(1) }),
      20: () => reportOf(service, own, kept),
      22: () => link(service, other, own),
      24: async () => {
        await unlink(service, own);
        await link(service, own, third);
      },
      26: () => unlink(service, own),
    };
    for (let day = 0; day < 30; day += 1) {
      await acts[day]?.();
      await service.settle();
      await sweep('disputes');
      now = new Date(now.getTime() + DAY_MS);
      await sweep('decay');
    }
    for (const of of [own, other, third]) {
      const { history } = (await ask(service, of, 'GET', '/score/history?limit=100')).body;
      const publishedOn = (day: number) => {
        const end = new Date((day + 1) * DAY_MS).toISOString();
        const entry = history.find(({ computedAt }: { computedAt: string }) => computedAt < end);
        if (!entry) return null;
        const { finalScore, scoreBand, confidence } = entry;
        return { day: isoFromDay(day), finalScore, scoreBand, confidence };
      };
      const expected = Array.from({ length: 31 }, (_, index) => publishedOn(firstDay + index));
      const course = await pointsOf(of, '?by=recorded&step=day');
      expect(course.map(({ outcomes: _, ...figures }) => figures)).toEqual(expected.filter(Boolean));
    }
  });

  test('by outcome holds the outcomes of all present members, and shows figures alone', async () => {
    const own = await someone([{ ...kept, completedAt: daysAgo(400) }]);
    const other = await someone([{ ...kept, completedAt: daysAgo(500) }, broken]);
    await link(service, own, other);
    await service.settle();
    const { body, text } = await answerOf(own);
    expect(await pointsOf(other)).toEqual(body.points);
    expect(body.points[0].day >= dayAgo(500)).toBe(true);
    expect(body.points.at(-1).finalScore).toBe((await figuresOf(service, own)).finalScore);
    expect(text).not.toContain(other.userId);
    await unlink(service, own);
    expect((await pointsOf(own)).reduce((sum, { outcomes }) => sum + outcomes, 0)).toBe(1);
  });

  test('is explained as of a past day in the words that were published on that day', async () => {
    const of = await someone([kept, contested, { eventType: 'CONTRACT_FULFILLED' }]);
    await service.settle();
    const explainedOn = async (query = '') => ask(service, of, 'GET', `/score/explain${query}`);
    const day = dayAgo(0);
    const published = (await explainedOn()).body;
    expect(published.asOf).toBeUndefined();
    expect((await explainedOn(`?asOf=${day}`)).body).toEqual({ ...published, asOf: day });
    now = new Date(now.getTime() + 40 * DAY_MS);
    await reportOf(service, of, { ...broken, completedAt: daysAgo(3) });
    await sweep('disputes');
    const { body } = await explainedOn(`?asOf=${day}`);
    expect(body).toEqual({ ...published, asOf: day });
    expect((await explainedOn()).body.finalScore).not.toBe(published.finalScore);
    const broke = (await explainedOn(`?asOf=${dayAgo(3)}`)).body;
    expect(broke.finalScore).toBe((await pointsOf(of, `?to=${dayAgo(3)}`)).at(-1)?.finalScore);
    expect(broke.reasonCodes.adverseActionReasons[0].code).not.toBe(
      published.reasonCodes.adverseActionReasons[0].code,
    );
  });

  test('is explained at every point, by outcome and by recorded, in factors that add up to it', async () => {
    const own = await someone([{ ...kept, completedAt: daysAgo(90) }, contested]);
    const other = await someone([{ ...broken, completedAt: daysAgo(60) }]);
    now = new Date(now.getTime() + 9 * DAY_MS);
    await reportOf(service, own, { ...broken, completedAt: daysAgo(50) });
    await link(service, own, other);
    now = new Date(now.getTime() + 9 * DAY_MS);
    await reportOf(service, own, { ...kept, completedAt: daysAgo(1) });
    await unlink(service, own);
    now = new Date(now.getTime() + 9 * DAY_MS);
    await sweep('disputes');
    for (const by of ['outcome', 'recorded']) {
      const points = await pointsOf(own, `?by=${by}&step=week`);
      expect(new Set(points.map(({ finalScore }) => finalScore)).size).toBeGreaterThan(3);
      for (const { day, finalScore } of points) {
        const { body } = await ask(service, own, 'GET', `/score/explain?asOf=${day}&by=${by}`);
        const sum = body.factors.reduce((total: number, factor: Factor) => total + factor.contribution, 20);
        expect([by, day, body.finalScore, Math.round(sum * 100) / 100]).toEqual([
          by,
          day,
          finalScore,
          finalScore,
        ]);
      }
    }
    const early = await ask(service, own, 'GET', `/score/explain?asOf=${dayAgo(60)}&by=recorded`);
    expect([early.status, early.body.error]).toEqual([404, expect.stringContaining('had been reported by')]);
  });

  test('of a frozen score ends with that score, and so does its explanation', async () => {
    const of = await someone([{ ...kept, completedAt: daysAgo(2) }]);
    await service.settle();
    const before = await figuresOf(service, of);
    const events = Array.from({ length: 60 }, () => ({ userId: of.userId, ...broken }));
    await service.request('POST', '/events/batch', { key: of.platform.live.key, body: { events } });
    await service.settle();
    now = new Date(now.getTime() + 4 * DAY_MS);
    await sweep('decay');
    const frozen = await figuresOf(service, of);
    expect(frozen).toEqual({ ...before, frozen: true });
    for (const by of ['outcome', 'recorded']) {
      const points = await pointsOf(of, `?by=${by}`);
      expect(points.at(-1)).toMatchObject({ day: dayAgo(4), finalScore: frozen.finalScore });
    }
    const explained = await ask(service, of, 'GET', `/score/explain?asOf=${dayAgo(0)}`);
    expect(explained.body.finalScore).toBe(frozen.finalScore);
    expect(explained.body.reasonCodes.adverseActionReasons[0].code).toBe('RECORD_UNDER_VELOCITY_REVIEW');
  });

  test('of the days of a freeze is what was published then, also after the freeze has ended', async () => {
    const of = await someone([
      { ...kept, completedAt: daysAgo(2) },
      { ...broken, completedAt: daysAgo(2) },
    ]);
    await service.settle();
    const published = await figuresOf(service, of);
    const events = Array.from({ length: 60 }, () => ({ userId: of.userId, ...broken }));
    const report = { key: of.platform.live.key, body: { events } };
    await service.request('POST', '/events/batch', report);
    await service.settle();
    const reasonsOf = async (query = '') => (await ask(service, of, 'GET', `/score/explain${query}`)).body;
    const duringFreeze = await reasonsOf();
    now = new Date(now.getTime() + 3 * DAY_MS);
    const path = `/admin/users/${of.userId}/resolve-velocity-flag?platformId=${of.platform.id}`;
    const cleared = await service.request('POST', path, { admin: true });
    expect(cleared.status, cleared.text).toBe(200);
    await service.settle();
    const after = await figuresOf(service, of);
    expect(after.finalScore).toBeLessThan(published.finalScore);
    const points = await pointsOf(of, '?by=recorded');
    expect(points.map(({ finalScore }) => finalScore)).toEqual([
      ...Array(3).fill(published.finalScore),
      after.finalScore,
    ]);
    expect(points[0]).toMatchObject({ scoreBand: published.scoreBand, confidence: published.confidence });
    for (const by of ['outcome', 'recorded']) {
      for (const days of [3, 2, 1]) {
        const { asOf, ...then } = await reasonsOf(`?asOf=${dayAgo(days)}&by=${by}`);
        expect([asOf, then]).toEqual([dayAgo(days), duringFreeze]);
      }
      const today = await reasonsOf(`?asOf=${dayAgo(0)}&by=${by}`);
      expect(today.finalScore).toBe(after.finalScore);
      expect(JSON.stringify(today)).not.toContain('RECORD_UNDER_VELOCITY_REVIEW');
    }
  });

  test('is explained on no future day, and on no day before the first outcome', async () => {
    const of = await someone([{ ...kept, completedAt: daysAgo(5) }]);
    const answers = [`?asOf=${dayAgo(-1)}`, '?asOf=2026-02-30', `?asOf=${dayAgo(6)}`, `?asOf=${dayAgo(5)}`];
    const codes: unknown[] = [];
    for (const query of answers) {
      const { status, body } = await ask(service, of, 'GET', `/score/explain${query}`);
      codes.push([status, body.code ?? body.asOf]);
    }
    expect(codes).toEqual([
      [400, 'VALIDATION_ERROR'],
      [400, 'VALIDATION_ERROR'],
      [404, 'USER_NOT_FOUND'],
      [200, dayAgo(5)],
    ]);
  });

  test('is empty for a subject without an event, and 404 for an unknown one and for another platform', async () => {
    const of = await someone([kept]);
    const key = of.platform.live.key;
    await service.request('POST', '/agents', { key, body: { userId: 'without-events' } });
    const empty = await answerOf({ ...of, userId: 'without-events' });
    expect([empty.status, empty.body.points, empty.body.nextCursor]).toEqual([200, [], null]);
    for (const asked of [
      { ...of, userId: 'nobody' },
      { ...(await someone()), userId: of.userId },
    ]) {
      const answer = await answerOf(asked);
      expect([answer.status, answer.body.code]).toEqual([404, 'USER_NOT_FOUND']);
    }
  });

  test('refuses days that do not exist or are in the wrong order, and names the parameter', async () => {
    const of = await someone([kept]);
    const refusals: [string, string][] = [
      ['?from=2026-02-30', 'from'],
      ['?to=yesterday', 'to'],
      ['?from=2026-01-02&to=2026-01-01', 'from'],
      [`?from=${dayAgo(-1)}`, 'from'],
      ['?step=year', 'step'],
      ['?by=reported', 'by'],
      ['?limit=367', 'limit'],
      ['?limit=0', 'limit'],
    ];
    for (const [query, path] of refusals) {
      const { status, body } = await answerOf(of, query);
      expect([query, status, body.code, body.details?.[0]?.path]).toEqual([
        query,
        400,
        'VALIDATION_ERROR',
        path,
      ]);
    }
    expect(await pointsOf(of, `?to=${dayAgo(-400)}`)).toHaveLength(1);
    expect(await pointsOf(of, `?to=${dayAgo(30)}`)).toEqual([]);
  });
});
