import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { DAY_MS, HOUR_MS, isLetIn, keySuite, revoke, rotate, trailOf } from './keyFixtures.js';

describe.each(breadth)('rotating a key on %s', (engine) => {
  const { service, clock, own, minted, listed } = keySuite(engine);
  /** Hours between two timestamps, to the minute. */
  const hoursUntil = (end: string, from: string) =>
    Math.round(((Date.parse(end) - Date.parse(from)) / HOUR_MS) * 60) / 60;

  test('the successor inherits label, scopes, mode and expiry', async () => {
    const old = await minted({ label: 'nightly', scopes: ['events', 'scores:read'], isTest: true });
    const answer = await rotate(service, own.live.key, old.id);
    expect(answer.status).toBe(201);
    const { label, scopes } = old;
    expect(answer.body).toMatchObject({ label, scopes, isTest: true, isActive: true, rotatedFrom: old.id });
    expect(answer.body).toMatchObject({ expiresAt: null, lastUsedAt: null });
    expect(answer.body.key).toMatch(/^crd_test_[A-Za-z0-9_-]{43}$/);
    expect(answer.body.key).not.toBe(old.key);
    expect((await listed(old.id)).expiresAt).toBe(answer.body.previousExpiresAt);
  });

  test('both keys work until the grace ends, then only the new one', async () => {
    const old = await minted();
    const next = (await rotate(service, own.live.key, old.id, { graceHours: 2 })).body;
    expect(await isLetIn(service, old.key)).toBe(true);
    expect(await isLetIn(service, next.key)).toBe(true);
    clock.aheadMs = 2 * HOUR_MS + 1;
    expect(await isLetIn(service, old.key)).toBe(false);
    expect(await isLetIn(service, next.key)).toBe(true);
  });

  test.each([
    [undefined, 24],
    [{}, 24],
    [{ graceHours: 0.5 }, 0.5],
    [{ graceHours: 168 }, 168],
    [{ graceHours: 169 }, 168],
    [{ graceHours: 1e300 }, 168],
    [{ graceHours: -5 }, 0],
  ])('a body of %j gives a grace of %d hours', async (body, hours) => {
    const old = await minted();
    const answer = await rotate(service, own.live.key, old.id, body);
    expect(answer.status).toBe(201);
    expect(hoursUntil(answer.body.previousExpiresAt, answer.body.createdAt)).toBe(hours);
  });

  test('without a grace the old key is refused from the next request on, also the calling key', async () => {
    const old = await minted();
    expect(await isLetIn(service, old.key)).toBe(true);
    const next = (await rotate(service, old.key, old.id, { graceHours: 0 })).body;
    expect(await isLetIn(service, old.key)).toBe(false);
    expect(await isLetIn(service, next.key)).toBe(true);
  });

  test('a key passes on its expiry, and no grace exceeds it', async () => {
    const old = await minted({ expiresInDays: 1 });
    const next = (await rotate(service, own.live.key, old.id, { graceHours: 100 })).body;
    expect(next.expiresAt).toBe(old.expiresAt);
    expect(next.previousExpiresAt).toBe(old.expiresAt);
    clock.aheadMs = DAY_MS + 1;
    expect(await isLetIn(service, next.key)).toBe(false);
  });

  test('a chain of rotations never extends the expiry', async () => {
    const old = await minted();
    const first = (await rotate(service, own.live.key, old.id, { graceHours: 1 })).body;
    const second = (await rotate(service, own.live.key, old.id, { graceHours: 100 })).body;
    expect(second.previousExpiresAt).toBe(first.previousExpiresAt);
    expect(second.expiresAt).toBe(first.previousExpiresAt);
    const third = (await rotate(service, own.live.key, second.id, { graceHours: 100 })).body;
    expect(third.expiresAt).toBe(first.previousExpiresAt);
    clock.aheadMs = HOUR_MS + 1;
    const letIn = [];
    for (const { key } of [old, first, second, third]) letIn.push(await isLetIn(service, key));
    expect(letIn).toEqual([false, true, false, false]);
  });

  test('a revoked or expired key cannot be rotated', async () => {
    const revoked = await minted();
    await revoke(service, own.live.key, revoked.id);
    const expired = await minted({ expiresInDays: 1 });
    const killed = await minted();
    await rotate(service, own.live.key, killed.id, { graceHours: 0 });
    clock.aheadMs = DAY_MS;
    for (const { id } of [revoked, expired, killed]) {
      const answer = await rotate(service, own.live.key, id);
      expect([answer.status, answer.body.code]).toEqual([400, 'BAD_REQUEST']);
    }
  });

  test('rotating never gives a key with more rights', async () => {
    const weak = await minted({ scopes: ['admin', 'events:read'] });
    const equal = await minted({ scopes: ['events:read'] });
    const strong = await minted({ scopes: ['events:read', 'scores:write'] });
    expect((await rotate(service, weak.key, equal.id)).status).toBe(201);
    const scoped = await rotate(service, weak.key, strong.id);
    expect([scoped.status, scoped.body.code, scoped.body.details]).toEqual([
      403,
      'SCOPE_CEILING_EXCEEDED',
      { exceeded: ['scores:write'] },
    ]);
    const unscoped = await rotate(service, weak.key, own.live.id);
    expect([unscoped.status, unscoped.body.details]).toEqual([403, { exceeded: ['*'] }]);
    expect((await rotate(service, weak.key, weak.id)).status).toBe(201);
    expect((await listed(strong.id)).expiresAt).toBeNull();
    expect((await listed(own.live.id)).expiresAt).toBeNull();
  });

  test('in its grace a key revokes itself and other keys, but none of its successors', async () => {
    const old = await minted();
    const other = await minted();
    const second = (await rotate(service, old.key, old.id)).body;
    const third = (await rotate(service, second.key, second.id)).body;
    const cascading = `/platform/keys/${old.id}?cascade=true`;
    for (const answer of [
      await revoke(service, old.key, second.id),
      await revoke(service, old.key, third.id),
      await revoke(service, second.key, third.id),
      await service.request('DELETE', cascading, { key: old.key }),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([403, 'FORBIDDEN']);
      expect(answer.body.error).toMatch(/cannot revoke its successor [0-9a-f-]{36}: use the successor\.$/);
    }
    for (const { key } of [old, second, third]) expect(await isLetIn(service, key)).toBe(true);
    expect((await revoke(service, old.key, other.id)).status).toBe(200);
    expect((await revoke(service, second.key, old.id)).status).toBe(200);
    expect((await revoke(service, second.key, second.id)).status).toBe(200);
    expect((await revoke(service, third.key, third.id)).status).toBe(200);
  });

  describe('by the operator', () => {
    const asOperator = (method: string, path: string, body?: unknown) =>
      service.request(method, `/admin/platforms/${own.platformId}/keys/${path}`, { admin: true, body });

    test('works as for the platform', async () => {
      const old = await minted({ label: 'nightly', scopes: ['events'] });
      const answer = await asOperator('POST', `${old.id}/rotate`, { graceHours: 0 });
      expect(answer.status).toBe(201);
      expect(answer.body).toMatchObject({ label: 'nightly', scopes: ['events'], rotatedFrom: old.id });
      expect([await isLetIn(service, old.key), await isLetIn(service, answer.body.key)]).toEqual([
        false,
        true,
      ]);
      const again = await asOperator('POST', `${old.id}/rotate`);
      expect([again.status, again.body.code]).toEqual([400, 'BAD_REQUEST']);
      const last = (await trailOf(service, own.platformId)).at(-1);
      expect(last).toMatchObject({ action: 'API_KEY_ROTATED', actor: 'operator', target: old.id });
    });

    test('scopes are replaced in place and apply from the next request on', async () => {
      const before = await minted({ label: 'nightly', scopes: ['scores:read'], expiresInDays: 9 });
      const read = async () => (await service.request('GET', '/events/export', { key: before.key })).status;
      expect(await read()).toBe(403);
      const { body } = await asOperator('PATCH', before.id, { scopes: ['events', 'events'] });
      const { key: _, warnings: __, ...metadata } = before;
      expect(body).toEqual({ ...metadata, scopes: ['events'], lastUsedAt: body.lastUsedAt });
      expect(await read()).toBe(200);
      const last = (await trailOf(service, own.platformId)).at(-1);
      expect(last?.details).toEqual({ from: ['scores:read'], to: ['events'] });
    });

    test('the scopes of a key cannot become none, which would be all', async () => {
      const { body } = await asOperator('PATCH', own.live.id, { scopes: [] });
      expect(body).toMatchObject({
        code: 'VALIDATION_ERROR',
        details: [{ path: 'scopes', code: 'too_small' }],
      });
    });
  });
});
