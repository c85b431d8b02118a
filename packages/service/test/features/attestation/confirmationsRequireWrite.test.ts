import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { joinTestService, type TestService } from '#harness/service.js';
import { known, reference } from '../subjects/profileFixtures.js';
import { mint, newPlatform } from '../tenancy/keyFixtures.js';
import { asking } from './confirmationFixtures.js';

describe.each(breadth)('a platform that requires a write action to ask counterparties, on %s', (engine) => {
  let service: TestService;
  let own: Awaited<ReturnType<typeof newPlatform>>;
  let reader: string;
  let writer: string;
  const ask = (path: string, key: string, body?: unknown) => service.request('POST', path, { key, body });
  const require = (confirmationsRequireWrite: boolean, key = own.live.key) =>
    service.request('PATCH', '/platform', { key, body: { confirmationsRequireWrite } });

  beforeAll(async () => {
    service = await joinTestService(engine);
    own = await newPlatform(service);
    await known(service, 'worker-1', { key: own.live.key });
    reader = (await mint(service, own.live.key, { scopes: ['usage:read', 'scores:read'] })).body.key;
    writer = (await mint(service, own.live.key, { scopes: ['webhooks:write'] })).body.key;
  });
  afterAll(() => service.close());

  test('any valid key asks while it is not set; once set, a read-only key neither asks nor cancels', async () => {
    const confirmation = (await ask('/confirmations', reader, asking())).body.confirmation.id;
    const asked = (await ask('/references', reader, reference())).body.reference.id;
    const changed = await require(true);
    expect([changed.status, changed.body.confirmationsRequireWrite]).toEqual([200, true]);
    const acts: [string, unknown?][] = [
      ['/confirmations', asking()],
      ['/confirmations/batch', { confirmations: [asking()] }],
      ['/references', reference()],
      [`/confirmations/${confirmation}/cancel`],
      [`/references/${asked}/cancel`],
    ];
    for (const [path, body] of acts) {
      const { status, body: refusal } = await ask(path, reader, body);
      expect([path, status, refusal.code]).toEqual([path, 403, 'SCOPE_INSUFFICIENT']);
      expect(refusal.details.required).toContain('events:write');
      expect(refusal.details.required).not.toContain('events:read');
    }
    for (const [path, body] of acts) {
      expect([path, (await ask(path, writer, body)).status < 300]).toEqual([path, true]);
    }
    for (const path of [`/confirmations/${confirmation}`, '/references']) {
      expect((await service.request('GET', path, { key: reader })).status).toBe(200);
    }
    await require(false);
    expect((await ask('/confirmations', reader, asking())).status).toBe(201);
  });

  test('the operator sets it too, and both read it', async () => {
    const path = `/admin/platforms/${own.platformId}`;
    const body = { confirmationsRequireWrite: true };
    const set = await service.request('PATCH', path, { admin: true, body });
    expect((await ask('/confirmations', reader, asking())).status).toBe(403);
    for (const shown of [
      set,
      await service.request('GET', '/platform', { key: own.test.key }),
      await service.request('GET', path, { admin: true }),
    ]) {
      expect(shown.body.confirmationsRequireWrite).toBe(true);
    }
    await require(false);
  });

  test('test keys and keys without the scope do not change it', async () => {
    expect((await require(true, own.test.key)).body.code).toBe('TEST_MODE_NOT_ALLOWED');
    expect((await require(true, writer)).body.code).toBe('SCOPE_INSUFFICIENT');
  });

  test('the response to creating a read-only key says that it can ask, and how to prevent that', async () => {
    const warningsOf = async (scopes: string[]) =>
      (await mint(service, own.live.key, { scopes })).body.warnings;
    const warning = {
      code: 'KEY_OPENS_CONFIRMATIONS',
      message: expect.stringContaining('confirmationsRequireWrite'),
    };
    expect(await warningsOf(['usage:read'])).toMatchObject([warning]);
    for (const scopes of [['scores:write'], ['write'], ['admin'], []]) {
      expect(await warningsOf(scopes)).toEqual([]);
    }
    const path = `/admin/platforms/${own.platformId}/keys`;
    const ofOperator = await service.request('POST', path, { admin: true, body: { scopes: ['read'] } });
    expect(ofOperator.body.warnings).toHaveLength(1);
    await require(true);
    expect(await warningsOf(['usage:read'])).toEqual([]);
    await require(false);
  });
});
