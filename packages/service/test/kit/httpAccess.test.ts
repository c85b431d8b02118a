import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { givenSharedService } from '#harness/givenService.js';
import { scopedKey } from '../features/intake/eventFixtures.js';

// Every operation with every kind of caller: features/tenancy/keysAdmission.test.ts.
describe.each(breadth)('the caller of a request on %s', (engine) => {
  const service = givenSharedService(engine);

  const statusWith = async (Authorization: string) =>
    (await service.request('GET', '/events/export', { key: null, headers: { Authorization } })).status;

  test.each([
    ['a key of no known kind', `Bearer sk_live_${'x'.repeat(43)}`],
    ['a key without its scheme', `crd_live_${'L'.repeat(43)}`],
    ['a key that is far too long', `Bearer crd_live_${'x'.repeat(8000)}`],
    ['a key with something behind it', `Bearer crd_live_${'L'.repeat(43)} extra`],
    ['the admin secret as a key', 'Bearer admin-secret-of-the-tests'],
  ])('%s is refused', async (_, authorization) => {
    expect(await statusWith(authorization)).toBe(401);
  });

  test.each(['Bearer', 'bearer', 'BEARER'])('a key works with the scheme %s', async (scheme) => {
    expect(await statusWith(`${scheme} ${service.testKey}`)).toBe(200);
  });

  test('is looked at before the body, and the refusal names what the key has and would need', async () => {
    const unread = { body: '{ not json', headers: { 'Content-Type': 'text/plain' } };
    expect((await service.request('POST', '/events', { ...unread, key: null })).status).toBe(401);
    const key = await scopedKey(service, ['events:read', 'admin']);
    const { status, body } = await service.request('POST', '/events', { ...unread, key });
    expect([status, body.code]).toEqual([403, 'SCOPE_INSUFFICIENT']);
    expect(body.details).toEqual({
      held: ['events:read', 'admin'],
      required: expect.arrayContaining(['events']),
    });
  });

  test('with the scope to read may ask for the headers alone', async () => {
    for (const [scope, status] of [
      ['events:read', 200],
      ['events:write', 403],
    ] as const) {
      const key = await scopedKey(service, [scope]);
      expect((await service.request('HEAD', '/events/export?limit=1', { key })).status).toBe(status);
    }
  });
});
