import { beforeAll, describe, expect, test } from 'vitest';
import { scopeCatalogue } from '#domain/scopes.js';
import { breadth } from '#harness/engines.js';
import { givenSharedService } from '#harness/givenService.js';
import { DAY_MS, isLetIn, mint, newPlatform, revoke, trailOf, UNKNOWN_ID } from './keyFixtures.js';

describe.each(breadth)('a platform and its keys on %s', (engine) => {
  const service = givenSharedService(engine);
  let own: Awaited<ReturnType<typeof newPlatform>>;
  beforeAll(async () => {
    own = await newPlatform(service, { name: 'Own', plan: 'growth', trustTier: 'GROWTH' });
  });

  const read = async (key: string) => (await service.request('GET', '/platform', { key })).body;
  const keysOf = async (key: string) => (await service.request('GET', '/platform/keys', { key })).body.keys;
  const minted = async (body: object = {}) => (await mint(service, own.live.key, body)).body;

  describe('reading the platform', () => {
    test('a key reads its platform, mode and scopes', async () => {
      expect(await read(own.live.key)).toEqual({
        id: own.platformId,
        name: 'Own',
        tier: 'growth',
        trustTier: 'GROWTH',
        rateLimitPerMinute: 600,
        maxKeyLifetimeDays: null,
        confirmationsRequireWrite: false,
        contact: null,
        privacyUrl: null,
        overLimits: [],
        mode: 'live',
        scopes: [],
        keyId: own.live.id,
        scopeCatalogue,
      });
      const scopes = ['admin:read', 'events'];
      const { id, key } = (await mint(service, own.test.key, { scopes })).body;
      expect(await read(key)).toMatchObject({ mode: 'test', scopes, keyId: id });
    });

    test("the platform's own limit overrides that of its plan", async () => {
      const { platformId, live } = await newPlatform(service);
      const path = `/admin/platforms/${platformId}`;
      await service.request('PATCH', path, { admin: true, body: { rateLimitPerMinute: 77 } });
      expect(await read(live.key)).toMatchObject({ tier: 'enterprise', rateLimitPerMinute: 77 });
    });

    test('a platform cannot change the settings that the operator decides', async () => {
      const before = await read(own.live.key);
      const body = { name: 'Other', tier: 'enterprise', plan: 'enterprise', trustTier: 'ENTERPRISE' };
      const answer = await service.request('PATCH', '/platform', { key: own.live.key, body });
      expect([answer.status, answer.body]).toEqual([200, before]);
    });
  });

  test('a live key lists all keys of its platform only, newest first, without the secrets; a test key test keys', async () => {
    const { live, test: inTest } = await newPlatform(service);
    const third = (await mint(service, live.key, { label: 'third' })).body;
    const answer = await service.request('GET', '/platform/keys', { key: live.key });
    expect(answer.body.keys.map(({ id }: { id: string }) => id)).toEqual([third.id, inTest.id, live.id]);
    expect(answer.text).not.toMatch(/crd_|hash/);
    expect(await keysOf(inTest.key)).toMatchObject([{ id: inTest.id, isTest: true }]);
  });

  describe('minting', () => {
    test('a new key works at once and is in the audit trail by its id only', async () => {
      const scopes = ['events:write', 'events:write', 'scores:read'];
      const { key, ...metadata } = await minted({ label: 'nightly', scopes, expiresInDays: 30 });
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
      expect(last).toMatchObject({ action: 'API_KEY_GENERATED', target: metadata.id });
      expect(JSON.stringify(last)).not.toContain('crd_');
    });

    test('omitted scopes default to those of the calling key, and nothing else is set', async () => {
      for (const scopes of [[], ['admin', 'events:read']]) {
        const { body } = await mint(service, (await minted({ scopes })).key);
        expect(body).toMatchObject({ label: null, scopes, isTest: false, expiresAt: null });
      }
    });

    test.each([
      { scopes: ['admin'], wanted: ['admin:read', 'admin:write', 'admin:*', 'admin'], exceeded: [] },
      { scopes: ['admin'], wanted: ['*'], exceeded: ['*'] },
      { scopes: ['admin'], wanted: [], exceeded: ['*'] },
      { scopes: ['*'], wanted: [], exceeded: ['*'] },
      { scopes: ['*'], wanted: ['*', 'read', 'write', 'admin'], exceeded: [] },
      {
        scopes: ['admin:write', 'read'],
        wanted: ['events', 'admin', 'usage:read', 'write'],
        exceeded: ['events', 'admin', 'write'],
      },
    ])('a key with $scopes cannot grant $exceeded of $wanted', async ({ scopes, wanted, exceeded }) => {
      const parent = await minted({ scopes });
      const before = (await keysOf(own.live.key)).length;
      const { status, body } = await mint(service, parent.key, { scopes: wanted });
      if (exceeded.length === 0) return expect([status, body.scopes]).toEqual([201, wanted]);
      expect([status, body]).toMatchObject([403, { code: 'SCOPE_CEILING_EXCEEDED', details: { exceeded } }]);
      expect((await keysOf(own.live.key)).length).toBe(before);
    });

    test('a test key mints test keys only, a live key mints both', async () => {
      const fromTest = await mint(service, own.test.key, {});
      expect([fromTest.status, fromTest.body.isTest]).toEqual([201, true]);
      expect(fromTest.body.key).toMatch(/^crd_test_/);
      const refused = await mint(service, own.test.key, { isTest: false });
      expect([refused.status, refused.body.code]).toEqual([403, 'TEST_MODE_NOT_ALLOWED']);
      expect((await minted({ isTest: true })).isTest).toBe(true);
    });

    test('fields that only the service or its operator sets are not accepted', async () => {
      const other = await newPlatform(service);
      const key = `crd_live_${'A'.repeat(43)}`;
      const fields = { platformId: other.platformId, id: UNKNOWN_ID, key, isActive: false };
      const made = await minted({ ...fields, tier: 'enterprise' });
      expect(made.isActive).toBe(true);
      expect(made.id).not.toBe(UNKNOWN_ID);
      expect(made.key).not.toBe(key);
      expect(await keysOf(other.live.key)).toHaveLength(2);
    });

    test.each<[string, string, number, string]>([
      ['revoked mints nothing', 'is_active = false', 401, 'UNAUTHORIZED'],
      ['reduced to some scopes grants no others', "scopes = '{admin}'", 403, 'SCOPE_CEILING_EXCEEDED'],
    ])('a key just %s, even in a process that does not know it yet', async (_, change, status, code) => {
      const parent = await minted({ scopes: ['admin', 'events'] });
      expect(await isLetIn(service, parent.key)).toBe(true);
      // Like another process whose notification has not arrived here.
      await service.db.execute(`update api_key set ${change} where key_id = $1`, [parent.id]);
      const answer = await mint(service, parent.key, { scopes: ['events'] });
      expect([answer.status, answer.body.code]).toEqual([status, code]);
    });
  });

  describe('revoking', () => {
    test('a revoked key is refused from the next request on', async () => {
      const { id, key } = await minted();
      expect(await isLetIn(service, key)).toBe(true);
      const { body } = await revoke(service, own.live.key, id);
      expect(body).toEqual({ id, revoked: true, alreadyRevoked: false, descendantsRevoked: 0 });
      expect(await isLetIn(service, key)).toBe(false);
      const listed = (await keysOf(own.live.key)).find((each: { id: string }) => each.id === id);
      expect(listed).toMatchObject({ isActive: false });
    });

    test('revoking twice changes nothing and says so', async () => {
      const { id } = await minted();
      const answers = await Promise.all(Array.from({ length: 20 }, () => revoke(service, own.live.key, id)));
      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
      expect(answers.filter(({ body }) => !body.alreadyRevoked)).toHaveLength(1);
      const lines = (await trailOf(service, own.platformId)).filter(({ target }) => target === id);
      expect(lines.map(({ action }) => action)).toEqual(['API_KEY_GENERATED', 'API_KEY_REVOKED']);
    });

    test('a key may revoke itself', async () => {
      const { id, key } = await minted();
      expect((await revoke(service, key, id)).body).toMatchObject({ revoked: true, alreadyRevoked: false });
      expect(await isLetIn(service, key)).toBe(false);
    });

    test('of two keys that revoke each other at once exactly one survives', async () => {
      const [left, right] = [await minted(), await minted()];
      const answers = await Promise.all([
        revoke(service, left.key, right.id),
        revoke(service, right.key, left.id),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
      const letIn = [await isLetIn(service, left.key), await isLetIn(service, right.key)];
      expect(letIn.sort()).toEqual([false, true]);
    });
  });
});
