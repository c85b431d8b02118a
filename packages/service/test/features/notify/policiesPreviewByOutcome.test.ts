import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { startTestService, type TestService } from '#harness/service.js';
import { linkAll } from '../insight/recordFixtures.js';
import { DAY_MS, movableClock, newPlatform } from '../tenancy/keyFixtures.js';

interface Row {
  userId: string;
  isPast: boolean;
  crossings: number;
  lastCrossedAt: string | null;
}

interface Point {
  day: string;
  finalScore: number;
}

const BELOW_50 = { metric: 'score', direction: 'below', threshold: 50 };
const ABOVE_50 = { metric: 'score', direction: 'above', threshold: 50 };

describe.each(breadth)('the preview of a policy by outcome, on %s', (engine) => {
  let service: TestService;
  const clock = movableClock();
  beforeAll(async () => {
    service = await startTestService(engine, { clock, env: { VELOCITY_MAX_PER_HOUR: '100000' } });
  });
  afterAll(() => service.close());

  const preview = async (key: string, body: object) =>
    (await service.request('POST', '/policies/preview', { key, body })).body;
  const timeOf = (daysAgo: number) => new Date(clock.now().getTime() - daysAgo * DAY_MS).toISOString();
  const outcomesOn = (userId: string, daysAgo: number, count: number, eventType = 'CONTRACT_FULFILLED') =>
    Array<object>(count).fill({ userId, eventType, isVerified: true, completedAt: timeOf(daysAgo) });
  async function report(key: string, events: readonly object[]): Promise<void> {
    const { body } = await service.request('POST', '/events/batch', { key, body: { events } });
    expect(body.createdCount).toBe(events.length);
    await service.settle();
  }

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
    const points: Point[] = course.body.points;
    return points
      .filter(({ day, finalScore }, index) => {
        const previous = points[index - 1]?.finalScore ?? (day === before ? finalScore : 20);
        return direction === 'below' ? previous >= 50 && finalScore < 50 : previous <= 50 && finalScore > 50;
      })
      .map(({ day }) => day);
  }

  test('an import has the crossings of its days, as the course of the score shows them', async () => {
    const { key } = (await newPlatform(service)).live;
    await report(key, history('ada'));
    for (const [condition, count] of [
      [BELOW_50, 1],
      [ABOVE_50, 2],
    ] as const) {
      const body = await preview(key, { condition });
      expect(body).toMatchObject({ by: 'outcome', counts: { scored: 1, crossed: 1, crossings: count } });
      const days = await crossingDays(key, 'ada', condition.direction, body.window.from);
      expect(days).toHaveLength(count);
      expect(body.subjects).toMatchObject([
        { userId: 'ada', crossings: count, lastCrossedAt: `${days.at(-1)}T00:00:00.000Z` },
      ]);
    }
    const recorded = await preview(key, { condition: ABOVE_50, by: 'recorded' });
    expect(recorded).toMatchObject({ by: 'recorded', counts: { crossings: 1 } });
    expect(recorded.subjects[0].lastCrossedAt > timeOf(1)).toBe(true);
    expect((await preview(key, { condition: BELOW_50, by: 'recorded' })).subjects).toEqual([]);
  });

  test('covers 90 whole days with today, and leaves out crossings before, but not who meets the condition', async () => {
    const { key } = (await newPlatform(service)).live;
    await report(key, [...outcomesOn('first', 89, 20), ...outcomesOn('second', 90, 20)]);
    const body = await preview(key, { condition: ABOVE_50 });
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
    expect((await preview(one, { condition })).subjects).toEqual([]);
    await linkAll(service, 'linked', other, one);
    await service.settle();
    expect((await preview(one, { condition })).subjects).toMatchObject([
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
    const whole = await preview(key, { condition, limit: 3 });
    expect(whole.counts).toEqual({ scored: 4, past: 4, crossed: 4, crossings: 4 });
    await pretend(300_000);
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await preview(key, { condition, cursor });
      expect(page).toMatchObject({ counts: null, aggregationSkipped: 'population_too_large' });
      found.push(...page.subjects.map(({ userId }: Row) => userId));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(found).toEqual(users);
    const one = await preview(key, { condition, userId: 'c' });
    expect(one.counts).toMatchObject({ scored: 1, crossed: 1 });
  });
});
