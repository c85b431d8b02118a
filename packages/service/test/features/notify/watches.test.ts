import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { joinTestService, type TestService } from '#harness/service.js';
import { newPlatform } from '../tenancy/keyFixtures.js';
import { emitted, reported } from './watchFixtures.js';

const BREACH = { eventType: 'CONTRACT_BREACHED' };
const BELOW_60 = { metric: 'score', direction: 'below', threshold: 60 };

describe.each(breadth)('monitors and policies on %s', (engine) => {
  let service: TestService;
  let own: Awaited<ReturnType<typeof newPlatform>>;

  beforeAll(async () => {
    service = await joinTestService(engine, { VELOCITY_MAX_PER_HOUR: '100000' });
    own = await newPlatform(service);
    await reported(service, own.live.key, 'worker', 1);
    await reported(service, own.test.key, 'tester', 1);
  });
  afterAll(() => service.close());

  /** The calls of one kind. */
  const callsOf = (path: string, fixed: object = {}) => ({
    create: (body: object, key = own.live.key) =>
      service.request('POST', path, { key, body: { ...fixed, ...body } }),
    change: (id: string, body: object, key = own.live.key) =>
      service.request('PATCH', `${path}/${id}`, { key, body }),
    read: (id: string, key = own.live.key) => service.request('GET', `${path}/${id}`, { key }),
  });

  describe('a monitor', () => {
    const { create, change, read } = callsOf('/monitors');

    test.each([
      [{ userId: 'worker' }, '', 'custom'],
      [{ userId: 'worker', belowScore: null, onBandChange: false }, '', 'custom'],
      [{ userId: 'worker', belowScore: 59.999 }, 'belowScore', 'custom'],
    ])('is refused: %j', async (body, path, code) => {
      const answer = await create(body);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path, code }] });
    });

    test('watches only subjects that its platform has reported on in the same mode', async () => {
      for (const [userId, key] of [
        ['nobody', own.live.key],
        ['tester', own.live.key],
        ['worker', own.test.key],
      ] as const) {
        const answer = await create({ userId, belowScore: 60 }, key);
        expect([answer.status, answer.body.code]).toEqual([404, 'USER_NOT_FOUND']);
      }
      const other = await newPlatform(service);
      expect((await create({ userId: 'worker', belowScore: 60 }, other.live.key)).status).toBe(404);
    });

    test('keeps at least one condition', async () => {
      const { id } = (await create({ userId: 'worker', belowScore: 60, aboveScore: 80 })).body;
      expect((await change(id, { belowScore: null })).status).toBe(200);
      const refused = await change(id, { aboveScore: null });
      expect([refused.status, refused.body.code]).toEqual([400, 'VALIDATION_ERROR']);
      expect((await read(id)).body).toMatchObject({ belowScore: null, aboveScore: 80 });
      expect((await change(id, { aboveScore: null, onBandChange: true })).status).toBe(200);
    });

    test('is in the list of its subject', async () => {
      const platform = await newPlatform(service);
      const { key } = platform.live;
      await reported(service, key, 'one', 1);
      await reported(service, key, 'two', 1);
      const ids: string[] = [];
      for (let index = 0; index < 5; index += 1) {
        const body = { userId: index % 2 ? 'two' : 'one', belowScore: index, isActive: index > 0 };
        ids.unshift((await create(body, key)).body.id);
      }
      const ofTwo = await service.request('GET', '/monitors?userId=two', { key });
      expect(ofTwo.body.monitors.map(({ id }: { id: string }) => id)).toEqual([ids[1], ids[3]]);
    });

    test('fires once per crossing, and not while inactive', async () => {
      const platform = await newPlatform(service);
      const { key } = platform.live;
      await reported(service, key, 'watched', 20);
      const { id } = (await create({ userId: 'watched', belowScore: 50, aboveScore: 50 }, key)).body;
      const firings = async () =>
        (await emitted(service, platform.platformId, 'monitor.triggered')).map(({ condition }) => condition);
      await reported(service, key, 'watched', 1);
      expect(await firings()).toEqual([]);
      await reported(service, key, 'watched', 20, BREACH);
      await reported(service, key, 'watched', 5, BREACH);
      expect(await firings()).toEqual(['below_score']);
      const { lastTriggeredAt, updatedAt, createdAt } = (await read(id, key)).body;
      expect(Date.parse(lastTriggeredAt)).toBeGreaterThan(Date.parse(createdAt));
      expect(updatedAt).toBe(createdAt);
      await change(id, { isActive: false }, key);
      for (let round = 0; round < 3; round += 1) await reported(service, key, 'watched', 90);
      const score = await service.request('GET', '/users/watched/score', { key });
      expect(score.body.finalScore).toBeGreaterThan(50);
      expect(await firings()).toEqual(['below_score']);
      await change(id, { isActive: true }, key);
      await reported(service, key, 'watched', 1);
      expect(await firings()).toEqual(['below_score']);
      for (let round = 0; round < 3; round += 1) await reported(service, key, 'watched', 90, BREACH);
      expect(await firings()).toEqual(['below_score', 'below_score']);
      expect((await read(id, key)).body.lastTriggeredAt).not.toBe(lastTriggeredAt);
    });

    test('is deleted by a reset of test data with its subject, also while it is being created', async () => {
      const platform = await newPlatform(service);
      const { key } = platform.test;
      for (let round = 0; round < 5; round += 1) {
        await reported(service, key, 'tester', 2);
        await create({ userId: 'tester', belowScore: 60 }, key);
        const [made, reset] = await Promise.all([
          create({ userId: 'tester', onBandChange: true }, key),
          service.request('DELETE', '/test/data', { key }),
        ]);
        expect([201, 404]).toContain(made.status);
        expect(reset.status).toBe(200);
        const left = 'select 1 from monitor where platform_id = $1';
        expect(await service.db.query(left, [platform.platformId])).toEqual([]);
      }
    });
  });

  describe('a policy', () => {
    const { create, change, read } = callsOf('/policies', { name: 'Check them' });

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

    test.each([
      [{ ...BELOW_60, metric: 'income' }, { metric: 'custom' }],
      [{ metric: 'score' }, { direction: 'required', threshold: 'required' }],
      [{ ...BELOW_60, direction: 'enter' }, { direction: 'invalid_value' }],
      [{ ...BELOW_60, threshold: null }, { threshold: 'invalid_type' }],
      [{ ...BELOW_60, threshold: 100.5 }, { threshold: 'too_big' }],
      [{ ...BELOW_60, threshold: 0.001 }, { threshold: 'custom' }],
      [
        { ...BELOW_60, direction: 'leave', component: 'momentum', band: 'Good' },
        { direction: 'invalid_value', component: 'custom', band: 'custom' },
      ],
      [{ ...BELOW_60, metric: 'component' }, { component: 'required' }],
      [{ ...BELOW_60, metric: 'component', component: 'charm' }, { component: 'invalid_value' }],
      [{ ...BELOW_60, metric: 'verified_events', threshold: 1.5 }, { threshold: 'invalid_type' }],
      [{ metric: 'largest_attester_share', direction: 'above', threshold: 1.1 }, { threshold: 'too_big' }],
      [
        { metric: 'distinct_attesters', direction: 'enter', threshold: 0.5 },
        { direction: 'invalid_value', threshold: 'invalid_type' },
      ],
      [{ metric: 'band', direction: 'enter' }, { band: 'required' }],
      [{ metric: 'band', direction: 'enter', band: 'Splendid' }, { band: 'invalid_value' }],
      [
        { metric: 'band', direction: 'below', band: 'Good', threshold: 60 },
        { direction: 'invalid_value', threshold: 'custom' },
      ],
    ] as [object, object][])(
      'is refused with every error of its condition: %j',
      async (condition, errors) => {
        const answers = [
          await create({ condition }),
          await service.request('POST', '/policies/preview', { key: own.live.key, body: { condition } }),
        ];
        for (const answer of answers) {
          expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR']);
          const found = (answer.body.details as { path: string; code: string }[]).map(({ path, code }) => [
            path.replace('condition.', ''),
            code,
          ]);
          expect(Object.fromEntries(found)).toEqual(errors);
        }
      },
    );

    test('watches a subject of its own platform and mode, or all subjects', async () => {
      const { id } = (await create({ condition: BELOW_60, userId: 'worker' })).body;
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
      expect((await read(id)).body.userId).toBe('worker');
      expect((await change(id, { userId: null })).body.userId).toBeNull();
    });

    test('of all subjects fires once per subject and crossing, that of one subject only for it', async () => {
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

    test('does not fire while inactive, and does not catch up later', async () => {
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

    test('is deleted by a reset of test data with its subject; those of all subjects stay', async () => {
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
});
