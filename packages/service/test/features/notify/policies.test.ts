import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { joinTestService, type TestService } from '#harness/service.js';
import { newPlatform, trailOf } from '../tenancy/keyFixtures.js';
import { emitted, reported } from './watchFixtures.js';

const BREACH = { eventType: 'CONTRACT_BREACHED' };
const BELOW_60 = { metric: 'score', direction: 'below', threshold: 60 };

describe.each(breadth)('policies on %s', (engine) => {
  let service: TestService;
  let own: Awaited<ReturnType<typeof newPlatform>>;

  beforeAll(async () => {
    service = await joinTestService(engine, { VELOCITY_MAX_PER_HOUR: '100000' });
    own = await newPlatform(service);
    await reported(service, own.live.key, 'worker', 1);
    await reported(service, own.test.key, 'tester', 1);
  });
  afterAll(() => service.close());

  const create = (body: object, key = own.live.key, headers = {}) =>
    service.request('POST', '/policies', { key, body: { name: 'Check them', ...body }, headers });
  const change = (id: string, body: object, key = own.live.key) =>
    service.request('PATCH', `/policies/${id}`, { key, body });
  const read = (id: string, key = own.live.key) => service.request('GET', `/policies/${id}`, { key });

  describe('a policy', () => {
    test('is created, read, changed and deleted', async () => {
      const made = await create({ condition: BELOW_60 });
      expect([made.status, made.body]).toEqual([
        201,
        {
          id: expect.any(String),
          name: 'Check them',
          condition: { ...BELOW_60, component: null, band: null },
          userId: null,
          isActive: true,
          createdAt: expect.any(String),
          updatedAt: made.body.createdAt,
        },
      ]);
      const { id } = made.body;
      expect((await read(id)).body).toEqual(made.body);
      const band = { metric: 'band', direction: 'leave', band: 'Good' };
      const changed = await change(id, { name: 'Watch him', condition: band, userId: 'worker' });
      expect([changed.status, changed.body]).toEqual([
        200,
        {
          ...made.body,
          name: 'Watch him',
          condition: { ...band, threshold: null, component: null },
          userId: 'worker',
          updatedAt: changed.body.updatedAt,
        },
      ]);
      expect((await change(id, { userId: null })).body).toMatchObject({ userId: null, name: 'Watch him' });
      const deleted = await service.request('DELETE', `/policies/${id}`, { key: own.live.key });
      expect([deleted.status, deleted.text]).toEqual([204, '']);
      expect((await read(id)).status).toBe(404);
    });

    test.each([
      { ...BELOW_60, threshold: 0 },
      { ...BELOW_60, threshold: 100 },
      { metric: 'component', direction: 'above', component: 'momentum', threshold: 62.5 },
      { metric: 'verified_events', direction: 'above', threshold: 1_000_000 },
      { metric: 'largest_attester_share', direction: 'above', threshold: 0.8 },
      { metric: 'distinct_attesters', direction: 'below', threshold: 3 },
      { metric: 'band', direction: 'enter', band: 'High Risk' },
    ])('accepts its condition as it was read: %j', async (condition) => {
      const made = await create({ condition });
      expect(made.status).toBe(201);
      expect(made.body.condition).toMatchObject(condition);
      const again = await change(made.body.id, { condition: made.body.condition });
      expect([again.status, again.body]).toEqual([200, made.body]);
      await service.request('DELETE', `/policies/${made.body.id}`, { key: own.live.key });
    });

    const inCondition = (...errors: [string, string][]) =>
      errors.map(([path, code]) => ({ path: path === '' ? 'condition' : `condition.${path}`, code }));

    test.each([
      [undefined, inCondition(['', 'required'])],
      ['below 60', inCondition(['', 'invalid_type'])],
      [{}, inCondition(['metric', 'required'])],
      [{ ...BELOW_60, metric: 'income' }, inCondition(['metric', 'custom'])],
      [{ metric: 'score' }, inCondition(['direction', 'required'], ['threshold', 'required'])],
      [{ ...BELOW_60, direction: 'enter' }, inCondition(['direction', 'invalid_value'])],
      [{ ...BELOW_60, threshold: null }, inCondition(['threshold', 'invalid_type'])],
      [{ ...BELOW_60, threshold: -1 }, inCondition(['threshold', 'too_small'])],
      [{ ...BELOW_60, threshold: 100.5 }, inCondition(['threshold', 'too_big'])],
      [{ ...BELOW_60, threshold: 0.001 }, inCondition(['threshold', 'custom'])],
      [
        { ...BELOW_60, direction: 'leave', component: 'momentum', band: 'Good' },
        inCondition(['direction', 'invalid_value'], ['component', 'custom'], ['band', 'custom']),
      ],
      [{ ...BELOW_60, metric: 'component' }, inCondition(['component', 'required'])],
      [{ ...BELOW_60, metric: 'component', component: 'charm' }, inCondition(['component', 'invalid_value'])],
      [
        { ...BELOW_60, metric: 'verified_events', threshold: 1.5 },
        inCondition(['threshold', 'invalid_type']),
      ],
      [{ ...BELOW_60, metric: 'verified_events', threshold: -1 }, inCondition(['threshold', 'too_small'])],
      [
        { metric: 'largest_attester_share', direction: 'above', threshold: 1.1 },
        inCondition(['threshold', 'too_big']),
      ],
      [
        { metric: 'distinct_attesters', direction: 'enter', threshold: 0.5 },
        inCondition(['direction', 'invalid_value'], ['threshold', 'invalid_type']),
      ],
      [{ metric: 'band', direction: 'enter' }, inCondition(['band', 'required'])],
      [{ metric: 'band', direction: 'enter', band: 'Splendid' }, inCondition(['band', 'invalid_value'])],
      [
        { metric: 'band', direction: 'below', band: 'Good', threshold: 60 },
        inCondition(['direction', 'invalid_value'], ['threshold', 'custom']),
      ],
    ])('is refused with every error of its condition: %j', async (condition, errors) => {
      const answers = [
        await create({ condition }),
        await service.request('POST', '/policies/preview', { key: own.live.key, body: { condition } }),
      ];
      for (const answer of answers) {
        expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR']);
        const found = answer.body.details.map(({ path, code }: { path: string; code: string }) => ({
          path,
          code,
        }));
        const byPath = (left: { path: string }, right: { path: string }) => (left.path < right.path ? -1 : 1);
        expect(found.sort(byPath)).toEqual([...errors].sort(byPath));
      }
    });

    test.each([
      [{ name: '' }, 'name', 'too_small'],
      [{ name: 'x'.repeat(256) }, 'name', 'too_big'],
      [{ name: null }, 'name', 'invalid_type'],
      [{ userId: '' }, 'userId', 'too_small'],
      [{ isActive: 'no' }, 'isActive', 'invalid_type'],
    ])('is refused: %j', async (more, path, code) => {
      const { id } = (await create({ condition: BELOW_60 })).body;
      for (const answer of [await create({ condition: BELOW_60, ...more }), await change(id, more)]) {
        expect(answer.status).toBe(400);
        expect(answer.body).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path, code }] });
      }
      await service.request('DELETE', `/policies/${id}`, { key: own.live.key });
    });

    test('watches a subject of its own platform and mode, or all subjects', async () => {
      const { id } = (await create({ condition: BELOW_60 })).body;
      for (const userId of ['nobody', 'tester']) {
        for (const answer of [
          await create({ condition: BELOW_60, userId }),
          await change(id, { userId }),
          await service.request('POST', '/policies/preview', {
            key: own.live.key,
            body: { condition: BELOW_60, userId },
          }),
        ]) {
          expect([answer.status, answer.body.code]).toEqual([404, 'USER_NOT_FOUND']);
        }
      }
      expect((await read(id)).body.userId).toBeNull();
    });

    test('is not written by a change that changes nothing', async () => {
      const made = (await create({ condition: BELOW_60, userId: 'worker' })).body;
      const before = await trailOf(service, own.platformId);
      for (const body of [{}, { name: made.name, condition: BELOW_60, userId: 'worker', isActive: true }]) {
        const answer = await change(made.id, body);
        expect([answer.status, answer.body]).toEqual([200, made]);
      }
      expect(await trailOf(service, own.platformId)).toEqual(before);
    });
  });

  test('a policy of all subjects fires once per subject and crossing, that of one subject only for it', async () => {
    const { platformId, live, test: inTest } = await newPlatform(service);
    const { key } = live;
    for (const userId of ['one', 'two']) await reported(service, key, userId, 20);
    const whole = (await create({ condition: BELOW_60 }, key)).body.id;
    const single = (await create({ condition: BELOW_60, userId: 'two' }, key)).body.id;
    await create({ condition: BELOW_60 }, inTest.key);
    for (const userId of ['one', 'two', 'three']) await reported(service, key, userId, 15, BREACH);
    await reported(service, key, 'one', 5, BREACH);
    const firings = async () =>
      (await emitted(service, platformId, 'policy.threshold_crossed')).map(({ policyId, subject }) => [
        policyId,
        subject.externalId,
      ]);
    expect(await firings()).toEqual([
      [whole, 'one'],
      [whole, 'two'],
      [single, 'two'],
    ]);
    expect(await emitted(service, platformId, 'policy.threshold_crossed', false)).toEqual([]);
  });

  test('an inactive policy does not fire, and does not catch up later', async () => {
    const { platformId, live } = await newPlatform(service);
    const { key } = live;
    await reported(service, key, 'worker', 20);
    const { id } = (await create({ condition: BELOW_60, isActive: false }, key)).body;
    await reported(service, key, 'worker', 20, BREACH);
    await change(id, { isActive: true }, key);
    await reported(service, key, 'worker', 1, BREACH);
    expect(await emitted(service, platformId, 'policy.threshold_crossed')).toEqual([]);
    await change(id, { condition: { metric: 'verified_events', direction: 'above', threshold: 41 } }, key);
    await reported(service, key, 'worker', 1, BREACH);
    const [crossed, ...more] = await emitted(service, platformId, 'policy.threshold_crossed');
    expect(more).toEqual([]);
    expect(crossed).toMatchObject({ metric: 'verified_events', observed: { previous: 41, current: 42 } });
  });

  describe('the cap', () => {
    test('holds against simultaneous requests, separately for each mode', async () => {
      const platform = await newPlatform(service, { plan: 'starter' });
      for (const [mode, { key }] of [
        ['live', platform.live],
        ['test', platform.test],
      ] as const) {
        const answers = await Promise.all(
          Array.from({ length: 15 }, () => create({ condition: BELOW_60 }, key)),
        );
        expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
        const refused = answers.filter(({ status }) => status === 409);
        expect(refused).toHaveLength(10);
        for (const { body } of refused) {
          expect(body).toMatchObject({
            code: 'POLICY_LIMIT_REACHED',
            details: { limit: 5, tier: 'starter', mode },
          });
        }
      }
    });

    test('does not count inactive policies, and is checked when one is enabled', async () => {
      const { key } = (await newPlatform(service, { plan: 'starter' })).live;
      const ids: string[] = [];
      for (let index = 0; index < 10; index += 1) {
        ids.push((await create({ condition: BELOW_60, isActive: false }, key)).body.id);
      }
      const answers = await Promise.all(ids.map((id) => change(id, { isActive: true }, key)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
      expect(answers.find(({ status }) => status === 409)?.body.details).toEqual({
        limit: 5,
        tier: 'starter',
        mode: 'live',
      });
      const active = answers.find(({ status }) => status === 200)?.body.id;
      expect((await service.request('DELETE', `/policies/${active}`, { key })).status).toBe(204);
      expect((await create({ condition: BELOW_60 }, key)).status).toBe(201);
    });
  });

  test('a reset of test data deletes the policies of its subjects, not those of all subjects', async () => {
    const { live, test: inTest } = await newPlatform(service);
    for (const { key } of [live, inTest]) {
      await reported(service, key, 'someone', 2);
      await create({ condition: BELOW_60, userId: 'someone' }, key);
      await create({ condition: BELOW_60 }, key);
    }
    await service.request('DELETE', '/test/data', { key: inTest.key });
    const usersOf = async (key: string) =>
      (await service.request('GET', '/policies', { key })).body.policies.map(
        ({ userId }: { userId: string | null }) => userId,
      );
    expect(await usersOf(inTest.key)).toEqual([null]);
    expect(await usersOf(live.key)).toEqual([null, 'someone']);
  });
});
