import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { startTestService, type TestService } from '#harness/service.js';
import { DAY_MS, movableClock } from './keyFixtures.js';

describe.each(breadth)('the operator and the platforms on %s', (engine) => {
  let service: TestService;
  const clock = movableClock();
  const asOperator = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    service.request(method, path, { admin: true, body, headers });
  const create = async (body: object = { name: 'Riverside Staffing' }) =>
    (await asOperator('POST', '/admin/platforms', body)).body;
  const activities = (platformId: string) =>
    service.db.query<{ action: string; actor: string; target: string; livemode: boolean; details: object }>(
      'select action, actor, target, livemode, details from activity where platform_id = $1 order by activity_id',
      [platformId],
    );
  const report = (key: string, userId: string) =>
    service.request('POST', '/events', { key, body: { userId, eventType: 'TRANSACTION_COMPLETED' } });

  beforeAll(async () => {
    service = await startTestService(engine, { clock });
  });

  afterAll(() => service.close());

  describe('creating a platform', () => {
    test('both keys of a new platform work at once in their modes', async () => {
      const { platform, keys } = await create({ name: 'Riverside', trustTier: 'GROWTH', plan: 'growth' });
      expect(platform).toMatchObject({
        name: 'Riverside',
        trustTier: 'GROWTH',
        plan: 'growth',
        isActive: true,
      });
      expect(keys.live.key).toMatch(/^crd_live_[A-Za-z0-9_-]{43}$/);
      expect(keys.test.key).toMatch(/^crd_test_[A-Za-z0-9_-]{43}$/);
      const live = await report(keys.live.key, 'worker-1');
      const test = await report(keys.test.key, 'worker-1');
      expect([live.status, live.body.event.livemode]).toEqual([201, true]);
      expect([test.status, test.body.event.livemode]).toEqual([201, false]);
    });

    test('a platform starts at the lowest trust tier and the smallest plan', async () => {
      const { platform } = await create();
      expect(platform).toMatchObject({
        trustTier: 'STARTER',
        plan: 'starter',
        velocityExempt: false,
        rateLimitPerMinute: null,
        monthlyQuota: null,
      });
    });

    test('the audit trail records the platform, and each key in its mode', async () => {
      const { platform, keys } = await create();
      expect(await activities(platform.id)).toMatchObject([
        { action: 'PLATFORM_CREATED', actor: 'operator', target: platform.id, livemode: true },
        { action: 'API_KEY_GENERATED', actor: 'operator', target: keys.live.id, livemode: true },
        { action: 'API_KEY_GENERATED', actor: 'operator', target: keys.test.id, livemode: false },
      ]);
    });

    test('no table of the database contains a key in plain text, not even a stored answer', async () => {
      const { body } = await asOperator(
        'POST',
        '/admin/platforms',
        { name: 'Sealed' },
        { 'Idempotency-Key': 'sealed-answer' },
      );
      const rows = [];
      for (const table of ['api_key', 'platform', 'idempotency', 'activity'])
        rows.push(...(await service.db.query(`select to_jsonb(t) as row from ${table} t`)));
      const everything = JSON.stringify(rows);
      expect(everything).toContain(body.platform.id);
      for (const secret of [body.keys.live.key, body.keys.test.key]) {
        expect(everything).not.toContain(secret);
        expect(everything).not.toContain(Buffer.from(secret).toString('hex'));
      }
    });

    test.each([
      ['no name', {}, 'name'],
      ['an empty name', { name: '' }, 'name'],
      ['a name past 255 characters', { name: 'x'.repeat(256) }, 'name'],
      ['a trust tier that does not exist', { name: 'A', trustTier: 'GOLD' }, 'trustTier'],
      ['a plan that does not exist', { name: 'A', plan: 'platinum' }, 'plan'],
    ])('%s is refused, naming the field', async (_, body, path) => {
      const answer = await asOperator('POST', '/admin/platforms', body);
      expect([answer.status, answer.body.code, answer.body.details[0].path]).toEqual([
        400,
        'VALIDATION_ERROR',
        path,
      ]);
    });
  });

  describe('reading platforms', () => {
    test('pages list every platform once, newest first', async () => {
      for (const name of ['A', 'B', 'C']) await create({ name });
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const query: string = cursor === null ? '' : `&cursor=${cursor}`;
        const { status, body } = await asOperator('GET', `/admin/platforms?limit=2${query}`);
        expect(status).toBe(200);
        expect(body.platforms.length).toBeLessThanOrEqual(2);
        seen.push(...body.platforms.map((platform: { id: string }) => platform.id));
        cursor = body.nextCursor;
      } while (cursor !== null);
      const rows = await service.db.query<{ id: string }>(
        'select platform_id as id from platform order by 1 desc',
      );
      expect(seen).toEqual(rows.map((row) => row.id));
    });

    test('one platform reads as it was created', async () => {
      const { platform } = await create({ name: 'Readable' });
      const answer = await asOperator('GET', `/admin/platforms/${platform.id}`);
      expect([answer.status, answer.body]).toEqual([200, platform]);
    });
  });

  describe('changing a platform', () => {
    test('a change updates the given fields only and is recorded in the audit trail', async () => {
      const { platform } = await create({ name: 'Before' });
      const change = {
        name: 'After',
        trustTier: 'ENTERPRISE',
        velocityExempt: true,
        rateLimitPerMinute: 30,
        monthlyQuota: 0,
      };
      const answer = await asOperator('PATCH', `/admin/platforms/${platform.id}`, change);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ ...platform, ...change, updatedAt: answer.body.updatedAt });
      expect((await asOperator('GET', `/admin/platforms/${platform.id}`)).body).toEqual(answer.body);
      expect((await activities(platform.id)).at(-1)).toMatchObject({
        action: 'PLATFORM_UPDATED',
        actor: 'operator',
        details: { name: { from: 'Before', to: 'After' }, monthlyQuota: { from: null, to: 0 } },
      });
    });

    test('null resets a limit to that of the plan', async () => {
      const { platform } = await create();
      await asOperator('PATCH', `/admin/platforms/${platform.id}`, {
        rateLimitPerMinute: 5,
        monthlyQuota: 10,
      });
      const answer = await asOperator('PATCH', `/admin/platforms/${platform.id}`, {
        rateLimitPerMinute: null,
        monthlyQuota: null,
      });
      expect(answer.body).toMatchObject({ rateLimitPerMinute: null, monthlyQuota: null });
    });

    test('a body without a change leaves no audit entry', async () => {
      const { platform } = await create({ name: 'Same' });
      for (const body of [{}, { name: 'Same' }, { somethingElse: 1 }]) {
        const answer = await asOperator('PATCH', `/admin/platforms/${platform.id}`, body);
        expect([answer.status, answer.body]).toEqual([200, platform]);
      }
      expect((await activities(platform.id)).map((line) => line.action)).not.toContain('PLATFORM_UPDATED');
    });

    test.each([
      ['trustTier', 'GOLD'],
      ['plan', 'platinum'],
      ['isActive', 'no'],
      ['velocityExempt', null],
      ['name', ''],
      ['rateLimitPerMinute', -1],
      ['monthlyQuota', 1.5],
    ])('%s: %j is refused', async (field, value) => {
      const { platform } = await create();
      const answer = await asOperator('PATCH', `/admin/platforms/${platform.id}`, { [field]: value });
      expect([answer.status, answer.body.code, answer.body.details[0].path]).toEqual([
        400,
        'VALIDATION_ERROR',
        field,
      ]);
    });

    test('the keys of a deactivated platform are refused from the next request on, and work again after', async () => {
      const { platform, keys } = await create();
      expect((await report(keys.live.key, 'worker-1')).status).toBe(201);
      await asOperator('PATCH', `/admin/platforms/${platform.id}`, { isActive: false });
      expect((await report(keys.live.key, 'worker-1')).status).toBe(401);
      await asOperator('PATCH', `/admin/platforms/${platform.id}`, { isActive: true });
      expect((await report(keys.live.key, 'worker-1')).status).toBe(201);
    });

    test('a new trust tier applies to later events only', async () => {
      const { platform, keys } = await create();
      await report(keys.live.key, 'tiered');
      await asOperator('PATCH', `/admin/platforms/${platform.id}`, { trustTier: 'ENTERPRISE' });
      await report(keys.live.key, 'tiered');
      const rows = await service.db.query(
        'select platform_tier from event where platform_id = $1 order by position',
        [platform.id],
      );
      expect(rows).toEqual([{ platformTier: 'STARTER' }, { platformTier: 'ENTERPRISE' }]);
    });

    test('concurrent changes are all applied', async () => {
      const { platform } = await create();
      const changes = [
        { name: 'Together' },
        { plan: 'growth' },
        { velocityExempt: true },
        { monthlyQuota: 7 },
      ];
      await Promise.all(
        changes.map((change) => asOperator('PATCH', `/admin/platforms/${platform.id}`, change)),
      );
      const { body } = await asOperator('GET', `/admin/platforms/${platform.id}`);
      expect(body).toMatchObject(Object.assign({}, ...changes));
    });
  });

  describe('the keys of a platform', () => {
    const mint = (platformId: string, body?: object) =>
      asOperator('POST', `/admin/platforms/${platformId}/keys`, body);

    test('a minted key works and is shown only once', async () => {
      const { platform } = await create();
      const minted = await mint(platform.id, {
        label: 'nightly',
        scopes: ['events:write', 'events:write'],
        expiresInDays: 30,
      });
      expect(minted.status).toBe(201);
      const { key, ...metadata } = minted.body;
      expect(metadata).toMatchObject({
        label: 'nightly',
        scopes: ['events:write'],
        isTest: false,
        isActive: true,
        lastUsedAt: null,
      });
      expect(Date.parse(metadata.expiresAt) - Date.parse(metadata.createdAt)).toBe(30 * DAY_MS);
      expect((await report(key, 'worker-1')).status).toBe(201);
      const listed = await asOperator('GET', `/admin/platforms/${platform.id}/keys`);
      expect(listed.body.keys).toHaveLength(3);
      expect(listed.body.keys[0]).toMatchObject({ id: metadata.id, label: 'nightly' });
      expect(listed.text).not.toContain('crd_');
      expect((await activities(platform.id)).at(-1)).toMatchObject({
        action: 'API_KEY_GENERATED',
        target: metadata.id,
      });
    });

    test('a key is live, unscoped and without expiry by default', async () => {
      const { platform } = await create();
      const answer = await mint(platform.id);
      expect(answer.body).toMatchObject({ label: null, scopes: [], isTest: false, expiresAt: null });
    });

    test('a minted test key writes in test mode only', async () => {
      const { platform } = await create();
      const { body } = await mint(platform.id, { isTest: true });
      expect(body.key).toMatch(/^crd_test_/);
      expect((await report(body.key, 'worker-1')).body.event.livemode).toBe(false);
    });

    test('a scoped key is limited to its scopes', async () => {
      const { platform } = await create();
      const { body } = await mint(platform.id, { scopes: ['scores:read'] });
      const answer = await report(body.key, 'worker-1');
      expect([answer.status, answer.body.code]).toEqual([403, 'SCOPE_INSUFFICIENT']);
    });

    test('an expired key is refused', async () => {
      const { platform } = await create();
      const { body } = await mint(platform.id, { expiresInDays: 1 });
      expect((await report(body.key, 'worker-1')).status).toBe(201);
      clock.aheadMs = DAY_MS;
      const late = await report(body.key, 'worker-1');
      clock.aheadMs = 0;
      expect([late.status, late.body.code]).toEqual([401, 'UNAUTHORIZED']);
    });

    test('the first use of a key is recorded within seconds', async () => {
      const { platform, keys } = await create();
      await report(keys.live.key, 'worker-1');
      await expect
        .poll(async () => (await asOperator('GET', `/admin/platforms/${platform.id}/keys`)).body.keys)
        .toMatchObject([
          { id: keys.test.id, lastUsedAt: null },
          { id: keys.live.id, lastUsedAt: expect.any(String) },
        ]);
    });

    test.each([
      ['scopes', []],
      ['scopes', ['everything']],
      ['expiresInDays', 0],
      ['expiresInDays', 3651],
      ['isTest', 'yes'],
    ])('%s: %j is refused', async (field, value) => {
      const { platform } = await create();
      const answer = await mint(platform.id, { [field]: value });
      expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    });
  });
});
