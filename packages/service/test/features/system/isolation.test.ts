import { performance } from 'node:perf_hooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { routeTable } from '#harness/routeTable.js';
import { joinTestService, type RequestOptions, type TestService } from '#harness/service.js';
import { readExamples } from '#kit/http/openapiTexts.js';
import { API_PREFIX, type Operation, operationsOf } from '#kit/http/route.js';
import { settledLog } from '../../ledger/log/logDeps.js';
import { asking } from '../attestation/confirmationFixtures.js';
import { filedDispute } from '../attestation/disputeFixtures.js';
import { outcome, report } from '../intake/eventFixtures.js';
import { csvOf, goodRows, sendImport } from '../intake/importFixtures.js';
import { addWebhook, LOOPBACK_ALLOWED } from '../notify/webhooksFixtures.js';
import { known } from '../subjects/profileFixtures.js';
import { addedPlatform, type OwnPlatform } from '../tenancy/trail.js';

type Ids = Readonly<Record<string, string>>;

/** Something that is there, but not for `caller`; `owner` can reach it under `ownIds`. */
interface Foreign {
  what: string;
  caller: RequestOptions;
  ids: Ids;
  owner: RequestOptions;
  ownIds: Ids;
  /** The same address with an id that nothing has. */
  unknown: Ids;
}

interface World {
  service: TestService;
  own: OwnPlatform;
  other: OwnPlatform;
}

const examples = readExamples();

function exampleOf(body: Operation['route']['body']): unknown {
  const { id = '', example } = body?.meta() ?? {};
  return examples.of(id) ?? example;
}

const UNKNOWN_ID = '0199a3c2-7b1e-7c40-8d21-5f0c9b7a1e34';

/**
 * What stands under each shape of path, or for one operation alone under `<method> <path>`; made
 * anew for each operation, since some of them use it up.
 */
const fixtures: Record<string, (world: World) => Promise<Foreign[]> | Foreign[]> = {
  '/users/{id}': inEachMode((_service, _owner, userId) => userId, 'of-nobody'),
  'POST /users/{id}/erasure': inEachMode(async (service, owner, userId) => {
    await report(service, outcome({ userId: `to-erase ${userId}` }), { key: owner });
    return `to-erase ${userId}`;
  }, 'of-nobody'),
  '/admin/platforms/{id}/users/{userId}': async ({ service, own, other }) => {
    const userId = 'to-erase by the operator';
    await report(service, outcome({ userId }), { key: other.live.key });
    const operator = { admin: true };
    return [
      {
        what: "another platform's",
        caller: operator,
        ids: { id: own.id, userId },
        owner: operator,
        ownIds: { id: other.id, userId },
        unknown: { id: own.id, userId: 'of-nobody' },
      },
    ];
  },
  // Test subjects never link: a test key is told so, whatever the id.
  'POST /users/{id}/link-token': async (world) => [await linkable(world)],
  'POST /users/{id}/links': async (world) => [await linkable(world)],
  'DELETE /users/{id}/links': async (world) => {
    const foreign = await linkable(world);
    await world.service.request('POST', `/users/${foreign.ids.id}/links`, foreign.owner);
    return [foreign];
  },
  '/users/{id}/projects/{projectId}': async ({ service, own, other }) => {
    const unknownOf = (id: string) => ({ id, projectId: UNKNOWN_ID });
    const foreign = async (what: string, caller: string, id: string, owner: string): Promise<Foreign> => {
      const ids = { id, projectId: await projectOf(service, owner, id) };
      return {
        what,
        caller: { key: caller },
        ids,
        owner: { key: owner },
        ownIds: ids,
        unknown: unknownOf('of-nobody'),
      };
    };
    const projectId = await projectOf(service, own.live.key, 'of-live');
    await report(service, outcome({ userId: 'neighbour' }), { key: own.live.key });
    return [
      await foreign("another platform's", own.live.key, 'of-the-other', other.live.key),
      await foreign("the test mode's", own.live.key, 'of-test', own.test.key),
      await foreign("the live mode's", own.test.key, 'of-live', own.live.key),
      {
        what: "another subject's",
        caller: { key: own.live.key },
        ids: { id: 'neighbour', projectId },
        owner: { key: own.live.key },
        ownIds: { id: 'of-live', projectId },
        unknown: unknownOf('neighbour'),
      },
    ];
  },
  '/events/{id}': inEachMode(
    async (service, owner) => (await report(service, outcome(), { key: owner })).body.eventId,
  ),
  '/confirmations/{id}': inEachMode(confirmationOf),
  '/activation/campaigns/{id}': inEachMode(campaignOf),
  '/references/{id}': inEachMode(referenceOf),
  '/agents/{id}': inEachMode(agentOf, 'of-nobody'),
  '/businesses/{id}': inEachMode(businessOf, 'of-nobody'),
  '/disputes/{id}': inEachMode(disputeOf),
  // On resolve another platform's of the same mode is 403: its own tests show that.
  'PATCH /disputes/{id}/resolve': async (world) => (await inEachMode(disputeOf)(world)).slice(2),
  'POST /disputes/{id}/resolve': async (world) => (await inEachMode(disputeOf)(world)).slice(2),
  // Test subjects share nothing, and a test key is told so.
  'POST /users/{id}/share-token': ofOtherLive,
  'POST /users/{id}/earnings/credential': ofOtherLive,
  'POST /users/{id}/professional-record/credential': ofOtherLive,
  'GET /users/{id}/career-export': ofOtherLive,
  // Test facts are not logged, and a test key is told so.
  'GET /users/{id}/score/proof': async (world) => {
    await settledLog(world.service.db);
    return ofOtherLive(world);
  },
  'GET /events/{id}/receipt': async ({ service, own, other }) => {
    const ids = { id: (await report(service, outcome(), { key: other.live.key })).body.eventId };
    await settledLog(service.db);
    const [caller, owner] = [{ key: own.live.key }, { key: other.live.key }];
    return [{ what: "another platform's", caller, ids, owner, ownIds: ids, unknown: { id: UNKNOWN_ID } }];
  },
  'GET /users/{id}/reliability-report': ofOtherLive,
  'POST /users/{id}/credential-offers': ofOtherLive,
  'POST /users/{id}/open-badges': ofOtherLive,
  'DELETE /users/{id}/share-token': ofOtherLive,
  '/platform/keys/{keyId}': async ({ service, own, other }) => {
    const ofOther = { keyId: await spareKey(service, other) };
    const ofOtherInTest = { keyId: await spareKey(service, other, true) };
    const ofLive = { keyId: await spareKey(service, own) };
    const unknown = { keyId: UNKNOWN_ID };
    const foreign = (what: string, caller: string, ids: Ids, owner: string): Foreign => {
      return { what, caller: { key: caller }, ids, owner: { key: owner }, ownIds: ids, unknown };
    };
    return [
      foreign("another platform's", own.live.key, ofOther, other.live.key),
      foreign("another platform's test", own.test.key, ofOtherInTest, other.test.key),
      foreign("the live mode's", own.test.key, ofLive, own.live.key),
    ];
  },
  '/notification-channels/{id}': inEachMode(slackChannel),
  // A mapping belongs to both modes.
  '/ingest/mappings/{id}': async (world) => (await inEachMode(savedMapping)(world)).slice(0, 2),
  '/imports/{id}': inEachMode(
    async (service, owner) => (await sendImport(service, csvOf(goodRows(1)), { key: owner })).body.id,
  ),
  '/monitors/{id}': inEachMode(monitorOf),
  '/policies/{id}': inEachMode(policyOf),
  '/admin/platforms/{id}/monitors/{monitorId}': async ({ service, own, other }) => {
    const operator = { admin: true };
    const foreign = (what: string, monitorId: string, ownIds: Ids, owner: RequestOptions): Foreign => {
      const unknown = { id: own.id, monitorId: UNKNOWN_ID };
      return { what, caller: operator, ids: { id: own.id, monitorId }, owner, ownIds, unknown };
    };
    const ofOther = await monitorOf(service, other.live.key, 'of-the-other');
    const ofTest = await monitorOf(service, own.test.key, 'of-test');
    const ofLive = await monitorOf(service, own.live.key, 'of-live');
    return [
      foreign("another platform's", ofOther, { id: other.id, monitorId: ofOther }, operator),
      foreign("the test mode's", ofTest, { id: own.id, monitorId: ofLive }, operator),
    ];
  },
  '/analytics/backtest/{id}': inEachMode(async (service, owner) => {
    const body = { by: 'outcome' };
    return (await service.request('POST', '/analytics/backtest', { key: owner, body })).body.backtest.id;
  }),
  '/admin/analytics/backtest/{id}': async ({ service, own }) => {
    const operator = { admin: true };
    const create = async (path: string, options: RequestOptions) =>
      (await service.request('POST', path, { ...options, body: { by: 'outcome' } })).body.backtest.id;
    const id = await create('/analytics/backtest', { key: own.live.key });
    const ownIds = { id: await create('/admin/analytics/backtest', operator) };
    const unknown = { id: UNKNOWN_ID };
    return [{ what: "a platform's", caller: operator, ids: { id }, owner: operator, ownIds, unknown }];
  },
  '/screenings/{id}': inEachMode(async (service, owner) => {
    const body = { userIds: ['of-live'] };
    return (await service.request('POST', '/screenings', { key: owner, body })).body.id;
  }),
  '/webhooks/{id}': inEachMode(webhookOf),
  '/webhooks/{id}/deliveries/{deliveryId}': async ({ service, own, other }) => {
    const unknown = { id: UNKNOWN_ID, deliveryId: UNKNOWN_ID };
    const foreign = async (what: string, caller: string, owner: string): Promise<Foreign> => {
      const ids = await deliveryOf(service, owner);
      return { what, caller: { key: caller }, ids, owner: { key: owner }, ownIds: ids, unknown };
    };
    const neighbour = await webhookOf(service, own.live.key);
    const { deliveryId, ...ofIt } = await deliveryOf(service, own.live.key);
    return [
      await foreign("another platform's", own.live.key, other.live.key),
      await foreign("the test mode's", own.live.key, own.test.key),
      {
        what: "another endpoint's",
        caller: { key: own.live.key },
        ids: { id: neighbour, deliveryId },
        owner: { key: own.live.key },
        ownIds: { ...ofIt, deliveryId },
        unknown: { id: neighbour, deliveryId: UNKNOWN_ID },
      },
    ];
  },
  '/admin/platforms/{id}/webhooks/{webhookId}': async ({ service, own, other }) => {
    const operator = { admin: true };
    const foreign = (what: string, webhookId: string, ownIds: Ids): Foreign => {
      const unknown = { id: own.id, webhookId: UNKNOWN_ID };
      return { what, caller: operator, ids: { id: own.id, webhookId }, owner: operator, ownIds, unknown };
    };
    const ofOther = await webhookOf(service, other.live.key);
    const ofTest = await webhookOf(service, own.test.key);
    const ofLive = await webhookOf(service, own.live.key);
    return [
      foreign("another platform's", ofOther, { id: other.id, webhookId: ofOther }),
      foreign("the test mode's", ofTest, { id: own.id, webhookId: ofLive }),
    ];
  },
  '/admin/platforms/{id}/webhooks/{webhookId}/deliveries/{deliveryId}': async ({ service, own, other }) => {
    const operator = { admin: true };
    const { id: webhookId, deliveryId } = await deliveryOf(service, other.live.key);
    return [
      {
        what: "another platform's",
        caller: operator,
        ids: { id: own.id, webhookId, deliveryId },
        owner: operator,
        ownIds: { id: other.id, webhookId, deliveryId },
        unknown: { id: own.id, webhookId: UNKNOWN_ID, deliveryId: UNKNOWN_ID },
      },
    ];
  },
  '/admin/platforms/{id}/keys/{keyId}': async ({ service, own, other }) => {
    const keyId = await spareKey(service, other);
    const operator = { admin: true };
    return [
      {
        what: "another platform's",
        caller: operator,
        ids: { id: own.id, keyId },
        owner: operator,
        ownIds: { id: other.id, keyId },
        unknown: { id: own.id, keyId: UNKNOWN_ID },
      },
    ];
  },
};

/**
 * One of a kind for each platform and mode, made with its owner's key; `userId` is a subject of the
 * owner's.
 */
function inEachMode(
  make: (service: TestService, owner: string, userId: string) => Promise<string> | string,
  unknownId = UNKNOWN_ID,
): (world: World) => Promise<Foreign[]> {
  return async ({ service, own, other }) => {
    const foreign = async (what: string, caller: string, owner: string, userId: string): Promise<Foreign> => {
      const ids = { id: await make(service, owner, userId) };
      const unknown = { id: unknownId };
      return { what, caller: { key: caller }, ids, owner: { key: owner }, ownIds: ids, unknown };
    };
    return [
      await foreign("another platform's", own.live.key, other.live.key, 'of-the-other'),
      await foreign("another platform's test", own.test.key, other.test.key, 'of-the-other-in-test'),
      await foreign("the test mode's", own.live.key, own.test.key, 'of-test'),
      await foreign("the live mode's", own.test.key, own.live.key, 'of-live'),
    ];
  };
}

function ofOtherLive({ own, other }: World): Foreign[] {
  const ids = { id: 'of-the-other' };
  const [caller, owner] = [{ key: own.live.key }, { key: other.live.key }];
  return [{ what: "another platform's", caller, ids, owner, ownIds: ids, unknown: { id: 'of-nobody' } }];
}

/** Live subjects of both platforms, and a token to link the one with the other. */
async function linkable({ service, own, other }: World): Promise<Foreign> {
  await report(service, outcome({ userId: 'to-link-of-own' }), { key: own.live.key });
  await report(service, outcome({ userId: 'to-link-of-the-other' }), { key: other.live.key });
  const path = '/users/to-link-of-own/link-token';
  const token = (await service.request('POST', path, { key: own.live.key })).body.linkToken;
  const ids = { id: 'to-link-of-the-other' };
  const owner = { key: other.live.key, body: { linkToken: token } };
  const caller = { key: own.live.key };
  const unknown = { id: 'of-nobody' };
  return { what: "another platform's", caller, ids, owner, ownIds: ids, unknown };
}

/** Addresses whose id is nobody's: the operator reaches every platform and subject. */
const openToTheirCallers = ['/admin/platforms/{id}', '/admin/users/{id}', '/admin/sweeps/{name}'];

/** What is hidden there looks as what is not there: both start from the blank record. */
const answersForUnknownIds = ['/score/project', '/documents/analyze'].map(
  (end) => `${API_PREFIX}/users/{id}${end}`,
);

/**
 * A token, not a caller, opens what is public under an id: the tests of each such operation present
 * wrong ones.
 */
const operations = operationsOf(routeTable()).filter(
  ({ path, route }) => path.includes('{') && route.access.kind !== 'public',
);

/** Up to the last placeholder: what stands behind it is said of the same thing. */
function shapeOf({ path }: Operation): string {
  return path.slice(path.startsWith(API_PREFIX) ? API_PREFIX.length : 0, path.lastIndexOf('}') + 1);
}

function fixturesOf(operation: Operation) {
  const { method, path } = operation;
  return fixtures[`${method} ${path.slice(API_PREFIX.length)}`] ?? fixtures[shapeOf(operation)];
}

describe('the isolation test', () => {
  test('has a fixture for every path with an id', () => {
    const known = [...Object.keys(fixtures), ...openToTheirCallers];
    const shapes = [...new Set(operations.map(shapeOf))];
    expect(shapes.filter((shape) => !known.includes(shape))).toEqual([]);
  });
});

describe.each(breadth)('data of another platform on %s', (engine) => {
  let world: World;

  beforeAll(async () => {
    const service = await joinTestService(engine, LOOPBACK_ALLOWED);
    const own = await addedPlatform(service, 'Own');
    const other = await addedPlatform(service, 'Other');
    world = { service, own, other };
    // Twice, so that there is a change to explain as well.
    for (let round = 0; round < 2; round += 1) {
      for (const [userId, { key }] of [
        ['of-the-other', other.live],
        ['of-the-other-in-test', other.test],
        ['of-test', own.test],
        ['of-live', own.live],
      ] as const) {
        await report(service, outcome({ userId, isVerified: true }), { key });
      }
      await service.settle();
    }
  });

  afterAll(() => world.service.close());

  const cases = operations.filter((operation) => fixturesOf(operation));

  test.each(cases)('is not found by others: $method $path', async (operation) => {
    const all = (await fixturesOf(operation)?.(world)) ?? [];
    for (const foreign of all) {
      const { caller, owner, ids, ownIds, unknown, what } = foreign;
      const hidden = await call(operation, ids, caller);
      const missing = await call(operation, unknown, caller);
      const status = answersForUnknownIds.includes(operation.path) ? 200 : 404;
      expect([what, hidden.status, hidden.said]).toEqual([what, status, missing.said]);
      expect(missing.status).toBe(status);
      for (const id of ['no-uuid', '%00']) {
        const malformed = await call(operation, withoutUuids(unknown, id), caller);
        expect([id, malformed.status, malformed.said]).toEqual([id, missing.status, missing.said]);
      }
      // Of another platform and of the other mode; those between ask the same.
      if ([all.at(0), all.at(-1)].includes(foreign)) await expectSameTime(operation, foreign);
      const reached = await call(operation, ownIds, owner);
      expect([what, reached.status < 400 ? 'reached' : reached.said]).toEqual([what, 'reached']);
      expect(reached.said).not.toEqual(missing.said);
      if (!takesCursor(operation)) continue;
      for (const cursor of ['nonsense', 'e30', '!']) {
        expect((await call(operation, ownIds, owner, `?cursor=${cursor}`)).status).toBe(400);
      }
    }
  });

  const ofPlatforms = operations.filter(({ path }) => path.startsWith(`${API_PREFIX}/admin/platforms/{id}`));

  test.each(ofPlatforms)('is not found under an unknown platform: $method $path', async (operation) => {
    for (const id of [UNKNOWN_ID, 'no-uuid', '%00']) {
      const ids = { id, userId: 'of-live', keyId: UNKNOWN_ID, webhookId: UNKNOWN_ID, monitorId: UNKNOWN_ID };
      const { status, said } = await call(operation, { ...ids, deliveryId: UNKNOWN_ID }, { admin: true });
      expect([id, status, said.code]).toEqual([id, 404, 'NOT_FOUND']);
    }
  });

  async function call({ method, path, route }: Operation, ids: Ids, options: RequestOptions, query = '') {
    const target = path.slice(API_PREFIX.length).replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '');
    const body = options.body ?? exampleOf(route.body);
    const startMs = performance.now();
    const answer = await world.service.request(method, target + query, { ...options, body });
    const durationMs = performance.now() - startMs;
    const { requestId: _, userId: __, ...said } = answer.body; // an answer repeats the id that was asked for
    return { status: answer.status, said, durationMs };
  }

  /**
   * Loosely: a look-up more would not be told apart from noise, a computation would. A busy machine
   * only ever adds to the shortest of several times, so it is asked again as long as that may still
   * explain the difference.
   */
  async function expectSameTime(operation: Operation, { caller, ids, unknown }: Foreign): Promise<void> {
    const shortest = { hidden: Number.POSITIVE_INFINITY, missing: Number.POSITIVE_INFINITY };
    for (let round = 1; round <= MAX_ROUNDS; round += 1) {
      shortest.hidden = Math.min(shortest.hidden, (await call(operation, ids, caller)).durationMs);
      shortest.missing = Math.min(shortest.missing, (await call(operation, unknown, caller)).durationMs);
      const { hidden, missing } = shortest;
      if (round >= MIN_ROUNDS && Math.max(hidden, missing) < 3 * Math.min(hidden, missing) + 5) return;
    }
    expect(shortest, 'the same time for what is hidden and what is missing').toBeNull();
  }
});

/** The ids of the service are UUIDs; of the platform, any text is one. */
function withoutUuids(ids: Ids, instead: string): Ids {
  const changed = Object.entries(ids).map(([name, id]) => [name, id === UNKNOWN_ID ? instead : id]);
  return Object.fromEntries(changed);
}

function takesCursor({ route }: Operation): boolean {
  return 'cursor' in ((route.query as { shape?: object } | undefined)?.shape ?? {});
}

const MIN_ROUNDS = 5;
const MAX_ROUNDS = 60;

async function projectOf(service: TestService, key: string, userId: string): Promise<string> {
  const body = { title: 'Own work', url: 'https://portfolio.example/work' };
  return (await service.request('POST', `/users/${userId}/projects`, { key, body })).body.id;
}

async function agentOf(service: TestService, key: string, owner: string): Promise<string> {
  const userId = `agent ${owner}`;
  await service.request('POST', '/agents', { key, body: { userId } });
  return userId;
}

async function businessOf(service: TestService, key: string, owner: string): Promise<string> {
  const userId = `business ${owner}`;
  const body = { userId, business: { legalName: 'Somebody Ltd' } };
  await service.request('POST', '/businesses', { key, body });
  return userId;
}

async function disputeOf(service: TestService, key: string): Promise<string> {
  return (await filedDispute(service, {}, key)).id;
}

async function confirmationOf(service: TestService, key: string): Promise<string> {
  const body = asking({ userId: 'of-whom' });
  return (await service.request('POST', '/confirmations', { key, body })).body.confirmation.id;
}

async function campaignOf(service: TestService, key: string): Promise<string> {
  const body = { name: 'Of the isolation tests', rows: [{ ...asking(), rowKey: 'one' }] };
  return (await service.request('POST', '/activation/campaigns', { key, body })).body.campaign.id;
}

async function referenceOf(service: TestService, key: string): Promise<string> {
  await known(service, 'vouched-for', { key });
  const claim = { kind: 'skill', title: 'Tiling' };
  const body = { userId: 'vouched-for', claim, counterpartyRef: 'witness' };
  return (await service.request('POST', '/references', { key, body })).body.reference.id;
}

async function spareKey(service: TestService, platform: OwnPlatform, isTest = false): Promise<string> {
  const path = `/admin/platforms/${platform.id}/keys`;
  return (await service.request('POST', path, { admin: true, body: { isTest } })).body.id;
}

async function slackChannel(service: TestService, key: string): Promise<string> {
  const target = 'https://hooks.slack.com/services/T0EXAMPLE/B0EXAMPLE/of-the-isolation-tests';
  const body = { type: 'slack', target };
  return (await service.request('POST', '/notification-channels', { key, body })).body.id;
}

/** For each operation a new one, under a name of its own. */
async function savedMapping(service: TestService, key: string): Promise<string> {
  const mapping = { userId: { path: 'who' }, eventType: { constant: 'CONTRACT_FULFILLED' } };
  const body = { name: `Isolated ${performance.now()}`, mapping };
  return (await service.request('POST', '/ingest/mappings', { key, body })).body.id;
}

async function monitorOf(service: TestService, key: string, userId: string): Promise<string> {
  const body = { userId, belowScore: 60 };
  return (await service.request('POST', '/monitors', { key, body })).body.id;
}

async function policyOf(service: TestService, key: string): Promise<string> {
  const body = { name: 'Isolated', condition: { metric: 'score', direction: 'below', threshold: 60 } };
  return (await service.request('POST', '/policies', { key, body })).body.id;
}

/** Its deliveries are refused at once: nothing listens there. */
async function webhookOf(service: TestService, key: string): Promise<string> {
  return (await addWebhook(service, { url: 'http://127.0.0.1:9/' }, { key })).body.id;
}

async function deliveryOf(service: TestService, key: string): Promise<{ id: string; deliveryId: string }> {
  const id = await webhookOf(service, key);
  return { id, deliveryId: (await service.request('POST', `/webhooks/${id}/test`, { key })).body.id };
}
