import { beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { givenSharedService } from '#harness/givenService.js';
import { newPlatform } from '../tenancy/keyFixtures.js';

describe.each(breadth)('a cursor goes on with the listing it came from, on %s', (engine) => {
  const service = givenSharedService(engine);
  beforeAll(async () => {
    for (const key of [service.liveKey, service.testKey]) {
      const events = ['a', 'b', 'c', 'd'].map((userId) => ({ userId, eventType: 'REVIEW_VERIFIED' }));
      await service.request('POST', '/events/batch', { key, body: { events: [...events, ...events] } });
    }
    await service.settle();
  });

  const get = (path: string, key = service.liveKey) => service.request('GET', path, { key });
  const cursorOf = async (path: string): Promise<string> => {
    const { nextCursor } = (await get(path)).body;
    expect(nextCursor).toBeTypeOf('string');
    return nextCursor;
  };

  test('and pages of any size, in either format', async () => {
    const first = await get('/users?limit=1&sort=externalId&band=Unproven');
    const path = `/users?sort=externalId&band=Unproven&cursor=${first.body.nextCursor}`;
    expect((await get(`${path}&limit=3`)).body.users).toHaveLength(3);
    const activity = await get('/activity?limit=2&format=csv');
    const next = activity.headers.get('x-next-cursor');
    expect((await get(`/activity?limit=2&format=csv&cursor=${next}`)).status).toBe(200);
    expect((await get(`/activity?limit=1&cursor=${next}`)).status).toBe(200);
  });

  test.each([
    ['/events/export?limit=2', '/events/export?from=2020-01-01'],
    ['/users?limit=2&sort=externalId', '/users?sort=externalId&band=Unproven'],
    ['/users?limit=2&sort=externalId', '/users?sort=externalId&order=desc'],
    ['/users?limit=2', '/users?sort=registered'],
    ['/activity?limit=2', '/activity?action=EVENT_CREATED'],
    ['/users/a/timeline?limit=1', '/users/b/timeline?limit=1'],
    ['/activity?limit=2', '/users/a/timeline?limit=1'],
  ])('a cursor of %s is refused by %s', async (path, other) => {
    const answer = await get(`${other}&cursor=${await cursorOf(path)}`.replace(/\?(.*)&limit=1&/, '?$1&'));
    expect(answer.status).toBe(400);
    expect(answer.body.code).toBe(other.startsWith('/users?') ? 'BOOK_QUERY_INVALID' : 'BAD_REQUEST');
    expect(answer.body.error).toContain('`cursor`');
  });

  test.each(['/events/export?limit=2', '/users?limit=2', '/activity?limit=2', '/users/a/timeline?limit=1'])(
    'a cursor of %s is refused in the other mode, on another platform, and with one changed letter',
    async (path) => {
      const cursor = await cursorOf(path);
      expect((await get(`${path}&cursor=${cursor}`)).status).toBe(200);
      for (const key of [service.testKey, (await newPlatform(service)).live.key])
        expect((await get(`${path}&cursor=${cursor}`, key)).status).toBe(400);
      for (const at of [0, Math.floor(cursor.length / 2), cursor.length - 1]) {
        const letter = cursor[at] === 'A' ? 'B' : 'A';
        const damaged = cursor.slice(0, at) + letter + cursor.slice(at + 1);
        expect((await get(`${path}&cursor=${damaged}`)).status, damaged).toBe(400);
      }
    },
  );

  test('a cursor of a policy preview is refused in the other mode', async () => {
    const condition = { metric: 'score', direction: 'below', threshold: 90 };
    const preview = (more: object, key: string) =>
      service.request('POST', '/policies/preview', { key, body: { condition, limit: 1, ...more } });
    const { nextCursor: cursor } = (await preview({}, service.liveKey)).body;
    expect((await preview({ cursor }, service.liveKey)).status).toBe(200);
    expect((await preview({ cursor }, service.testKey)).status).toBe(400);
  });
});
