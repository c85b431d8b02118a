import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { routeTable } from '#harness/routeTable.js';
import { joinTestService, type TestService } from '#harness/service.js';
import { suiteService } from '#harness/suiteService.js';
import { API_PREFIX, operationsOf } from '#kit/http/route.js';
import { asking, made } from '../attestation/confirmationFixtures.js';
import { filedDispute } from '../attestation/disputeFixtures.js';
import { screen } from '../insight/screeningFixtures.js';
import { outcome, report } from '../intake/eventFixtures.js';
import { csvOf, goodRows, sendImport } from '../intake/importFixtures.js';
import { addWebhook } from '../notify/webhooksFixtures.js';
import { asked, qualification } from '../subjects/profileFixtures.js';
import { newPlatform } from '../tenancy/keyFixtures.js';

/** What makes one more of a list with the key; its id. */
type Make = (service: TestService, key: string, number: number) => Promise<string>;

const posted =
  (path: string, bodyOf: (number: number) => object): Make =>
  async (service, key, number) =>
    (await service.request('POST', path, { key, body: bodyOf(number) })).body.id;
const below60 = { metric: 'score', direction: 'below', threshold: 60 };
const mapping = { userId: { path: 'who' }, eventType: { constant: 'CONTRACT_FULFILLED' } };

/** Lists of what a platform made, newest first: the address, the member of the answer, what adds one. */
const lists: [path: string, member: string, make: Make][] = [
  ['/confirmations', 'confirmations', async (of, key) => (await made(of, {}, { key })).confirmation.id],
  ['/disputes', 'disputes', async (of, key) => (await filedDispute(of, {}, key)).id],
  ['/references', 'references', async (of, key) => (await asked(of, {}, { key })).id],
  [
    '/activation/campaigns',
    'campaigns',
    async (service, key, number) => {
      const body = { name: `Campaign ${number}`, rows: [asking({ rowKey: 'one' })] };
      return (await service.request('POST', '/activation/campaigns', { key, body })).body.campaign.id;
    },
  ],
  ['/imports', 'imports', async (of, key) => (await sendImport(of, csvOf(goodRows(1)), { key })).body.id],
  ['/ingest/mappings', 'mappings', posted('/ingest/mappings', (n) => ({ name: `Mapping ${n}`, mapping }))],
  ['/screenings', 'screenings', async (of, key) => (await screen(of, ['known'], { key })).body.id],
  ['/monitors', 'monitors', posted('/monitors', (n) => ({ userId: 'known', belowScore: n }))],
  ['/policies', 'policies', posted('/policies', (n) => ({ name: `Policy ${n}`, condition: below60 }))],
  ['/webhooks', 'webhooks', async (of, key) => (await addWebhook(of, {}, { key })).body.id],
  [
    '/notification-channels',
    'notificationChannels',
    posted('/notification-channels', (n) => ({
      type: 'slack',
      target: `https://hooks.slack.com/services/T0EXAMPLE/B0EXAMPLE/secret-of-page-${n}`,
    })),
  ],
  [
    '/users/known/qualifications',
    'qualifications',
    posted('/users/known/qualifications', (n) => qualification({ title: `${n}` })),
  ],
  [
    '/users/known/projects',
    'projects',
    posted('/users/known/projects', (n) => ({ title: `${n}`, url: 'https://work.example' })),
  ],
];

/** These list what happened. Their own tests show their pages. */
const otherPages = [
  'GET /activity',
  'GET /admin/platforms',
  'GET /events/export',
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
  const service = suiteService(() => joinTestService(engine));

  test.each(lists)(
    'has each entry once, newest first, while others are added: %s',
    async (path, member, make) => {
      const { live, test: inTest } = await newPlatform(service);
      for (const { key } of [live, inTest]) await report(service, outcome({ userId: 'known' }), { key });
      const read = async (query: string, key = live.key) =>
        (await service.request('GET', `${path}${query}`, { key })).body;
      const idsOf = (page: { [member]: { id: string }[] }) => page[member]?.map(({ id }) => id) ?? [];
      const ids: string[] = [];
      for (let number = 1; number <= 5; number += 1) ids.unshift(await make(service, live.key, number));
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
        await make(service, live.key, number);
      }
      expect(walked).toEqual(ids);
      // A mapping belongs to both modes.
      expect(idsOf(await read('', inTest.key))).toHaveLength(member === 'mappings' ? number : 0);
    },
  );
});
