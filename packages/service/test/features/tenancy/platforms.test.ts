import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { everyPage } from '#harness/everyPage.js';
import { givenSharedService } from '#harness/givenService.js';
import { trailOf } from './keyFixtures.js';

describe.each(breadth)('the operator and the platforms on %s', (engine) => {
  const service = givenSharedService(engine);
  const asOperator = (method: string, path: string, body?: unknown) =>
    service.request(method, path, { admin: true, body });
  const create = async (body: object = {}) =>
    (await asOperator('POST', '/admin/platforms', { name: 'Riverside Staffing', ...body })).body;
  const report = (key: string, userId: string) =>
    service.request('POST', '/events', { key, body: { userId, eventType: 'TRANSACTION_COMPLETED' } });

  test('both keys of a new platform work at once in their modes', async () => {
    const { platform, keys } = await create({ trustTier: 'GROWTH', plan: 'growth' });
    expect(platform).toMatchObject({ trustTier: 'GROWTH', plan: 'growth', isActive: true });
    expect((await asOperator('GET', `/admin/platforms/${platform.id}`)).body).toEqual(platform);
    for (const mode of ['live', 'test']) {
      expect(keys[mode].key).toMatch(new RegExp(`^crd_${mode}_[A-Za-z0-9_-]{43}$`));
      const { status, body } = await report(keys[mode].key, 'worker-1');
      expect([status, body.event.livemode]).toEqual([201, mode === 'live']);
    }
  });

  test('a platform starts at the lowest trust tier and the smallest plan', async () => {
    const defaults = { trustTier: 'STARTER', plan: 'starter', velocityExempt: false };
    const limits = { rateLimitPerMinute: null, monthlyQuota: null };
    expect((await create()).platform).toMatchObject({ ...defaults, ...limits });
  });

  test('pages list every platform once, newest first', async () => {
    for (const name of ['A', 'B', 'C']) await create({ name });
    const read = { admin: true, limit: 2 };
    const listed = await everyPage<{ id: string }>(service, '/admin/platforms', 'platforms', read);
    const rows = await service.db.query('select platform_id as id from platform order by 1 desc');
    expect(listed.map(({ id }) => ({ id }))).toEqual(rows);
  });

  test('a change updates the given fields only, and null resets a limit to that of the plan', async () => {
    const { platform } = await create({ name: 'Before' });
    const path = `/admin/platforms/${platform.id}`;
    const limits = { rateLimitPerMinute: 30, monthlyQuota: 0 };
    const change = { name: 'After', trustTier: 'ENTERPRISE', velocityExempt: true, ...limits };
    const answer = await asOperator('PATCH', path, change);
    expect(answer.body).toEqual({ ...platform, ...change, updatedAt: answer.body.updatedAt });
    expect((await asOperator('GET', path)).body).toEqual(answer.body);
    const details = { name: { from: 'Before', to: 'After' }, monthlyQuota: { from: null, to: 0 } };
    expect((await trailOf(service, platform.id)).at(-1)).toMatchObject({ details });
    const reset = { rateLimitPerMinute: null, monthlyQuota: null };
    expect((await asOperator('PATCH', path, reset)).body).toMatchObject(reset);
  });

  test('a body without a change leaves no audit entry', async () => {
    const { platform } = await create({ name: 'Same' });
    for (const body of [{}, { name: 'Same' }, { somethingElse: 1 }]) {
      const answer = await asOperator('PATCH', `/admin/platforms/${platform.id}`, body);
      expect([answer.status, answer.body]).toEqual([200, platform]);
    }
    const actions = (await trailOf(service, platform.id)).map(({ action }) => action);
    expect(actions).not.toContain('PLATFORM_UPDATED');
  });

  test('the keys of a deactivated platform are refused from the next request on, and work again after', async () => {
    const { platform, keys } = await create();
    for (const isActive of [true, false, true]) {
      await asOperator('PATCH', `/admin/platforms/${platform.id}`, { isActive });
      expect((await report(keys.live.key, 'worker-1')).status).toBe(isActive ? 201 : 401);
    }
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
    const path = `/admin/platforms/${platform.id}`;
    const changes = [{ name: 'Together' }, { plan: 'growth' }, { velocityExempt: true }, { monthlyQuota: 7 }];
    await Promise.all(changes.map((change) => asOperator('PATCH', path, change)));
    expect((await asOperator('GET', path)).body).toMatchObject(Object.assign({}, ...changes));
  });

  test('a minted key works, is shown only once, and is live, unscoped and without expiry by default', async () => {
    const { platform } = await create();
    const path = `/admin/platforms/${platform.id}/keys`;
    const { key, ...metadata } = (await asOperator('POST', path)).body;
    expect(metadata).toMatchObject({ label: null, scopes: [], isTest: false, expiresAt: null });
    expect((await report(key, 'worker-1')).status).toBe(201);
    const listed = await asOperator('GET', path);
    expect(listed.body.keys.map(({ id }: { id: string }) => id)).toContain(metadata.id);
    expect(listed.body.keys).toHaveLength(3);
    expect(listed.text).not.toContain('crd_');
    const last = (await trailOf(service, platform.id)).at(-1);
    expect(last).toMatchObject({ action: 'API_KEY_GENERATED', actor: 'operator', target: metadata.id });
  });
});
