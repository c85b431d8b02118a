import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scopeCatalogue } from '#domain/scopes.js';
import { breadth } from '#harness/engines.js';
import { joinTestService, type TestService } from '#harness/service.js';
import { DAY_MS, isLetIn, mint, newPlatform, revoke, trailOf, UNKNOWN_ID } from './keyFixtures.js';

describe.each(breadth)('a platform and its keys on %s', (engine) => {
  let service: TestService;
  let own: Awaited<ReturnType<typeof newPlatform>>;
  const keysOf = async (key: string) => (await service.request('GET', '/platform/keys', { key })).body.keys;

  beforeAll(async () => {
    service = await joinTestService(engine);
    own = await newPlatform(service, { name: 'Own', plan: 'growth', trustTier: 'GROWTH' });
  });
  afterAll(() => service.close());

  describe('reading the platform', () => {
    test('a key reads its platform, mode and scopes', async () => {
      const live = await service.request('GET', '/platform', { key: own.live.key });
      expect([live.status, live.body]).toEqual([
        200,
        {
          id: own.platformId,
          name: 'Own',
          tier: 'growth',
          trustTier: 'GROWTH',
          rateLimitPerMinute: 600,
          maxKeyLifetimeDays: null,
          confirmationsRequireWrite: false,
          overLimits: [],
          mode: 'live',
          scopes: [],
          keyId: own.live.id,
          scopeCatalogue,
        },
      ]);
      const scoped = await mint(service, own.test.key, { scopes: ['admin:read', 'events'] });
      const test = await service.request('GET', '/platform', { key: scoped.body.key });
      expect(test.body).toMatchObject({
        mode: 'test',
        scopes: ['admin:read', 'events'],
        keyId: scoped.body.id,
      });
    });

    test("the platform's own limit overrides that of its plan", async () => {
      const { platformId, live } = await newPlatform(service);
      const path = `/admin/platforms/${platformId}`;
      await service.request('PATCH', path, { admin: true, body: { rateLimitPerMinute: 77 } });
      const answer = await service.request('GET', '/platform', { key: live.key });
      expect(answer.body).toMatchObject({ tier: 'enterprise', rateLimitPerMinute: 77 });
    });

    test('a platform cannot change the settings that the operator decides', async () => {
      for (const method of ['PUT', 'POST', 'DELETE']) {
        expect((await service.request(method, '/platform', { key: own.live.key })).status).toBe(405);
      }
      const before = (await service.request('GET', '/platform', { key: own.live.key })).body;
      const body = { name: 'Other', tier: 'enterprise', plan: 'enterprise', trustTier: 'ENTERPRISE' };
      const answer = await service.request('PATCH', '/platform', { key: own.live.key, body });
      expect([answer.status, answer.body]).toEqual([200, before]);
    });
  });

  describe('listing keys', () => {
    test('a live key lists all keys of its platform only, newest first, without the secrets', async () => {
      const { live, test } = await newPlatform(service);
      const minted = (await mint(service, live.key, { label: 'third' })).body;
      const answer = await service.request('GET', '/platform/keys', { key: live.key });
      expect(answer.body.keys.map(({ id }: { id: string }) => id)).toEqual([minted.id, test.id, live.id]);
      expect(answer.text).not.toMatch(/crd_|hash/);
    });

    test('a test key lists test keys only', async () => {
      const { test } = await newPlatform(service);
      expect(await keysOf(test.key)).toMatchObject([{ id: test.id, isTest: true }]);
    });
  });

  describe('minting', () => {
    test('a new key works at once and is in the audit trail by its id only', async () => {
      const answer = await mint(service, own.live.key, {
        label: 'nightly',
        scopes: ['events:write', 'events:write', 'scores:read'],
        expiresInDays: 30,
      });
      expect(answer.status).toBe(201);
      const { key, ...metadata } = answer.body;
      expect(key).toMatch(/^crd_live_[A-Za-z0-9_-]{43}$/);
      expect(metadata).toMatchObject({
        label: 'nightly',
        scopes: ['events:write', 'scores:read'],
        isTest: false,
        isActive: true,
        lastUsedAt: null,
      });
      expect(Date.parse(metadata.expiresAt) - Date.parse(metadata.createdAt)).toBe(30 * DAY_MS);
      expect(await isLetIn(service, key)).toBe(true);
      const last = (await trailOf(service, own.platformId)).at(-1);
      expect(last).toMatchObject({
        action: 'API_KEY_GENERATED',
        actor: `key:${own.live.id}`,
        target: metadata.id,
        livemode: true,
      });
      expect(JSON.stringify(last)).not.toContain('crd_');
    });

    test('omitted scopes default to those of the calling key', async () => {
      const parent = await mint(service, own.live.key, { scopes: ['admin', 'events:read'] });
      const child = await mint(service, parent.body.key);
      expect([child.status, child.body.scopes]).toEqual([201, ['admin', 'events:read']]);
      const free = await mint(service, own.live.key, {});
      expect([free.status, free.body.scopes]).toEqual([201, []]);
    });

    test('an empty body creates a key without expiry, label and scopes', async () => {
      const answer = await mint(service, own.live.key);
      expect(answer.body).toMatchObject({ label: null, scopes: [], isTest: false, expiresAt: null });
    });

    test.each([
      { scopes: ['admin'], wanted: ['admin:read', 'admin:write', 'admin:*', 'admin'], exceeded: [] },
      { scopes: ['admin'], wanted: ['*'], exceeded: ['*'] },
      { scopes: ['admin'], wanted: [], exceeded: ['*'] },
      { scopes: ['*'], wanted: [], exceeded: ['*'] },
      { scopes: ['*'], wanted: ['*', 'read', 'write', 'admin'], exceeded: [] },
      { scopes: ['admin:write', 'read'], wanted: ['events:read', 'scores:read'], exceeded: [] },
      {
        scopes: ['admin:write', 'read'],
        wanted: ['events', 'admin', 'usage:read', 'write'],
        exceeded: ['events', 'admin', 'write'],
      },
      { scopes: ['admin:write', 'events:read', 'events:write'], wanted: ['events:*'], exceeded: [] },
    ])('a key with $scopes cannot grant $exceeded of $wanted', async ({ scopes, wanted, exceeded }) => {
      const parent = await mint(service, own.live.key, { scopes });
      const before = (await keysOf(own.live.key)).length;
      const answer = await mint(service, parent.body.key, { scopes: wanted });
      if (exceeded.length === 0) {
        expect([answer.status, answer.body.scopes]).toEqual([201, wanted]);
        return;
      }
      expect(answer.status).toBe(403);
      expect(answer.body).toMatchObject({
        code: 'SCOPE_CEILING_EXCEEDED',
        retryable: false,
        details: { exceeded },
      });
      expect((await keysOf(own.live.key)).length).toBe(before);
    });

    test('a test key mints test keys only, a live key mints both', async () => {
      const fromTest = await mint(service, own.test.key, {});
      expect([fromTest.status, fromTest.body.isTest]).toEqual([201, true]);
      expect(fromTest.body.key).toMatch(/^crd_test_/);
      const refused = await mint(service, own.test.key, { isTest: false });
      expect([refused.status, refused.body.code]).toEqual([403, 'TEST_MODE_NOT_ALLOWED']);
      const fromLive = await mint(service, own.live.key, { isTest: true });
      expect([fromLive.status, fromLive.body.isTest]).toEqual([201, true]);
    });

    test.each([
      ['scopes', ['everything'], 'scopes.0', 'invalid_value'],
      ['scopes', ['events:read', 'events:delete'], 'scopes.1', 'invalid_value'],
      ['scopes', 'events:read', 'scopes', 'invalid_type'],
      ['scopes', null, 'scopes', 'invalid_type'],
      ['expiresInDays', 0, 'expiresInDays', 'too_small'],
      ['expiresInDays', 3651, 'expiresInDays', 'too_big'],
      ['expiresInDays', 1.5, 'expiresInDays', 'invalid_type'],
      ['isTest', 'yes', 'isTest', 'invalid_type'],
      ['label', '', 'label', 'too_small'],
      ['label', 'x'.repeat(256), 'label', 'too_big'],
    ])('%s: %j is refused', async (field, value, path, code) => {
      const answer = await mint(service, own.live.key, { [field]: value });
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path, code }] });
    });

    test('fields that only the service or its operator sets are not accepted', async () => {
      const other = await newPlatform(service);
      const answer = await mint(service, own.live.key, {
        platformId: other.platformId,
        id: UNKNOWN_ID,
        key: `crd_live_${'A'.repeat(43)}`,
        isActive: false,
        tier: 'enterprise',
      });
      expect(answer.status).toBe(201);
      expect(answer.body).toMatchObject({ isActive: true });
      expect(answer.body.id).not.toBe(UNKNOWN_ID);
      expect(answer.body.key).not.toContain('AAAAA');
      expect(await keysOf(other.live.key)).toHaveLength(2);
    });

    test('a key just revoked mints nothing, even in a process that does not know it yet', async () => {
      const parent = (await mint(service, own.live.key, {})).body;
      expect(await isLetIn(service, parent.key)).toBe(true);
      // Like another process whose notification has not arrived here.
      await service.db.execute('update api_key set is_active = false where key_id = $1', [parent.id]);
      const answer = await mint(service, parent.key, {});
      expect([answer.status, answer.body.code]).toEqual([401, 'UNAUTHORIZED']);
    });

    test('a key whose scopes were just reduced grants only the remaining ones', async () => {
      const parent = (await mint(service, own.live.key, { scopes: ['admin', 'events'] })).body;
      expect(await isLetIn(service, parent.key)).toBe(true);
      await service.db.execute("update api_key set scopes = '{admin}' where key_id = $1", [parent.id]);
      const answer = await mint(service, parent.key, { scopes: ['events'] });
      expect([answer.status, answer.body.code]).toEqual([403, 'SCOPE_CEILING_EXCEEDED']);
    });
  });

  describe('revoking', () => {
    test('a revoked key is refused from the next request on', async () => {
      const { id, key } = (await mint(service, own.live.key, {})).body;
      expect(await isLetIn(service, key)).toBe(true);
      const answer = await revoke(service, own.live.key, id);
      expect([answer.status, answer.body]).toEqual([
        200,
        { id, revoked: true, alreadyRevoked: false, descendantsRevoked: 0 },
      ]);
      expect(await isLetIn(service, key)).toBe(false);
      const listed = (await keysOf(own.live.key)).find((listedKey: { id: string }) => listedKey.id === id);
      expect(listed).toMatchObject({ isActive: false });
    });

    test('revoking twice changes nothing and says so', async () => {
      const { id } = (await mint(service, own.live.key, {})).body;
      const answers = await Promise.all(Array.from({ length: 20 }, () => revoke(service, own.live.key, id)));
      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
      expect(answers.filter(({ body }) => !body.alreadyRevoked)).toHaveLength(1);
      const lines = (await trailOf(service, own.platformId)).filter(({ target }) => target === id);
      expect(lines).toMatchObject([
        { action: 'API_KEY_GENERATED' },
        { action: 'API_KEY_REVOKED', actor: `key:${own.live.id}`, livemode: true },
      ]);
    });

    test('a key may revoke itself', async () => {
      const { id, key } = (await mint(service, own.live.key, {})).body;
      expect((await revoke(service, key, id)).body).toMatchObject({
        id,
        revoked: true,
        alreadyRevoked: false,
      });
      expect(await isLetIn(service, key)).toBe(false);
    });

    test('of two keys that revoke each other at once exactly one survives', async () => {
      const [left, right] = [
        (await mint(service, own.live.key, {})).body,
        (await mint(service, own.live.key, {})).body,
      ];
      const answers = await Promise.all([
        revoke(service, left.key, right.id),
        revoke(service, right.key, left.id),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
      const letIn = [await isLetIn(service, left.key), await isLetIn(service, right.key)];
      expect(letIn.sort()).toEqual([false, true]);
    });

    test('a live key may revoke a test key', async () => {
      const { id, key } = (await mint(service, own.test.key, {})).body;
      expect((await revoke(service, own.live.key, id)).status).toBe(200);
      expect(await isLetIn(service, key)).toBe(false);
    });
  });
});
