import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { startTestService, type TestService } from '#harness/service.js';
import {
  DAY_MS,
  HOUR_MS,
  isLetIn,
  mint,
  movableClock,
  newPlatform,
  revoke,
  rotate,
  trailOf,
} from './keyFixtures.js';

describe.each(breadth)('what a leaked key can do on %s', (engine) => {
  let service: TestService;
  let own: Awaited<ReturnType<typeof newPlatform>>;
  const clock = movableClock();
  const minted = async (key: string, body: object = {}) => (await mint(service, key, body)).body;
  const listed = async () =>
    (await service.request('GET', '/platform/keys', { key: own.live.key })).body.keys as {
      id: string;
      [field: string]: unknown;
    }[];
  const codesOf = (warnings: { code: string }[]) => warnings.map(({ code }) => code);

  beforeAll(async () => {
    service = await startTestService(engine, { clock, env: { TRUST_PROXY: '1' } });
  });
  beforeEach(async () => {
    own = await newPlatform(service);
  });
  afterEach(() => {
    clock.aheadMs = 0;
  });
  afterAll(() => service.close());

  describe('a child never outlives its parent', () => {
    test('a key without an expiry expires with the key that made it', async () => {
      const parent = await minted(own.live.key, { expiresInDays: 10 });
      const child = await minted(parent.key);
      expect([child.expiresAt, child.warnings]).toEqual([parent.expiresAt, []]);
      const grandchild = await minted(child.key);
      expect(grandchild.expiresAt).toBe(parent.expiresAt);
    });

    test.each([10, 11, 3650, null])(
      'a life of %j days is shortened, and the answer says so',
      async (days) => {
        const parent = await minted(own.live.key, { expiresInDays: 10 });
        const child = await minted(parent.key, { expiresInDays: days });
        expect(child.expiresAt).toBe(parent.expiresAt);
        expect(codesOf(child.warnings)).toEqual(['KEY_EXPIRY_CLAMPED']);
      },
    );

    test('a key keeps a shorter lifetime', async () => {
      const parent = await minted(own.live.key, { expiresInDays: 10 });
      const child = await minted(parent.key, { expiresInDays: 9 });
      expect(Date.parse(child.expiresAt) - Date.parse(child.createdAt)).toBe(9 * DAY_MS);
      expect(child.warnings).toEqual([]);
    });

    test('rotating a longer-lived key gives no longer lifetime', async () => {
      const parent = await minted(own.live.key, { expiresInDays: 1 });
      const longer = await minted(own.live.key);
      const next = (await rotate(service, parent.key, longer.id)).body;
      expect(next.expiresAt).toBe(parent.expiresAt);
      expect(codesOf(next.warnings)).toEqual(['KEY_EXPIRY_CLAMPED']);
    });
  });

  describe('a key in its rotation grace', () => {
    test('cannot mint or rotate, but still works and can revoke', async () => {
      const old = await minted(own.live.key);
      const other = await minted(own.live.key);
      const next = (await rotate(service, old.key, old.id)).body;
      const refusals = [
        await mint(service, old.key),
        await rotate(service, old.key, old.id),
        await rotate(service, old.key, other.id),
      ];
      for (const { status, body } of refusals) {
        expect([status, body.code]).toEqual([403, 'FORBIDDEN']);
        expect(body.error).toContain(next.id);
      }
      expect(await isLetIn(service, old.key)).toBe(true);
      expect((await revoke(service, old.key, other.id)).status).toBe(200);
      expect((await mint(service, next.key)).status).toBe(201);
      expect((await listed()).find(({ id }) => id === old.id)).toMatchObject({ replacedBy: next.id });
    });

    test('makes no key at the instant of its rotation, but the operator can still rotate it', async () => {
      const old = await minted(own.live.key);
      const [rotated, ...mints] = await Promise.all([
        rotate(service, own.live.key, old.id),
        ...Array.from({ length: 8 }, () => mint(service, old.key)),
      ]);
      expect(rotated.status).toBe(201);
      for (const { status } of mints) expect([201, 403]).toContain(status);
      expect((await mint(service, old.key)).status).toBe(403);
      const path = `/admin/platforms/${own.platformId}/keys/${old.id}/rotate`;
      expect((await service.request('POST', path, { admin: true })).status).toBe(201);
    });
  });

  describe('the origin of a key', () => {
    test('lists name the creating key, the operator, or the first start', async () => {
      const child = await minted(own.live.key);
      const next = (await rotate(service, child.key, own.test.id)).body;
      const path = `/admin/platforms/${own.platformId}/keys`;
      const ofOperator = (await service.request('POST', path, { admin: true, body: {} })).body;
      expect(child.createdBy).toBe(own.live.id);
      expect(next.createdBy).toBe(child.id);
      expect(ofOperator.createdBy).toBe('operator');
      const makers = Object.fromEntries((await listed()).map(({ id, createdBy }) => [id, createdBy]));
      expect(makers).toEqual({
        [own.live.id]: 'operator',
        [own.test.id]: 'operator',
        [child.id]: own.live.id,
        [next.id]: child.id,
        [ofOperator.id]: 'operator',
      });
      const first = await service.request('GET', '/platform/keys', { key: service.testKey });
      expect(first.body.keys.at(-1).createdBy).toBe('bootstrap');
    });
  });

  describe('revoking with cascade', () => {
    const cascade = (key: string, id: string, value = 'true') =>
      service.request('DELETE', `/platform/keys/${id}?cascade=${value}`, { key });

    test('revokes every descendant of the key, counts and records them, and revokes no other key', async () => {
      const leaked = await minted(own.live.key);
      const child = await minted(leaked.key);
      const grandchild = await minted(child.key, { isTest: true });
      const rotated = (await rotate(service, leaked.key, grandchild.id)).body;
      const dead = await minted(child.key);
      await revoke(service, own.live.key, dead.id);
      const deep = await minted(rotated.key);
      const sibling = await minted(own.live.key);
      const answer = await cascade(own.live.key, leaked.id);
      expect([answer.status, answer.body]).toEqual([
        200,
        { id: leaked.id, revoked: true, alreadyRevoked: false, descendantsRevoked: 4 },
      ]);
      for (const { key } of [leaked, child, grandchild, rotated, deep]) {
        expect(await isLetIn(service, key)).toBe(false);
      }
      for (const { key } of [own.live, own.test, sibling]) expect(await isLetIn(service, key)).toBe(true);
      const lines = (await trailOf(service, own.platformId)).filter(
        ({ action, details }) => action === 'API_KEY_REVOKED' && details !== null,
      );
      expect(lines.map(({ target }) => target).sort()).toEqual(
        [child.id, grandchild.id, rotated.id, deep.id].sort(),
      );
      expect(lines[0]?.details).toEqual({ cascadeFrom: leaked.id });
      const again = await cascade(own.live.key, leaked.id);
      expect(again.body).toMatchObject({ alreadyRevoked: true, descendantsRevoked: 0 });
    });

    test('is not the default, and can follow a plain revocation', async () => {
      const leaked = await minted(own.live.key);
      const child = await minted(leaked.key);
      const plain = await revoke(service, own.live.key, leaked.id);
      expect(plain.body).toMatchObject({ alreadyRevoked: false, descendantsRevoked: 0 });
      expect(await isLetIn(service, child.key)).toBe(true);
      const later = await cascade(own.live.key, leaked.id);
      expect(later.body).toMatchObject({ alreadyRevoked: true, descendantsRevoked: 1 });
      expect(await isLetIn(service, child.key)).toBe(false);
    });

    test('also revokes a key that is minted at the same moment', async () => {
      const leaked = await minted(own.live.key);
      const child = await minted(leaked.key);
      const [, ...mints] = await Promise.all([
        cascade(own.live.key, leaked.id),
        ...Array.from({ length: 6 }, () => mint(service, child.key)),
      ]);
      for (const { status, body } of mints) {
        expect([201, 401]).toContain(status);
        if (status === 201) expect(await isLetIn(service, body.key)).toBe(false);
      }
    });

    test('accepts true or false only, and affects no other platform', async () => {
      const answer = await cascade(own.live.key, own.test.id, 'maybe');
      expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR']);
      const other = await newPlatform(service);
      expect((await cascade(own.live.key, other.test.id)).status).toBe(404);
    });
  });

  describe('the maximum lifetime of keys of a platform', () => {
    const setLimit = (days: unknown, key = own.live.key) =>
      service.request('PATCH', '/platform', { key, body: { maxKeyLifetimeDays: days } });

    test('limits keys minted and rotated afterwards, also by the operator', async () => {
      const before = await minted(own.live.key);
      const answer = await setLimit(30);
      expect([answer.status, answer.body.maxKeyLifetimeDays]).toEqual([200, 30]);
      const lifeOf = (key: { expiresAt: string; createdAt: string }) =>
        Date.parse(key.expiresAt) - Date.parse(key.createdAt);
      const silent = await minted(own.live.key);
      expect([lifeOf(silent), silent.warnings]).toEqual([30 * DAY_MS, []]);
      const longer = await minted(own.live.key, { expiresInDays: 31 });
      expect([lifeOf(longer), codesOf(longer.warnings)]).toEqual([30 * DAY_MS, ['KEY_EXPIRY_CLAMPED']]);
      const shorter = await minted(own.live.key, { expiresInDays: 29 });
      expect([lifeOf(shorter), shorter.warnings]).toEqual([29 * DAY_MS, []]);
      const path = `/admin/platforms/${own.platformId}/keys`;
      const ofOperator = await service.request('POST', path, { admin: true, body: { expiresInDays: 90 } });
      expect(lifeOf(ofOperator.body)).toBe(30 * DAY_MS);
      const next = (await rotate(service, own.live.key, before.id)).body;
      expect([lifeOf(next), codesOf(next.warnings)]).toEqual([30 * DAY_MS, ['KEY_EXPIRY_CLAMPED']]);
      clock.aheadMs = 10 * DAY_MS;
      const renewed = (await rotate(service, own.live.key, next.id)).body;
      expect(renewed.expiresAt).toBe(next.expiresAt);
      const unbound = (await listed()).find(({ id }) => id === own.live.id);
      expect(unbound).toMatchObject({ expiresAt: null });
    });

    test('is visible to platform and operator, can be removed, and its changes are recorded', async () => {
      await setLimit(30);
      const path = `/admin/platforms/${own.platformId}`;
      expect((await service.request('GET', path, { admin: true })).body.maxKeyLifetimeDays).toBe(30);
      await service.request('PATCH', path, { admin: true, body: { maxKeyLifetimeDays: null } });
      const platform = (await service.request('GET', '/platform', { key: own.live.key })).body;
      expect(platform.maxKeyLifetimeDays).toBeNull();
      expect((await trailOf(service, own.platformId)).slice(-2)).toMatchObject([
        {
          action: 'PLATFORM_UPDATED',
          actor: `key:${own.live.id}`,
          details: { maxKeyLifetimeDays: { from: null, to: 30 } },
        },
        { actor: 'operator', details: { maxKeyLifetimeDays: { from: 30, to: null } } },
      ]);
    });

    test.each([0, 3651, 1.5, '30'])('cannot be %j', async (days) => {
      const answer = await setLimit(days);
      expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    });

    test('is not changed by a test key, nor without the scope', async () => {
      expect((await setLimit(30, own.test.key)).body.code).toBe('TEST_MODE_NOT_ALLOWED');
      const reader = await minted(own.live.key, { scopes: ['admin:read', 'write'] });
      expect((await setLimit(30, reader.key)).body.code).toBe('SCOPE_INSUFFICIENT');
    });
  });

  describe('a key that is restricted to networks', () => {
    const from = (address: string, key: string, path = '/platform') =>
      service.request('GET', path, { key, headers: { 'X-Forwarded-For': address } });
    const OFFICE = ['203.0.113.0/24', '2001:db8::/32'];

    test('is accepted from there and refused elsewhere, which does not count as a use', async () => {
      const key = await minted(own.live.key, { allowedCidrs: ['203.0.113.77/24', '2001:db8::/32'] });
      expect(key.allowedCidrs).toEqual(OFFICE);
      for (const address of ['198.51.100.7', '::ffff:198.51.100.7', '2001:db9::1', 'nonsense']) {
        const refused = await from(address, key.key);
        expect([address, refused.status, refused.body.code]).toEqual([address, 403, 'FORBIDDEN']);
      }
      const find = async () => (await listed()).find(({ id }) => id === key.id);
      expect(await find()).toMatchObject({ lastUsedAt: null, allowedCidrs: OFFICE });
      for (const address of ['203.0.113.9', '::ffff:203.0.113.9', '2001:db8:7::1']) {
        expect([address, (await from(address, key.key)).status]).toEqual([address, 200]);
      }
    });

    test('passes on its networks and none beyond them', async () => {
      const parent = await minted(own.live.key, { allowedCidrs: OFFICE });
      const headers = { 'X-Forwarded-For': '203.0.113.9' };
      const child = await mint(service, parent.key, {}, { headers });
      expect([child.status, child.body.allowedCidrs]).toEqual([201, OFFICE]);
      const narrower = await mint(service, parent.key, { allowedCidrs: ['203.0.113.9'] }, { headers });
      expect([narrower.status, narrower.body.allowedCidrs]).toEqual([201, ['203.0.113.9/32']]);
      const next = await rotate(service, parent.key, parent.id, undefined, { headers });
      expect(next.body.allowedCidrs).toEqual(OFFICE);
      const free = await mint(service, next.body.key, { allowedCidrs: [] }, { headers });
      expect([free.status, free.body.code]).toEqual([403, 'SCOPE_CEILING_EXCEEDED']);
      const wider = await mint(
        service,
        next.body.key,
        { allowedCidrs: ['203.0.113.0/25', '203.0.0.0/16'] },
        { headers },
      );
      expect([wider.status, wider.body.details]).toEqual([403, { exceeded: ['203.0.0.0/16'] }]);
      const taken = await rotate(service, next.body.key, own.live.id, undefined, { headers });
      expect([taken.status, taken.body.code]).toEqual([403, 'SCOPE_CEILING_EXCEEDED']);
    });

    test.each([['office'], ['10.0.0.0/33'], [''], ['10.0.0.0/8,11.0.0.0/8']])(
      'cannot be restricted to %j',
      async (network) => {
        const answer = await mint(service, own.live.key, { allowedCidrs: [network] });
        expect([answer.status, answer.body.details?.[0]?.path]).toEqual([400, 'allowedCidrs.0']);
      },
    );
  });

  describe('envelopes', () => {
    const envelopes = async (type: string) =>
      (
        await service.db.query<{ body: string; livemode: boolean }>(
          'select body, livemode from envelope where platform_id = $1 and type = $2 order by envelope_id',
          [own.platformId, type],
        )
      ).map(({ body, livemode }) => ({ livemode, ...JSON.parse(body).data }));
    const sweep = async () =>
      (await service.request('POST', '/admin/sweeps/reminders', { admin: true })).body.affected;

    test('key.created is emitted for minted and rotated keys in the mode of the key, without the secret', async () => {
      const child = await minted(own.live.key, { label: 'nightly', allowedCidrs: ['203.0.113.0/24'] });
      const next = (await rotate(service, own.live.key, own.test.id)).body;
      const path = `/admin/platforms/${own.platformId}/keys`;
      const third = (await service.request('POST', path, { admin: true, body: {} })).body;
      const emitted = await envelopes('key.created');
      expect(emitted).toMatchObject([
        {
          livemode: true,
          keyId: child.id,
          label: 'nightly',
          createdBy: own.live.id,
          rotatedFrom: null,
          allowedCidrs: ['203.0.113.0/24'],
        },
        { livemode: false, keyId: next.id, isTest: true, rotatedFrom: own.test.id },
        { livemode: true, keyId: third.id, createdBy: 'operator' },
      ]);
      expect(JSON.stringify(emitted)).not.toContain('crd_');
    });

    test('a webhook can subscribe to both types', async () => {
      const body = { url: 'https://receiver.example/hook', events: ['key.created', 'key.expiring'] };
      expect((await service.request('POST', '/webhooks', { key: own.live.key, body })).status).toBe(201);
    });

    test('key.expiring is emitted once, within seven days of the expiry', async () => {
      const key = await minted(own.live.key, { expiresInDays: 30 });
      await sweep();
      expect(await envelopes('key.expiring')).toEqual([]);
      clock.aheadMs = 23 * DAY_MS + HOUR_MS;
      await sweep();
      expect(await sweep()).toBe(0);
      expect(await envelopes('key.expiring')).toMatchObject([
        { keyId: key.id, expiresAt: key.expiresAt, lastUsedAt: null, hoursUntilExpiry: 167 },
      ]);
    });

    test('key.expiring is not emitted for revoked, replaced or expired keys', async () => {
      const revoked = await minted(own.live.key, { expiresInDays: 3 });
      await revoke(service, own.live.key, revoked.id);
      const replaced = await minted(own.live.key);
      await rotate(service, own.live.key, replaced.id);
      await minted(own.live.key, { expiresInDays: 1 });
      clock.aheadMs = DAY_MS;
      await sweep();
      expect(await envelopes('key.expiring')).toEqual([]);
    });
  });
});
