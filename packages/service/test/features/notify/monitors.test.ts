import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { joinTestService, type TestService } from '#harness/service.js';
import { newPlatform, trailOf } from '../tenancy/keyFixtures.js';
import { emitted, reported } from './watchFixtures.js';

const BREACH = { eventType: 'CONTRACT_BREACHED' };

describe.each(breadth)('monitors on %s', (engine) => {
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
    service.request('POST', '/monitors', { key, body, headers });
  const change = (id: string, body: object, key = own.live.key) =>
    service.request('PATCH', `/monitors/${id}`, { key, body });
  const read = (id: string, key = own.live.key) => service.request('GET', `/monitors/${id}`, { key });

  describe('a monitor', () => {
    test('is created, read, changed and deleted', async () => {
      const made = await create({ userId: 'worker', belowScore: 60.25, onBandChange: true });
      expect([made.status, made.body]).toEqual([
        201,
        {
          id: expect.any(String),
          userId: 'worker',
          belowScore: 60.25,
          aboveScore: null,
          onBandChange: true,
          isActive: true,
          lastTriggeredAt: null,
          createdAt: expect.any(String),
          updatedAt: made.body.createdAt,
        },
      ]);
      const { id } = made.body;
      expect((await read(id)).body).toEqual(made.body);
      const changed = await change(id, { belowScore: null, aboveScore: 70, onBandChange: null });
      expect(changed.body).toEqual({
        ...made.body,
        belowScore: null,
        aboveScore: 70,
        onBandChange: false,
        updatedAt: changed.body.updatedAt,
      });
      expect((await read(id)).body).toEqual(changed.body);
      const deleted = await service.request('DELETE', `/monitors/${id}`, { key: own.live.key });
      expect([deleted.status, deleted.text]).toEqual([204, '']);
      expect((await read(id)).status).toBe(404);
    });

    test.each([
      [{ userId: 'worker' }, '', 'custom'],
      [{ userId: 'worker', belowScore: null, onBandChange: false }, '', 'custom'],
      [{ belowScore: 60 }, 'userId', 'required'],
      [{ userId: '', belowScore: 60 }, 'userId', 'too_small'],
      [{ userId: 'worker', belowScore: -0.01 }, 'belowScore', 'too_small'],
      [{ userId: 'worker', aboveScore: 100.01 }, 'aboveScore', 'too_big'],
      [{ userId: 'worker', belowScore: 59.999 }, 'belowScore', 'custom'],
      [{ userId: 'worker', belowScore: '60' }, 'belowScore', 'invalid_type'],
      [{ userId: 'worker', onBandChange: 'yes' }, 'onBandChange', 'invalid_type'],
      [{ userId: 'worker', belowScore: 60, isActive: null }, 'isActive', 'invalid_type'],
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

    test('is not written by a change that changes nothing', async () => {
      const made = (await create({ userId: 'worker', belowScore: 60 })).body;
      const before = await trailOf(service, own.platformId);
      for (const body of [
        {},
        { belowScore: 60, isActive: true },
        { userId: 'tester', lastTriggeredAt: null },
      ]) {
        const answer = await change(made.id, body);
        expect([answer.status, answer.body]).toEqual([200, made]);
      }
      expect(await trailOf(service, own.platformId)).toEqual(before);
    });
  });

  test('the list can be of one subject', async () => {
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
    await reported(service, key, 'watched', 90);
    await reported(service, key, 'watched', 90);
    await reported(service, key, 'watched', 90);
    expect((await service.request('GET', '/users/watched/score', { key })).body.finalScore).toBeGreaterThan(
      50,
    );
    expect(await firings()).toEqual(['below_score']);
    await change(id, { isActive: true }, key);
    await reported(service, key, 'watched', 1);
    expect(await firings()).toEqual(['below_score']);
    for (let round = 0; round < 3; round += 1) await reported(service, key, 'watched', 90, BREACH);
    expect(await firings()).toEqual(['below_score', 'below_score']);
    expect((await read(id, key)).body.lastTriggeredAt).not.toBe(lastTriggeredAt);
  });

  test('a test monitor reports the test score only, with livemode false', async () => {
    const platform = await newPlatform(service);
    await reported(service, platform.live.key, 'twin', 1);
    await reported(service, platform.test.key, 'twin', 1);
    await create({ userId: 'twin', onBandChange: true }, platform.test.key);
    await reported(service, platform.live.key, 'twin', 20);
    expect(await emitted(service, platform.platformId, 'monitor.triggered')).toEqual([]);
    await reported(service, platform.test.key, 'twin', 20);
    expect(await emitted(service, platform.platformId, 'monitor.triggered')).toEqual([]);
    expect(await emitted(service, platform.platformId, 'monitor.triggered', false)).toHaveLength(1);
  });

  describe('the cap', () => {
    test('holds against simultaneous requests, separately for each mode', async () => {
      const platform = await newPlatform(service, { plan: 'starter' });
      for (const { key } of [platform.live, platform.test]) {
        await reported(service, key, 'worker', 1);
        const body = { userId: 'worker', belowScore: 60 };
        const answers = await Promise.all(Array.from({ length: 25 }, () => create(body, key)));
        expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
        const refused = answers.filter(({ status }) => status !== 201);
        for (const answer of refused) {
          expect(answer.body).toMatchObject({
            code: 'MONITOR_LIMIT_REACHED',
            retryable: false,
            details: { limit: 10, tier: 'starter' },
          });
        }
        expect(refused.map(({ status }) => status)).toEqual(Array(15).fill(409));
      }
    });

    test('does not count inactive monitors, and is checked when one is enabled', async () => {
      const platform = await newPlatform(service, { plan: 'starter' });
      const { key } = platform.live;
      await reported(service, key, 'worker', 1);
      const ids: string[] = [];
      for (let index = 0; index < 20; index += 1) {
        const body = { userId: 'worker', belowScore: index, isActive: false };
        ids.push((await create(body, key)).body.id);
      }
      const answers = await Promise.all(ids.map((id) => change(id, { isActive: true }, key)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
      const refused = answers.filter(({ status }) => status === 409);
      expect(refused).toHaveLength(10);
      expect(refused[0]?.body).toMatchObject({
        code: 'MONITOR_LIMIT_REACHED',
        details: { limit: 10, tier: 'starter' },
      });
      const active = answers.find(({ status }) => status === 200)?.body.id;
      expect((await change(active, { belowScore: 33 }, key)).status).toBe(200);
      expect((await change(active, { isActive: false }, key)).status).toBe(200);
      expect((await create({ userId: 'worker', belowScore: 60 }, key)).status).toBe(201);
      expect((await change(active, { isActive: true }, key)).status).toBe(409);
    });
  });

  describe('the operator', () => {
    const asOperator = (method: string, path: string, body?: object) =>
      service.request(method, `/admin/platforms/${path}`, { admin: true, body });

    test('manages the live monitors of a platform within its plan', async () => {
      const platform = await newPlatform(service, { plan: 'starter' });
      await reported(service, platform.live.key, 'worker', 1);
      await reported(service, platform.test.key, 'tester', 1);
      const path = `${platform.platformId}/monitors`;
      const made = await asOperator('POST', path, { userId: 'worker', onBandChange: true });
      expect(made.status).toBe(201);
      const { id } = made.body;
      expect((await read(id, platform.live.key)).body).toEqual(made.body);
      expect((await asOperator('GET', path)).body).toEqual({ monitors: [made.body], nextCursor: null });
      expect((await asOperator('GET', `${path}/${id}`)).body).toEqual(made.body);
      const changed = await asOperator('PATCH', `${path}/${id}`, { belowScore: 40 });
      expect(changed.body).toMatchObject({ belowScore: 40, onBandChange: true });
      const bare = await asOperator('PATCH', `${path}/${id}`, { belowScore: null, onBandChange: false });
      expect([bare.status, bare.body.code]).toEqual([400, 'VALIDATION_ERROR']);
      const unknown = await asOperator('POST', path, { userId: 'tester', onBandChange: true });
      expect([unknown.status, unknown.body.code]).toEqual([404, 'USER_NOT_FOUND']);
      for (let index = 1; index < 10; index += 1) {
        await asOperator('POST', path, { userId: 'worker', belowScore: index });
      }
      const refused = await asOperator('POST', path, { userId: 'worker', belowScore: 60 });
      expect([refused.status, refused.body.details]).toEqual([409, { limit: 10, tier: 'starter' }]);
      expect((await asOperator('DELETE', `${path}/${id}`)).status).toBe(204);
      expect((await asOperator('DELETE', `${path}/${id}`)).status).toBe(404);
      const trail = await trailOf(service, platform.platformId);
      const ofMonitor = trail.filter(({ target }) => target === id);
      expect(ofMonitor.map(({ action, actor }) => [action, actor])).toEqual([
        ['MONITOR_CREATED', 'operator'],
        ['MONITOR_UPDATED', 'operator'],
        ['MONITOR_DELETED', 'operator'],
      ]);
    });
  });

  test('a reset of test data deletes the monitors of its subjects, including one that is being created', async () => {
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
      const left = await service.db.query('select 1 from monitor where platform_id = $1', [
        platform.platformId,
      ]);
      expect(left).toEqual([]);
    }
  });
});
