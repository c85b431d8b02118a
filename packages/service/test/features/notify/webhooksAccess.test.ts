import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '../../harness/engines.js';
import { joinTestService, type TestService } from '../../harness/service.js';
import { scopedKey } from '../intake/eventFixtures.js';
import { addedPlatform, type OwnPlatform } from '../tenancy/trail.js';
import { addWebhook, UNKNOWN_ID } from './webhooksFixtures.js';

describe.each(breadth)('access to webhook endpoints on %s', (engine) => {
  let service: TestService;
  let own: OwnPlatform;
  let other: OwnPlatform;

  beforeAll(async () => {
    service = await joinTestService(engine);
    own = await addedPlatform(service, 'Own');
    other = await addedPlatform(service, 'Other');
  });
  afterAll(() => service.close());

  const add = async (key: string): Promise<string> => (await addWebhook(service, {}, { key })).body.id;
  const remove = (key: string, id: string) => service.request('DELETE', `/webhooks/${id}`, { key });

  describe('an endpoint of somebody else', () => {
    const operations = [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/test'],
      ['POST', '/rotate-secret'],
      ['POST', '/recover'],
      ['GET', '/deliveries'],
      ['GET', `/deliveries/${UNKNOWN_ID}`],
      ['POST', `/deliveries/${UNKNOWN_ID}/replay`],
    ] as const;

    test.each(operations)('%s /webhooks/{id}%s is 404 across platforms and modes', async (method, rest) => {
      const id = await add(own.live.key);
      const inTest = await add(own.test.key);
      const body =
        rest === '/recover' ? { since: '2026-01-01T00:00:00.000Z' } : method === 'GET' ? undefined : {};
      for (const [key, webhookId] of [
        [other.live.key, id],
        [own.test.key, id],
        [own.live.key, inTest],
        [own.live.key, UNKNOWN_ID],
        [own.live.key, 'no-uuid'],
      ] as const) {
        const answer = await service.request(method, `/webhooks/${webhookId}${rest}`, { key, body });
        expect([answer.status, answer.body.code]).toEqual([404, 'NOT_FOUND']);
      }
      await remove(own.live.key, id);
      await remove(own.test.key, inTest);
    });

    test.each([
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/test'],
      ['GET', '/deliveries'],
      ['POST', `/deliveries/${UNKNOWN_ID}/replay`],
    ] as const)(
      '%s %s of the operator reaches only live endpoints of the named platform',
      async (method, rest) => {
        const inTest = await add(own.test.key);
        const ofOther = await add(other.live.key);
        const body = method === 'GET' ? undefined : {};
        for (const [platform, webhookId] of [
          [own.id, inTest],
          [own.id, ofOther],
          [own.id, 'no-uuid'],
          [UNKNOWN_ID, ofOther],
          ['nobody', ofOther],
        ]) {
          const path = `/admin/platforms/${platform}/webhooks/${webhookId}${rest}`;
          const answer = await service.request(method, path, { admin: true, body });
          expect([answer.status, answer.body.code]).toEqual([404, 'NOT_FOUND']);
        }
        await remove(own.test.key, inTest);
        await remove(other.live.key, ofOther);
      },
    );
  });

  test('reading takes webhooks:read, everything else webhooks:write', async () => {
    const [reader, writer, unrelated] = [
      await scopedKey(service, ['webhooks:read']),
      await scopedKey(service, ['webhooks:write']),
      await scopedKey(service, ['events', 'scores', 'usage', 'admin']),
    ];
    const reads = [
      '',
      `/${UNKNOWN_ID}`,
      `/${UNKNOWN_ID}/deliveries`,
      `/${UNKNOWN_ID}/deliveries/${UNKNOWN_ID}`,
    ];
    for (const path of reads) {
      expect((await service.request('GET', `/webhooks${path}`, { key: reader })).status).not.toBe(403);
      for (const key of [writer, unrelated]) {
        const refused = await service.request('GET', `/webhooks${path}`, { key });
        expect([refused.status, refused.body.code]).toEqual([403, 'SCOPE_INSUFFICIENT']);
      }
    }
    for (const [method, path] of [
      ['POST', ''],
      ['PATCH', `/${UNKNOWN_ID}`],
      ['DELETE', `/${UNKNOWN_ID}`],
      ['POST', `/${UNKNOWN_ID}/test`],
      ['POST', `/${UNKNOWN_ID}/rotate-secret`],
      ['POST', `/${UNKNOWN_ID}/recover`],
      ['POST', `/${UNKNOWN_ID}/deliveries/${UNKNOWN_ID}/replay`],
    ] as const) {
      const body = {};
      expect((await service.request(method, `/webhooks${path}`, { key: writer, body })).status).not.toBe(403);
      for (const key of [reader, unrelated]) {
        const refused = await service.request(method, `/webhooks${path}`, { key, body });
        expect([refused.status, refused.body.code]).toEqual([403, 'SCOPE_INSUFFICIENT']);
      }
    }
    expect((await service.request('GET', '/webhooks', { key: null })).status).toBe(401);
  });
});
