import { dayOf, isoFromDay } from '@reliability/scoring';
import { describe, expect, test } from 'vitest';
import { differencesIn } from '#harness/differencesIn.js';
import { breadth } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import { breached as broken, fulfilled as kept, reportAll } from '../insight/recordFixtures.js';
import { DAY_MS, HOUR_MS } from '../tenancy/keyFixtures.js';
import { type Alias, alias, ask, figuresOf, freeze, link, reportOf, thaw, unlink } from './linkFixtures.js';

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

const contested = { eventType: 'TRANSACTION_DISPUTED', isVerified: true };

describe.each(breadth)('the course of a score on %s', (engine) => {
  let now = new Date('2026-02-10T12:00:00.000Z');
  let count = 0;
  const env = { VELOCITY_MAX_PER_HOUR: '50' };
  const service = givenService(engine, { env, clock: { now: () => now } });

  const someone = (events: readonly object[] = []) => alias(service, `course-${++count}`, events);
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS).toISOString();
  const dayAgo = (days: number) => isoFromDay(dayOf(now) - days);
  const passDays = (days: number) => {
    now = new Date(now.getTime() + days * DAY_MS);
  };
  const explainedOn = async (of: Alias, query = '') =>
    (await ask(service, of, 'GET', `/score/explain${query}`)).body;
  const reasonsOf = (explained: { reasonCodes: { adverseActionReasons: { code: string }[] } }) =>
    explained.reasonCodes.adverseActionReasons.map(({ code }) => code);
  const REVIEW = 'RECORD_UNDER_VELOCITY_REVIEW';
  const answerOf = (of: Alias, query = '') => ask(service, of, 'GET', `/score/course${query}`);
  const pointsOf = async (of: Alias, query = ''): Promise<Point[]> => {
    const answer = await answerOf(of, query);
    expect([answer.status, answer.text.slice(0, 200)]).toEqual([200, expect.anything()]);
    return answer.body.points;
  };
  const sweep = async (name: string) => {
    const { status, body } = await service.request('POST', `/admin/sweeps/${name}`, { admin: true });
    expect(status).toBe(200);
    await service.settle();
    return body.affected;
  };

  test('of an import of ten years is ten years long and ends with the published score', async () => {
    const years = Array.from({ length: 40 }, (_, quarter) => daysAgo(Math.round(quarter * 91.3)));
    const of = await someone();
    const events = years.map((completedAt, index) => ({ ...(index % 9 === 4 ? broken : kept), completedAt }));
    await reportAll(service, of.userId, events, of.platform.live.key);
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
    const weeks = ['2026-01-18', '2026-01-25', '2026-02-01', '2026-02-08', '2026-02-10'];
    expect(await daysOf('?step=week&from=2026-01-14')).toEqual(weeks);
    const days = await pointsOf(of);
    expect(days).toHaveLength(43);
    expect([days[0], days[1]]).toMatchObject([
      { day: '2025-12-30', outcomes: 1 },
      { day: '2025-12-31', outcomes: 0 },
    ]);
    const months = await pointsOf(of, '?step=month');
    expect(days.find(({ day }) => day === '2026-01-31')).toEqual({ ...months[1], outcomes: 0 });
  });

  test('chooses its step by its length', async () => {
    const stepOf = async (days: number) =>
      (await answerOf(await someone([{ ...kept, completedAt: daysAgo(days - 1) }]))).body.step;
    const steps = [await stepOf(92), await stepOf(93), await stepOf(731), await stepOf(732)];
    expect(steps).toEqual(['day', 'week', 'week', 'month']);
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
  });

  test('counts a contested outcome until its dispute has ended', async () => {
    const of = await someone([kept, kept, contested]);
    await service.settle();
    passDays(15);
    await sweep('disputes');
    const points = await pointsOf(of, '?step=day');
    const scores = points.map(({ finalScore }) => finalScore);
    expect(points).toHaveLength(16);
    expect(points.filter(({ outcomes }) => outcomes > 0)).toMatchObject([
      { day: dayAgo(15), outcomes: 3 },
      { day: dayAgo(0), outcomes: 1 },
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
        const { body } = await service.request('GET', '/events/export', { key });
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
      passDays(1);
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
    const day = dayAgo(0);
    const published = await explainedOn(of);
    expect(published.asOf).toBeUndefined();
    expect(await explainedOn(of, `?asOf=${day}`)).toEqual({ ...published, asOf: day });
    passDays(40);
    await reportOf(service, of, { ...broken, completedAt: daysAgo(3) });
    await sweep('disputes');
    expect(await explainedOn(of, `?asOf=${day}`)).toEqual({ ...published, asOf: day });
    expect((await explainedOn(of)).finalScore).not.toBe(published.finalScore);
    const broke = await explainedOn(of, `?asOf=${dayAgo(3)}`);
    expect(broke.finalScore).toBe((await pointsOf(of, `?to=${dayAgo(3)}`)).at(-1)?.finalScore);
    expect(reasonsOf(broke)[0]).not.toBe(reasonsOf(published)[0]);
  });

  test('is explained at every point, by outcome and by recorded, in factors that add up to it', async () => {
    const own = await someone([{ ...kept, completedAt: daysAgo(90) }, contested]);
    const other = await someone([{ ...broken, completedAt: daysAgo(60) }]);
    passDays(9);
    await reportOf(service, own, { ...broken, completedAt: daysAgo(50) });
    await link(service, own, other);
    passDays(9);
    await reportOf(service, own, { ...kept, completedAt: daysAgo(1) });
    await unlink(service, own);
    passDays(9);
    await sweep('disputes');
    for (const by of ['outcome', 'recorded']) {
      const points = await pointsOf(own, `?by=${by}&step=week`);
      expect(new Set(points.map(({ finalScore }) => finalScore)).size).toBeGreaterThan(3);
      for (const { day, finalScore } of points) {
        const body = await explainedOn(own, `?asOf=${day}&by=${by}`);
        const sum = body.factors.reduce((total: number, factor: Factor) => total + factor.contribution, 20);
        const found = [body.finalScore, Math.round(sum * 100) / 100];
        expect(found, `${by} ${day}`).toEqual([finalScore, finalScore]);
      }
    }
    const early = await ask(service, own, 'GET', `/score/explain?asOf=${dayAgo(60)}&by=recorded`);
    expect([early.status, early.body.error]).toEqual([404, expect.stringContaining('had been reported by')]);
  });

  test('of a frozen score ends with that score, and so does its explanation', async () => {
    const of = await someone([{ ...kept, completedAt: daysAgo(2) }]);
    await service.settle();
    const before = await figuresOf(service, of);
    await freeze(service, of, broken);
    passDays(4);
    await sweep('decay');
    expect(await figuresOf(service, of)).toEqual({ ...before, frozen: true });
    const { finalScore } = before;
    for (const by of ['outcome', 'recorded'])
      expect((await pointsOf(of, `?by=${by}`)).at(-1)).toMatchObject({ day: dayAgo(4), finalScore });
    const explained = await explainedOn(of, `?asOf=${dayAgo(0)}`);
    expect([explained.finalScore, reasonsOf(explained)[0]]).toEqual([finalScore, REVIEW]);
  });

  test('of the days of a freeze is what was published then, also after the freeze has ended', async () => {
    const at = { completedAt: daysAgo(2) };
    const of = await someone([
      { ...kept, ...at },
      { ...broken, ...at },
    ]);
    await service.settle();
    const published = await figuresOf(service, of);
    const { scoreBand, confidence } = published;
    await freeze(service, of, broken);
    const duringFreeze = await explainedOn(of);
    const [review, ...others] = duringFreeze.reasonCodes.adverseActionReasons;
    expect(review).toMatchObject({ code: REVIEW, evidence: { frozenSince: now.toISOString() } });
    expect(others).not.toContainEqual(expect.objectContaining({ code: REVIEW }));
    passDays(3);
    await thaw(service, of);
    const { finalScore } = await figuresOf(service, of);
    expect(finalScore).toBeLessThan(published.finalScore);
    const points = await pointsOf(of, '?by=recorded');
    const expected = [...Array(3).fill(published.finalScore), finalScore];
    expect(points.map((point) => point.finalScore)).toEqual(expected);
    expect(points[0]).toMatchObject({ scoreBand, confidence });
    for (const by of ['outcome', 'recorded']) {
      for (const asOf of [3, 2, 1].map(dayAgo))
        expect(await explainedOn(of, `?asOf=${asOf}&by=${by}`)).toEqual({ ...duringFreeze, asOf });
      const today = await explainedOn(of, `?asOf=${dayAgo(0)}&by=${by}`);
      expect(today.finalScore).toBe(finalScore);
      expect(reasonsOf(today)).not.toContain(REVIEW);
    }
  });

  test('is explained on no future day, and on no day before the first outcome', async () => {
    const of = await someone([{ ...kept, completedAt: daysAgo(5) }]);
    const answers: [string, number, string][] = [
      [dayAgo(-1), 400, 'VALIDATION_ERROR'],
      ['2026-02-30', 400, 'VALIDATION_ERROR'],
      [dayAgo(6), 404, 'USER_NOT_FOUND'],
      [dayAgo(5), 200, dayAgo(5)],
    ];
    for (const [asOf, ...expected] of answers) {
      const { status, body } = await ask(service, of, 'GET', `/score/explain?asOf=${asOf}`);
      expect([status, body.code ?? body.asOf]).toEqual(expected);
    }
  });

  test('is empty for a subject without an event', async () => {
    const of = await someone();
    await service.request('POST', '/agents', { key: of.platform.live.key, body: { userId: of.userId } });
    expect((await answerOf(of)).body).toMatchObject({ points: [], nextCursor: null });
  });

  test('refuses days that do not exist or are in the wrong order, and names the parameter', async () => {
    const of = await someone([kept]);
    const refusals: [string, string][] = [
      ['?from=2026-02-30', 'from'],
      ['?to=yesterday', 'to'],
      ['?from=2026-01-02&to=2026-01-01', 'from'],
      [`?from=${dayAgo(-1)}`, 'from'],
    ];
    for (const [query, path] of refusals) {
      const { status, body } = await answerOf(of, query);
      expect([status, body.code, body.details?.[0]?.path]).toEqual([400, 'VALIDATION_ERROR', path]);
    }
    expect(await pointsOf(of, `?to=${dayAgo(-400)}`)).toHaveLength(1);
    expect(await pointsOf(of, `?to=${dayAgo(30)}`)).toEqual([]);
  });

  test('of the days of a freeze stays so when retention has thinned the days around them', async () => {
    const of = await someone([kept, broken]);
    await service.settle();
    const passEachOf = async (days: number) => {
      for (let day = 0; day < days; day += 1) {
        passDays(1);
        await sweep('decay');
      }
    };
    await passEachOf(9);
    await freeze(service, of, broken);
    const days = [0, 1, 2].map((day) => dayAgo(-day));
    await passEachOf(3);
    await thaw(service, of);
    await passEachOf(5);
    passDays(70);
    await sweep('decay');
    const read = async () => ({
      explained: await Promise.all(days.map((day) => explainedOn(of, `?asOf=${day}&by=recorded`))),
      points: await pointsOf(of, `?by=recorded&step=day&from=${days[0]}&to=${days[2]}`),
    });
    const before = await read();
    expect(new Set(before.explained.map(({ finalScore }) => finalScore)).size).toBe(1);
    expect(reasonsOf(before.explained[0])).toContain(REVIEW);
    expect(await sweep('retention')).toBeGreaterThan(5);
    expect(await read()).toEqual(before);
    expect(await differencesIn(service.db, undefined, now)).toEqual([]);
  });
});
