import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { DAY_MS, HOUR_MS, isLetIn, keySuite, mint, revoke, rotate, trailOf } from './keyFixtures.js';

interface Key {
  createdAt: string;
  expiresAt: string;
  warnings: { code: string }[];
}

describe.each(breadth)('what a leaked key can do on %s', (engine) => {
  const { service, clock, own, minted, listed } = keySuite(engine, { TRUST_PROXY: '1' });
  /** In days. */
  const lifeOf = (key: Key) => (Date.parse(key.expiresAt) - Date.parse(key.createdAt)) / DAY_MS;
  const codesOf = ({ warnings }: Key) => warnings.map(({ code }) => code);
  const ofOperator = async (path = '', body: object = {}) =>
    service.request('POST', `/admin/platforms/${own.platformId}/keys${path}`, { admin: true, body });

  describe('a child never outlives its parent', () => {
    test('a key without an expiry expires with the key that made it', async () => {
      const parent = await minted({ expiresInDays: 10 });
      const child = await minted({}, parent.key);
      expect([child.expiresAt, child.warnings]).toEqual([parent.expiresAt, []]);
      expect((await minted({}, child.key)).expiresAt).toBe(parent.expiresAt);
    });

    test.each([
      [9, 9, []],
      [10, 10, ['KEY_EXPIRY_CLAMPED']],
      [3650, 10, ['KEY_EXPIRY_CLAMPED']],
      [null, 10, ['KEY_EXPIRY_CLAMPED']],
    ])('a life of %j days becomes one of %j, and the answer says so', async (expiresInDays, days, codes) => {
      const parent = await minted({ expiresInDays: 10 });
      const child = await minted({ expiresInDays }, parent.key);
      expect(Math.round(lifeOf(child))).toBe(days);
      expect(Date.parse(child.expiresAt)).toBeLessThanOrEqual(Date.parse(parent.expiresAt));
      expect(codesOf(child)).toEqual(codes);
    });

    test('rotating a longer-lived key gives no longer lifetime', async () => {
      const parent = await minted({ expiresInDays: 1 });
      const next = (await rotate(service, parent.key, (await minted()).id)).body;
      expect([next.expiresAt, codesOf(next)]).toEqual([parent.expiresAt, ['KEY_EXPIRY_CLAMPED']]);
    });
  });

  describe('a key in its rotation grace', () => {
    test('cannot mint or rotate, but still works and can revoke', async () => {
      const [old, other] = [await minted(), await minted()];
      const next = (await rotate(service, old.key, old.id)).body;
      for (const { status, body } of [
        await mint(service, old.key),
        await rotate(service, old.key, old.id),
        await rotate(service, old.key, other.id),
      ]) {
        expect([status, body.code]).toEqual([403, 'FORBIDDEN']);
        expect(body.error).toContain(next.id);
      }
      expect(await isLetIn(service, old.key)).toBe(true);
      expect((await revoke(service, old.key, other.id)).status).toBe(200);
      expect((await mint(service, next.key)).status).toBe(201);
      expect(await listed(old.id)).toMatchObject({ replacedBy: next.id });
    });

    test('makes no key at the instant of its rotation, but the operator can still rotate it', async () => {
      const old = await minted();
      const [rotated, ...mints] = await Promise.all([
        rotate(service, own.live.key, old.id),
        ...Array.from({ length: 8 }, () => mint(service, old.key)),
      ]);
      expect(rotated.status).toBe(201);
      for (const { status } of mints) expect([201, 403]).toContain(status);
      expect((await mint(service, old.key)).status).toBe(403);
      expect((await ofOperator(`/${old.id}/rotate`)).status).toBe(201);
    });
  });

  test('lists name the creating key of a key, the operator, or the first start', async () => {
    const child = await minted();
    const next = (await rotate(service, child.key, own.test.id)).body;
    const third = (await ofOperator()).body;
    const { keys } = (await service.request('GET', '/platform/keys', { key: own.live.key })).body;
    const makers = keys.map(({ id, createdBy }: { id: string; createdBy: string }) => [id, createdBy]);
    expect(Object.fromEntries(makers)).toEqual({
      [own.live.id]: 'operator',
      [own.test.id]: 'operator',
      [child.id]: own.live.id,
      [next.id]: child.id,
      [third.id]: 'operator',
    });
    const first = await service.request('GET', '/platform/keys', { key: service.testKey });
    expect(first.body.keys.at(-1).createdBy).toBe('bootstrap');
  });

  describe('revoking with cascade', () => {
    const cascade = (id: string) =>
      service.request('DELETE', `/platform/keys/${id}?cascade=true`, { key: own.live.key });

    test('revokes every descendant of the key, counts and records them, and revokes no other key', async () => {
      const leaked = await minted();
      const child = await minted({}, leaked.key);
      const grandchild = await minted({ isTest: true }, child.key);
      const rotated = (await rotate(service, leaked.key, grandchild.id)).body;
      const dead = await minted({}, child.key);
      await revoke(service, own.live.key, dead.id);
      const deep = await minted({}, rotated.key);
      const sibling = await minted();
      const { body } = await cascade(leaked.id);
      expect(body).toEqual({ id: leaked.id, revoked: true, alreadyRevoked: false, descendantsRevoked: 4 });
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
    });

    test('is not the default, and can follow a plain revocation', async () => {
      const leaked = await minted();
      const child = await minted({}, leaked.key);
      const plain = await revoke(service, own.live.key, leaked.id);
      expect(plain.body).toMatchObject({ alreadyRevoked: false, descendantsRevoked: 0 });
      expect(await isLetIn(service, child.key)).toBe(true);
      for (const descendantsRevoked of [1, 0]) {
        const later = await cascade(leaked.id);
        expect(later.body).toMatchObject({ alreadyRevoked: true, descendantsRevoked });
        expect(await isLetIn(service, child.key)).toBe(false);
      }
    });

    test('also revokes a key that is minted at the same moment', async () => {
      const leaked = await minted();
      const child = await minted({}, leaked.key);
      const [, ...mints] = await Promise.all([
        cascade(leaked.id),
        ...Array.from({ length: 6 }, () => mint(service, child.key)),
      ]);
      for (const { status, body } of mints) {
        expect([201, 401]).toContain(status);
        if (status === 201) expect(await isLetIn(service, body.key)).toBe(false);
      }
    });
  });

  describe('the maximum lifetime of keys of a platform', () => {
    const setLimit = (days: number | null, key = own.live.key) =>
      service.request('PATCH', '/platform', { key, body: { maxKeyLifetimeDays: days } });

    test('limits keys minted and rotated afterwards, also by the operator', async () => {
      const before = await minted();
      const answer = await setLimit(30);
      expect([answer.status, answer.body.maxKeyLifetimeDays]).toEqual([200, 30]);
      for (const [expiresInDays, days, warnings] of [
        [undefined, 30, []],
        [31, 30, ['KEY_EXPIRY_CLAMPED']],
        [29, 29, []],
      ]) {
        const key = await minted({ expiresInDays });
        expect([lifeOf(key), codesOf(key)]).toEqual([days, warnings]);
      }
      expect(lifeOf((await ofOperator('', { expiresInDays: 90 })).body)).toBe(30);
      const next = (await rotate(service, own.live.key, before.id)).body;
      expect([lifeOf(next), codesOf(next)]).toEqual([30, ['KEY_EXPIRY_CLAMPED']]);
      clock.aheadMs = 10 * DAY_MS;
      const renewed = (await rotate(service, own.live.key, next.id)).body;
      expect(renewed.expiresAt).toBe(next.expiresAt);
      expect(await listed(own.live.id)).toMatchObject({ expiresAt: null });
    });

    test('can be removed by the operator, and its changes are recorded', async () => {
      await setLimit(30);
      const none = { admin: true, body: { maxKeyLifetimeDays: null } };
      const removed = await service.request('PATCH', `/admin/platforms/${own.platformId}`, none);
      expect(removed.body.maxKeyLifetimeDays).toBeNull();
      expect((await trailOf(service, own.platformId)).slice(-2)).toMatchObject([
        { actor: `key:${own.live.id}`, details: { maxKeyLifetimeDays: { from: null, to: 30 } } },
        { actor: 'operator', details: { maxKeyLifetimeDays: { from: 30, to: null } } },
      ]);
    });

    test('is not changed by a test key', async () => {
      expect((await setLimit(30, own.test.key)).body.code).toBe('TEST_MODE_NOT_ALLOWED');
    });
  });

  describe('a key that is restricted to networks', () => {
    const OFFICE = ['203.0.113.0/24', '2001:db8::/32'];

    test('is accepted from there and refused elsewhere, which does not count as a use', async () => {
      const { id, key, allowedCidrs } = await minted({ allowedCidrs: ['203.0.113.77/24', '2001:db8::/32'] });
      expect(allowedCidrs).toEqual(OFFICE);
      const from = async (address: string) => {
        const headers = { 'X-Forwarded-For': address };
        const { status, body } = await service.request('GET', '/platform', { key, headers });
        return [address, status, body.code];
      };
      for (const address of ['198.51.100.7', '::ffff:198.51.100.7', '2001:db9::1', 'nonsense']) {
        expect(await from(address)).toEqual([address, 403, 'FORBIDDEN']);
      }
      expect(await listed(id)).toMatchObject({ lastUsedAt: null, allowedCidrs: OFFICE });
      for (const address of ['203.0.113.9', '::ffff:203.0.113.9', '2001:db8:7::1']) {
        expect(await from(address)).toEqual([address, 200, undefined]);
      }
    });

    test('passes on its networks and none beyond them', async () => {
      const parent = await minted({ allowedCidrs: OFFICE });
      const options = { headers: { 'X-Forwarded-For': '203.0.113.9' } };
      for (const [body, allowedCidrs] of [
        [{}, OFFICE],
        [{ allowedCidrs: ['203.0.113.9'] }, ['203.0.113.9/32']],
      ] as const) {
        const child = await mint(service, parent.key, body, options);
        expect([child.status, child.body.allowedCidrs]).toEqual([201, allowedCidrs]);
      }
      const next = (await rotate(service, parent.key, parent.id, undefined, options)).body;
      expect(next.allowedCidrs).toEqual(OFFICE);
      const wide = ['203.0.113.0/25', '203.0.0.0/16'];
      const refusals = [
        await mint(service, next.key, { allowedCidrs: wide }, options),
        await mint(service, next.key, { allowedCidrs: [] }, options),
        await rotate(service, next.key, own.live.id, undefined, options),
      ];
      expect(refusals.map(({ body }) => body.code)).toEqual(Array(3).fill('SCOPE_CEILING_EXCEEDED'));
      expect(refusals[0]?.body.details).toEqual({ exceeded: ['203.0.0.0/16'] });
    });

    test.each(['office', '10.0.0.0/33', '', '10.0.0.0/8,11.0.0.0/8'])(
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
      const named = { label: 'nightly', allowedCidrs: ['203.0.113.0/24'] };
      const child = await minted(named);
      const next = (await rotate(service, own.live.key, own.test.id)).body;
      const third = (await ofOperator()).body;
      const emitted = await envelopes('key.created');
      expect(emitted).toMatchObject([
        { ...named, livemode: true, keyId: child.id, createdBy: own.live.id, rotatedFrom: null },
        { livemode: false, keyId: next.id, isTest: true, rotatedFrom: own.test.id },
        { livemode: true, keyId: third.id, createdBy: 'operator' },
      ]);
      expect(JSON.stringify(emitted)).not.toContain('crd_');
    });

    test('key.expiring is emitted once, within seven days of the expiry', async () => {
      const { id: keyId, expiresAt } = await minted({ expiresInDays: 30 });
      await sweep();
      expect(await envelopes('key.expiring')).toEqual([]);
      clock.aheadMs = 23 * DAY_MS + HOUR_MS;
      await sweep();
      expect(await sweep()).toBe(0);
      expect(await envelopes('key.expiring')).toMatchObject([
        { keyId, expiresAt, lastUsedAt: null, hoursUntilExpiry: 167 },
      ]);
    });

    test('key.expiring is not emitted for revoked, replaced or expired keys', async () => {
      await revoke(service, own.live.key, (await minted({ expiresInDays: 3 })).id);
      await rotate(service, own.live.key, (await minted()).id);
      await minted({ expiresInDays: 1 });
      clock.aheadMs = DAY_MS;
      await sweep();
      expect(await envelopes('key.expiring')).toEqual([]);
    });
  });
});
