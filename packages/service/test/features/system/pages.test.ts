import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { givenSharedService } from '#harness/givenService.js';
import { routeTable } from '#harness/routeTable.js';
import { API_PREFIX, operationsOf } from '#kit/http/route.js';
import { outcome, report } from '../intake/eventFixtures.js';
import { addWebhook } from '../notify/webhooksFixtures.js';
import { newPlatform } from '../tenancy/keyFixtures.js';
import { type Make, makers } from './makers.js';

/** Lists of what a platform made, newest first: the address, the member of the answer, what adds one. */
const lists: [path: string, member: string, make: Make][] = [
  ['/confirmations', 'confirmations', makers.confirmation],
  ['/disputes', 'disputes', makers.dispute],
  ['/reviews', 'reviews', makers.review],
  ['/references', 'references', makers.reference],
  ['/activation/campaigns', 'campaigns', makers.campaign],
  ['/imports', 'imports', makers.import],
  ['/ingest/mappings', 'mappings', makers.mapping],
  ['/screenings', 'screenings', makers.screening],
  ['/monitors', 'monitors', makers.monitor],
  ['/policies', 'policies', makers.policy],
  ['/webhooks', 'webhooks', async (of, key) => (await addWebhook(of, {}, { key })).body.id],
  ['/notification-channels', 'notificationChannels', makers.channel],
  ['/users/known/qualifications', 'qualifications', makers.qualification],
  ['/users/known/projects', 'projects', makers.project],
];

/** These list what happened. Their own tests show their pages. */
const otherPages = [
  'GET /activity',
  'GET /admin/platforms',
  'GET /admin/users',
  'GET /events/export',
  'GET /platform/users',
  'GET /record/{token}',
  'GET /screenings/{id}/results',
  'GET /users',
  'GET /users/summary', // takes the parameters of the book and ignores them
  'GET /users/{id}/score/course',
  'GET /users/{id}/score/history',
  'GET /users/{id}/timeline',
  'GET /webhooks/{id}/deliveries',
];

test('every list that has pages is looked at', () => {
  const paged = operationsOf(routeTable())
    .filter(({ route }) => 'cursor' in ((route.query as { shape?: object } | undefined)?.shape ?? {}))
    .map(({ name }) => name.replace(API_PREFIX, '').replace('/users/known/', '/users/{id}/'))
    .filter((name) => !name.includes('/admin/platforms/{id}/') && !name.includes('/admin/users/'));
  const listed = lists.map(([path]) => `GET ${path.replace('known', '{id}')}`);
  expect(paged.sort()).toEqual([...listed, ...otherPages].sort());
});

describe.each(breadth)('a list on %s', (engine) => {
  const service = givenSharedService(engine);

  test.each(lists)(
    'has each entry once, newest first, while others are added: %s',
    async (path, member, make) => {
      const { live, test: inTest } = await newPlatform(service);
      for (const { key } of [live, inTest]) await report(service, outcome({ userId: 'known' }), { key });
      const read = async (query: string, key = live.key) =>
        (await service.request('GET', `${path}${query}`, { key })).body;
      const idsOf = (page: { [member]: { id: string }[] }) => page[member]?.map(({ id }) => id) ?? [];
      const ids: string[] = [];
      for (let number = 1; number <= 5; number += 1) ids.unshift(await make(service, live.key, 'known'));
      const whole = await read('');
      expect([idsOf(whole), whole.nextCursor]).toEqual([ids, null]);
      const walked: string[] = [];
      let number = 5;
      for (let cursor = ''; ; ) {
        const page = await read(`?limit=2${cursor}`);
        expect(idsOf(page).length).toBeLessThanOrEqual(2);
        walked.push(...idsOf(page));
        if (page.nextCursor === null) break;
        cursor = `&cursor=${page.nextCursor}`;
        number += 1;
        await make(service, live.key, 'known');
      }
      expect(walked).toEqual(ids);
      // A mapping belongs to both modes.
      expect(idsOf(await read('', inTest.key))).toHaveLength(member === 'mappings' ? number : 0);
    },
  );
});
