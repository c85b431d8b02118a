import { scoreBands } from '@reliability/scoring';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { componentNames } from '#domain/envelopes/scoreEnvelopes.js';
import { breadth } from '#harness/engines.js';
import { eventually } from '#harness/eventually.js';
import { startTestService, type TestService } from '#harness/service.js';
import { DAY_MS, movableClock, newPlatform } from '../tenancy/keyFixtures.js';
import { emitted, reported } from './watchFixtures.js';

const BREACH = { eventType: 'CONTRACT_BREACHED' };
const ABOVE_30 = { metric: 'score', direction: 'above', threshold: 30 };

interface Row {
  userId: string;
  isPast: boolean;
  observed: number | string | null;
  crossings: number;
  lastCrossedAt: string | null;
}

const direction = fc.constantFrom('below', 'above');
const threshold = fc.integer({ min: 20, max: 70 });
const condition = fc.oneof(
  fc.record({ metric: fc.constant('score'), direction, threshold }),
  fc.record({
    metric: fc.constant('component'),
    direction,
    threshold,
    component: fc.constantFrom(...componentNames),
  }),
  fc.record({ metric: fc.constant('verified_events'), direction, threshold: fc.integer({ min: 0, max: 9 }) }),
  fc.record({
    metric: fc.constant('band'),
    direction: fc.constantFrom('enter', 'leave'),
    band: fc.constantFrom(...scoreBands),
  }),
);
/** The steps of a history: simultaneous outcomes of a subject, or some days that pass. */
const history = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        user: fc.constantFrom('ada', 'bob', 'cleo'),
        count: fc.integer({ min: 1, max: 8 }),
        eventType: fc.constantFrom('CONTRACT_FULFILLED', 'CONTRACT_BREACHED'),
        isVerified: fc.boolean(),
        daysAgo: fc.integer({ min: 0, max: 300 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ days: fc.integer({ min: 1, max: 9 }) }) },
  ),
  { minLength: 5, maxLength: 10 },
);

describe.each(breadth)('the preview of a policy on %s', (engine) => {
  let service: TestService;
  const clock = movableClock();

  beforeAll(async () => {
    const env = { VELOCITY_MAX_PER_HOUR: '100000', BOOK_SUMMARY_MAX: '40' };
    service = await startTestService(engine, { clock, env });
  });
  afterAll(() => service.close());

  const preview = (key: string, body: object) => service.request('POST', '/policies/preview', { key, body });

  /** One verified success of each. */
  async function eachFulfilled(key: string, users: readonly string[]): Promise<void> {
    const events = users.map((userId) => ({ userId, eventType: 'CONTRACT_FULFILLED', isVerified: true }));
    await service.request('POST', '/events/batch', { key, body: { events } });
    await service.settle();
  }

  async function daysGoBy(days: number): Promise<void> {
    clock.aheadMs += days * DAY_MS;
    const today = Math.floor(clock.now().getTime() / DAY_MS);
    await service.request('POST', '/admin/sweeps/decay', { admin: true });
    await eventually(async () => {
      const aged = await service.db.query('select 1 from score where as_of < $1 limit 1', [today]);
      return aged.length === 0;
    });
    await service.settle();
  }

  test('agrees with what the policy sent, whatever happened', async () => {
    let fired = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(condition, { minLength: 4, maxLength: 6 }),
        history,
        async (conditions, steps) => {
          const { platformId, live } = await newPlatform(service);
          const { key } = live;
          const ids: string[] = [];
          for (const [index, wanted] of conditions.entries()) {
            const body = { name: `Policy ${index}`, condition: wanted };
            ids.push((await service.request('POST', '/policies', { key, body })).body.id);
          }
          for (const step of steps) {
            if ('days' in step) {
              await daysGoBy(step.days);
              continue;
            }
            const { user, count, daysAgo, ...event } = step;
            const completedAt = new Date(clock.now().getTime() - daysAgo * DAY_MS).toISOString();
            await reported(service, key, user, count, { ...event, completedAt });
          }
          const envelopes = await emitted(service, platformId, 'policy.threshold_crossed');
          fired += envelopes.length;
          for (const [index, wanted] of conditions.entries()) {
            const own = envelopes.filter(({ policyId }) => policyId === ids[index]);
            const { body } = await preview(key, { condition: wanted, by: 'recorded' });
            const crossed = body.subjects.filter(({ crossings }: Row) => crossings > 0);
            const expected = [...new Set(own.map(({ subject }) => subject.externalId))]
              .sort()
              .map((userId) => {
                const of = own.filter(({ subject }) => subject.externalId === userId);
                return { userId, crossings: of.length, lastCrossedAt: of.at(-1).computedAt };
              });
            expect(crossed).toMatchObject(expected);
            expect(crossed).toHaveLength(expected.length);
            expect(body.counts).toMatchObject({ crossed: expected.length, crossings: own.length });
            for (const { subject, observed, computedAt } of own) {
              const row = body.subjects.find(({ userId }: Row) => userId === subject.externalId);
              // Nothing followed this crossing, so the subject still meets the condition.
              if (row.lastCrossedAt === computedAt && row.observed === observed.current)
                expect(row.isPast).toBe(true);
            }
          }
        },
      ),
      { numRuns: 8 },
    );
    expect(fired).toBeGreaterThan(0);
  });

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
        by: 'outcome',
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
    for (let round = 0; round < 3; round += 1) await eachFulfilled(key, users);
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
      { condition: ABOVE_30, cursor: first, by: 'recorded' },
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
});
