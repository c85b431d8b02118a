import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { joinTestService, type RequestOptions, type TestService } from '#harness/service.js';
import { scopedKey } from '../features/intake/eventFixtures.js';

const EVENT = { userId: 'worker-1', eventType: 'TRANSACTION_COMPLETED' };

describe.each(breadth)('access to operations on %s', (engine) => {
  let service: TestService;
  beforeAll(async () => {
    service = await joinTestService(engine);
  });
  afterAll(() => service.close());

  test.each([
    ['no key', {}],
    ['an unknown key', { Authorization: `Bearer crd_live_${'x'.repeat(43)}` }],
    ['a key of no known kind', { Authorization: `Bearer sk_live_${'x'.repeat(43)}` }],
    ['another scheme', { Authorization: 'Basic dXNlcjpwYXNz' }],
    ['an empty header', { Authorization: '' }],
    ['a key without its scheme', { Authorization: `crd_live_${'L'.repeat(43)}` }],
    ['a key that is far too long', { Authorization: `Bearer crd_live_${'x'.repeat(8000)}` }],
    ['the admin secret alone', { 'X-Admin-Secret': 'admin-secret-of-the-tests' }],
    ['a key in the query of the header', { Authorization: `Bearer crd_live_${'L'.repeat(43)} extra` }],
  ])('%s is refused', async (_, headers) => {
    for (const [method, path] of [
      ['POST', '/events'],
      ['GET', '/events/export'],
      ['GET', '/users/worker-1/score'],
    ] as const) {
      const answer = await service.request(method, path, { key: null, headers });
      expect(answer.status).toBe(401);
      expect(answer.body).toMatchObject({ code: 'UNAUTHORIZED', retryable: false });
    }
  });

  test('a refused caller learns nothing about the effect of the request', async () => {
    const unread = { key: null, body: '{ not json', headers: { 'Content-Type': 'text/plain' } };
    expect((await service.request('POST', '/events', unread)).status).toBe(401);
  });

  test.each([
    { scopes: ['events:read'], write: 403, read: 200, score: 403 },
    { scopes: ['events:write'], write: 201, read: 403, score: 403 },
    { scopes: ['events'], write: 201, read: 200, score: 403 },
    { scopes: ['events:*'], write: 201, read: 200, score: 403 },
    { scopes: ['read'], write: 403, read: 200, score: 404 },
    { scopes: ['write'], write: 201, read: 403, score: 403 },
    { scopes: ['*'], write: 201, read: 200, score: 404 },
    { scopes: ['scores:read', 'events:write'], write: 201, read: 403, score: 404 },
    { scopes: ['webhooks', 'usage', 'admin'], write: 403, read: 403, score: 403 },
  ])('a key with $scopes can call exactly its operations', async ({ scopes, write, read, score }) => {
    const key = await scopedKey(service, scopes);
    const reported = await service.request('POST', '/events', { key, body: EVENT });
    const exported = await service.request('GET', '/events/export?limit=1', { key });
    const headed = await service.request('HEAD', '/events/export?limit=1', { key });
    const scored = await service.request('GET', '/users/nobody-here/score', { key });
    expect([reported.status, exported.status, headed.status, scored.status]).toEqual([
      write,
      read,
      read,
      score,
    ]);
    for (const answer of [reported, exported, scored]) {
      if (answer.status !== 403) continue;
      expect(answer.body).toMatchObject({ code: 'SCOPE_INSUFFICIENT', details: { held: scopes } });
      expect(answer.body.details.required.length).toBeGreaterThan(0);
    }
  });

  test('the batch read needs the read scope although it is a POST', async () => {
    const body = { userIds: ['nobody-here'] };
    const reader = await scopedKey(service, ['scores:read']);
    const writer = await scopedKey(service, ['scores:write']);
    expect((await service.request('POST', '/users/scores', { key: reader, body })).status).toBe(200);
    expect((await service.request('POST', '/users/scores', { key: writer, body })).status).toBe(403);
  });

  test('the scope is checked before the body', async () => {
    const key = await scopedKey(service, ['events:read']);
    expect((await service.request('POST', '/events', { key, body: '{' })).status).toBe(403);
  });

  test('the operator API accepts the admin secret and no key', async () => {
    const path = '/admin/platforms';
    expect((await service.request('GET', path, { admin: true })).status).toBe(200);
    const refused: RequestOptions[] = [
      { key: null },
      { key: service.liveKey },
      { key: null, headers: { 'X-Admin-Secret': 'admin-secret-of-the-test' } },
      { key: null, headers: { 'X-Admin-Secret': '' } },
      { key: null, headers: { Authorization: 'Bearer admin-secret-of-the-tests' } },
    ];
    for (const options of refused) {
      const answer = await service.request('GET', path, options);
      expect(answer.status).toBe(401);
      expect(answer.body.code).toBe('UNAUTHORIZED');
    }
  });

  test('a key works with any spelling of the scheme that HTTP allows', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      const headers = { Authorization: `${scheme} ${service.testKey}` };
      expect((await service.request('GET', '/events/export', { key: null, headers })).status).toBe(200);
    }
  });
});
