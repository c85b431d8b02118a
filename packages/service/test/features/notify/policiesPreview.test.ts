import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { startTestService, type TestService } from '#harness/service.js';
import { linkAll } from '../insight/recordFixtures.js';
import { DAY_MS, movableClock, newPlatform } from '../tenancy/keyFixtures.js';
import { emitted, reported } from './watchFixtures.js';

const BREACH = { eventType: 'CONTRACT_BREACHED' };
const ABOVE_30 = { metric: 'score', direction: 'above', threshold: 30 };
const BELOW_50 = { metric: 'score', direction: 'below', threshold: 50 };
const ABOVE_50 = { metric: 'score', direction: 'above', threshold: 50 };

interface Row {
  userId: string;
  isPast: boolean;
  observed: number | string | null;
  crossings: number;
  lastCrossedAt: string | null;
}

describe.each(breadth)('the preview of a policy on %s', (engine) => {
  let service: TestService;
  const clock = movableClock();

  beforeAll(async () => {
    const env = { VELOCITY_MAX_PER_HOUR: '100000', BOOK_SUMMARY_MAX: '40' };
    service = await startTestService(engine, { clock, env });
  });
  afterAll(() => service.close());

  const preview = (key: string, body: object) => service.request('POST', '/policies/preview', { key, body });

  const timeOf = (daysAgo: number) => new Date(clock.now().getTime() - daysAgo * DAY_MS).toISOString();
  const outcomesOn = (userId: string, daysAgo: number, count: number, eventType = 'CONTRACT_FULFILLED') =>
    Array<object>(count).fill({ userId, eventType, isVerified: true, completedAt: timeOf(daysAgo) });
  async function report(key: string, events: readonly object[]): Promise<void> {
    const { body } = await service.request('POST', '/events/batch', { key, body: { events } });
    expect(body.createdCount).toBe(events.length);
    await service.settle();
  }

  /** Verified successes of each on this day. */
  const eachFulfilled = (key: string, users: readonly string[], count = 1) =>
    report(
      key,
      users.flatMap((userId) => outcomesOn(userId, 0, count)),
    );

  /** Good from 70 days ago, bad from 40, good again from 10. */
  const history = (userId: string) => [
    ...outcomesOn(userId, 120, 1),
    ...outcomesOn(userId, 70, 12),
    ...outcomesOn(userId, 40, 6, 'CONTRACT_BREACHED'),
    ...outcomesOn(userId, 10, 40),
  ];

  /**
   * The days on which the course of a score crosses 50. A course that begins within the window
   * begins at 20.
   */
  async function crossingDays(key: string, userId: string, direction: string, from: string) {
    const before = new Date(Date.parse(from) - DAY_MS).toISOString().slice(0, 10);
    const query = `by=outcome&step=day&from=${before}&to=${timeOf(0).slice(0, 10)}`;
    const course = await service.request('GET', `/users/${userId}/score/course?${query}`, { key });
    const points: { day: string; finalScore: number }[] = course.body.points;
    return points
      .filter(({ day, finalScore }, index) => {
        const previous = points[index - 1]?.finalScore ?? (day === before ? finalScore : 20);
        return direction === 'below' ? previous >= 50 && finalScore < 50 : previous <= 50 && finalScore > 50;
      })
      .map(({ day }) => day);
  }

  test('lists the subjects that meet it now, with the value of the metric, and writes nothing', async () => {
    const { platformId, live } = await newPlatform(service);
    const { key } = live;
    await reported(service, key, 'good', 20);
    await reported(service, key, 'bad', 10, BREACH);
    await reported(service, key, 'new', 1, { isVerified: false });
    const scoreOf = async (id: string) =>
      (await service.request('GET', `/users/${id}/score`, { key })).body.finalScore;
    const { status, body } = await preview(key, { condition: ABOVE_30 });
    expect([status, body]).toEqual([
      200,
      {
        condition: { ...ABOVE_30, component: null, band: null },
        userId: null,
        window: {
          from: new Date(Date.parse(body.window.to.slice(0, 10)) - 89 * DAY_MS).toISOString(),
          to: body.window.to,
          days: 90,
        },
        counts: { scored: 3, past: 1, crossed: 1, crossings: 1 },
        aggregationSkipped: null,
        subjects: [
          {
            userId: 'good',
            isPast: true,
            observed: await scoreOf('good'),
            finalScore: await scoreOf('good'),
            scoreBand: 'Good',
            crossings: 1,
            lastCrossedAt: expect.stringMatching(/T00:00:00\.000Z$/),
          },
        ],
        nextCursor: null,
      },
    ]);
    for (const [wanted, past] of [
      [{ metric: 'band', direction: 'enter', band: 'High Risk' }, { bad: 'High Risk' }],
      [
        { metric: 'band', direction: 'leave', band: 'Good' },
        { bad: 'High Risk', new: expect.any(String) },
      ],
      [{ metric: 'verified_events', direction: 'below', threshold: 1 }, { new: 0 }],
      [{ metric: 'component', component: 'reliability', direction: 'below', threshold: 50 }, { bad: 0 }],
    ] as [object, object][]) {
      const { subjects } = (await preview(key, { condition: wanted })).body;
      const found = subjects.filter(({ isPast }: Row) => isPast);
      expect(Object.fromEntries(found.map((row: Row) => [row.userId, row.observed]))).toEqual(past);
    }
    const ofOne = await preview(key, { condition: ABOVE_30, userId: 'bad' });
    expect(ofOne.body).toMatchObject({
      userId: 'bad',
      counts: { scored: 1, past: 0, crossed: 0 },
      subjects: [],
    });
    expect(await emitted(service, platformId, 'policy.threshold_crossed')).toEqual([]);
    expect((await service.request('GET', '/policies', { key })).body.policies).toEqual([]);
  });

  test('covers its own mode and platform only', async () => {
    const { live, test: inTest } = await newPlatform(service);
    await reported(service, live.key, 'live', 20);
    await reported(service, inTest.key, 'test', 20);
    const users = async (key: string) =>
      (await preview(key, { condition: ABOVE_30 })).body.subjects.map(({ userId }: Row) => userId);
    expect([await users(live.key), await users(inTest.key)]).toEqual([['live'], ['test']]);
  });

  test('has pages that list every subject once, each with the total counts', async () => {
    const { key } = (await newPlatform(service)).live;
    const users = Array.from({ length: 25 }, (_, index) => `user-${index + 10}`);
    await eachFulfilled(key, users, 3);
    const pages: Row[][] = [];
    for (let cursor: string | null = null; ; ) {
      const { body } = await preview(key, { condition: ABOVE_30, limit: 10, cursor });
      expect(body.counts).toEqual({ scored: 25, past: 25, crossed: 25, crossings: 25 });
      pages.push(body.subjects);
      cursor = body.nextCursor;
      if (cursor === null) break;
    }
    expect(pages.map((page) => page.length)).toEqual([10, 10, 5]);
    expect(pages.flat().map(({ userId }) => userId)).toEqual(users);
    const first = (await preview(key, { condition: ABOVE_30, limit: 10 })).body.nextCursor;
    for (const body of [
      { condition: { ...ABOVE_30, threshold: 31 }, cursor: first },
      { condition: ABOVE_30, cursor: first, userId: 'user-11' },
      { condition: ABOVE_30, cursor: 'nonsense' },
    ]) {
      expect((await preview(key, body)).body).toMatchObject({ code: 'BAD_REQUEST' });
    }
  });

  test('of very many subjects has no counts, and says why', async () => {
    const { key } = (await newPlatform(service)).live;
    await eachFulfilled(
      key,
      Array.from({ length: 41 }, (_, index) => `user-${index}`),
    );
    const wanted = { metric: 'verified_events', direction: 'above', threshold: 0 };
    const { body } = await preview(key, { condition: wanted, limit: 40 });
    expect(body).toMatchObject({ counts: null, aggregationSkipped: 'population_too_large' });
    expect(body.subjects).toHaveLength(40);
    const last = await preview(key, { condition: wanted, cursor: body.nextCursor });
    expect(last.body).toMatchObject({ counts: null, nextCursor: null, subjects: [{ crossings: 1 }] });
  });

  test('ends a small page of very many subjects soon, also if it found nobody', async () => {
    const { key } = (await newPlatform(service)).live;
    for (let batch = 0; batch < 3; batch += 1) {
      await eachFulfilled(
        key,
        Array.from({ length: 100 }, (_, index) => `user-${batch}-${index}`),
      );
    }
    const rare = { condition: { metric: 'score', direction: 'above', threshold: 100 }, limit: 1 };
    const first = (await preview(key, rare)).body;
    expect(first).toMatchObject({ subjects: [], nextCursor: expect.any(String) });
    const last = (await preview(key, { ...rare, cursor: first.nextCursor })).body;
    expect(last).toMatchObject({ subjects: [], nextCursor: null });
  });

  test('an import has the crossings of its days, as the course of the score shows them', async () => {
    const { key } = (await newPlatform(service)).live;
    await report(key, history('ada'));
    for (const [condition, count] of [
      [BELOW_50, 1],
      [ABOVE_50, 2],
    ] as const) {
      const { body } = await preview(key, { condition });
      expect(body).toMatchObject({ counts: { scored: 1, crossed: 1, crossings: count } });
      const days = await crossingDays(key, 'ada', condition.direction, body.window.from);
      expect(days).toHaveLength(count);
      expect(body.subjects).toMatchObject([
        { userId: 'ada', crossings: count, lastCrossedAt: `${days.at(-1)}T00:00:00.000Z` },
      ]);
    }
  });

  test('covers 90 whole days with today, and leaves out crossings before, but not who meets the condition', async () => {
    const { key } = (await newPlatform(service)).live;
    await report(key, [...outcomesOn('first', 89, 20), ...outcomesOn('second', 90, 20)]);
    const { body } = await preview(key, { condition: ABOVE_50 });
    const first = Math.floor(Date.parse(body.window.to) / DAY_MS) - 89;
    expect(body.window).toMatchObject({ from: new Date(first * DAY_MS).toISOString(), days: 90 });
    expect(body.subjects).toMatchObject([
      { userId: 'first', isPast: true, crossings: 1, lastCrossedAt: body.window.from },
      { userId: 'second', isPast: true, crossings: 0, lastCrossedAt: null },
    ]);
    expect(body.counts).toMatchObject({ past: 2, crossed: 1, crossings: 1 });
  });

  test('a linked subject is replayed over the whole record', async () => {
    const [one, other] = [(await newPlatform(service)).live.key, (await newPlatform(service)).live.key];
    await report(one, outcomesOn('linked', 30, 3));
    await report(other, outcomesOn('linked', 20, 10, 'CONTRACT_BREACHED'));
    const condition = { metric: 'component', component: 'reliability', direction: 'below', threshold: 50 };
    expect((await preview(one, { condition })).body.subjects).toEqual([]);
    await linkAll(service, 'linked', other, one);
    await service.settle();
    expect((await preview(one, { condition })).body.subjects).toMatchObject([
      {
        userId: 'linked',
        isPast: true,
        crossings: 1,
        lastCrossedAt: `${timeOf(20).slice(0, 10)}T00:00:00.000Z`,
      },
    ]);
  });

  test('long records make short slices, and past a number of events there are no counts', async () => {
    const { platformId, live } = await newPlatform(service);
    const { key } = live;
    const users = ['a', 'b', 'c', 'd'];
    await report(
      key,
      users.flatMap((userId) => outcomesOn(userId, 5, 3)),
    );
    const condition = { metric: 'verified_events', direction: 'above', threshold: 2 };
    const pretend = (events: number) =>
      service.db.execute('update score set total_events = $2 where platform_id = $1', [platformId, events]);
    await pretend(30_000);
    const { body: whole } = await preview(key, { condition, limit: 3 });
    expect(whole.counts).toEqual({ scored: 4, past: 4, crossed: 4, crossings: 4 });
    await pretend(300_000);
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const { body: page } = await preview(key, { condition, cursor });
      expect(page).toMatchObject({ counts: null, aggregationSkipped: 'population_too_large' });
      found.push(...page.subjects.map(({ userId }: Row) => userId));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(found).toEqual(users);
    const { body: one } = await preview(key, { condition, userId: 'c' });
    expect(one.counts).toMatchObject({ scored: 1, crossed: 1 });
  });
});
