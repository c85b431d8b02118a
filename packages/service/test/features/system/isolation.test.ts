import { performance } from 'node:perf_hooks';
import { beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { givenSharedService } from '#harness/givenService.js';
import { routeTable } from '#harness/routeTable.js';
import type { RequestOptions, TestService } from '#harness/service.js';
import { readExamples } from '#kit/http/openapiTexts.js';
import { API_PREFIX, type Operation, operationsOf } from '#kit/http/route.js';
import { settledLog } from '../../ledger/log/logDeps.js';
import { outcome, report } from '../intake/eventFixtures.js';
import { addWebhook, LOOPBACK_ALLOWED } from '../notify/webhooksFixtures.js';
import { UNKNOWN_ID } from '../tenancy/keyFixtures.js';
import { addedPlatform, type OwnPlatform } from '../tenancy/trail.js';
import { type Make, makers, posted } from './makers.js';

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

const OPERATOR: RequestOptions = { admin: true };

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
    return [ofOtherPlatform({ own, other }, { userId }, { userId: 'of-nobody' })];
  },
  // Test subjects never link: a test key is told so, whatever the id.
  'POST /users/{id}/link-token': async (world) => [await linkable(world)],
  'POST /users/{id}/links': async (world) => [await linkable(world)],
  'DELETE /users/{id}/links': async (world) => {
    const foreign = await linkable(world);
    await world.service.request('POST', `/users/${foreign.ids.id}/links`, foreign.owner);
    return [foreign];
  },
  '/users/{id}/projects/{projectId}': belowSubject('projectId', makers.project),
  '/users/{id}/record-links/{recordLinkId}': belowSubject('recordLinkId', async (service, key, id) => {
    const { body } = await service.request('POST', `/users/${id}/record-links`, { key });
    return body.recordLinkId;
  }),
  '/events/{id}': inEachMode(makers.event),
  '/confirmations/{id}': inEachMode(makers.confirmation),
  '/activation/campaigns/{id}': inEachMode(makers.campaign),
  '/references/{id}': inEachMode(makers.reference),
  '/agents/{id}': inEachMode(makers.agent, 'of-nobody'),
  '/businesses/{id}': inEachMode(makers.business, 'of-nobody'),
  '/disputes/{id}': inEachMode(makers.dispute),
  '/reviews/{id}': inEachMode(makers.review),
  // On resolve another platform's of the same mode is 403: its own tests show that.
  'PATCH /disputes/{id}/resolve': async (world) => (await inEachMode(makers.dispute)(world)).slice(2),
  'POST /disputes/{id}/resolve': async (world) => (await inEachMode(makers.dispute)(world)).slice(2),
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
    const ids = { id: await makers.event(service, other.live.key) };
    await settledLog(service.db);
    return [foreign("another platform's", own.live.key, other.live.key, ids)];
  },
  'GET /users/{id}/reliability-report': ofOtherLive,
  'POST /users/{id}/credential-offers': ofOtherLive,
  'POST /users/{id}/open-badges': ofOtherLive,
  'DELETE /users/{id}/share-token': ofOtherLive,
  '/platform/keys/{keyId}': async ({ service, own, other }) => {
    const keyId = await spareKey(service, other);
    const keyIdInTest = await spareKey(service, other, true);
    const ofLive = { keyId: await spareKey(service, own) };
    return [
      foreign("another platform's", own.live.key, other.live.key, { keyId }),
      foreign("another platform's test", own.test.key, other.test.key, { keyId: keyIdInTest }),
      foreign("the live mode's", own.test.key, own.live.key, ofLive),
    ];
  },
  '/platform/users/{id}': async ({ service, own, other }) => {
    const id = await makers.consoleUser(service, other.live.key);
    return [foreign("another platform's", own.live.key, other.live.key, { id })];
  },
  '/admin/users/{userId}': async ({ service, own }) => {
    const userId = await makers.consoleUser(service, own.live.key);
    const body = { email: `${userId}@example.com`, role: 'viewer' };
    const made = await service.request('POST', '/admin/users', { ...OPERATOR, body });
    const ownIds = { userId: made.body.id };
    const unknown = { userId: UNKNOWN_ID };
    return [{ what: "a platform's", caller: OPERATOR, ids: { userId }, owner: OPERATOR, ownIds, unknown }];
  },
  '/notification-channels/{id}': inEachMode(makers.channel),
  // A mapping belongs to both modes.
  '/ingest/mappings/{id}': async (world) => (await inEachMode(makers.mapping)(world)).slice(0, 2),
  '/imports/{id}': inEachMode(makers.import),
  '/monitors/{id}': inEachMode(makers.monitor),
  '/policies/{id}': inEachMode(makers.policy),
  '/admin/platforms/{id}/monitors/{monitorId}': ofLiveMode('monitorId', makers.monitor),
  '/analytics/backtest/{id}': inEachMode(
    async (service, owner) =>
      (await posted(service, owner, '/analytics/backtest', { by: 'outcome' })).backtest.id,
  ),
  '/admin/analytics/backtest/{id}': async ({ service, own }) => {
    const create = async (path: string, options: RequestOptions) =>
      (await service.request('POST', path, { ...options, body: { by: 'outcome' } })).body.backtest.id;
    const id = await create('/analytics/backtest', { key: own.live.key });
    const ownIds = { id: await create('/admin/analytics/backtest', OPERATOR) };
    const unknown = { id: UNKNOWN_ID };
    return [{ what: "a platform's", caller: OPERATOR, ids: { id }, owner: OPERATOR, ownIds, unknown }];
  },
  '/screenings/{id}': inEachMode(makers.screening),
  '/webhooks/{id}': inEachMode(webhookOf),
  '/webhooks/{id}/deliveries/{deliveryId}': async ({ service, own, other }) => {
    const deliveryIn = async (what: string, owner: string) =>
      foreign(what, own.live.key, owner, await deliveryOf(service, owner));
    const neighbour = await webhookOf(service, own.live.key);
    const ownIds = await deliveryOf(service, own.live.key);
    const ids = { ...ownIds, id: neighbour };
    const unknown = { ...ids, deliveryId: UNKNOWN_ID };
    return [
      await deliveryIn("another platform's", other.live.key),
      await deliveryIn("the test mode's", own.test.key),
      { ...foreign("another endpoint's", own.live.key, own.live.key, ids, unknown), ownIds },
    ];
  },
  '/admin/platforms/{id}/webhooks/{webhookId}': ofLiveMode('webhookId', webhookOf),
  '/admin/platforms/{id}/webhooks/{webhookId}/deliveries/{deliveryId}': async ({ service, own, other }) => {
    const { id: webhookId, deliveryId } = await deliveryOf(service, other.live.key);
    return [ofOtherPlatform({ own, other }, { webhookId, deliveryId })];
  },
  '/admin/platforms/{id}/keys/{keyId}': async ({ service, own, other }) => [
    ofOtherPlatform({ own, other }, { keyId: await spareKey(service, other) }),
  ],
};

/** What the caller may not see and the owner may, both under these ids. */
function foreign(what: string, caller: string, owner: string, ids: Ids, unknown = unknownFor(ids)): Foreign {
  return { what, caller: { key: caller }, ids, owner: { key: owner }, ownIds: ids, unknown };
}

function unknownFor(ids: Ids): Ids {
  return Object.fromEntries(Object.keys(ids).map((name) => [name, UNKNOWN_ID]));
}

/** What the operator finds under the platform `other`, but not under `own`. */
function ofOtherPlatform(
  { own, other }: Pick<World, 'own' | 'other'>,
  ids: Ids,
  unknown = unknownFor(ids),
): Foreign {
  return {
    what: "another platform's",
    caller: OPERATOR,
    ids: { id: own.id, ...ids },
    owner: OPERATOR,
    ownIds: { id: other.id, ...ids },
    unknown: { id: own.id, ...unknown },
  };
}

/** What the operator finds under its platform if it is of the live mode. */
function ofLiveMode(name: string, make: Make): (world: World) => Promise<Foreign[]> {
  return async ({ service, own, other }) => {
    const idIn = async (key: string, userId: string) => ({ [name]: await make(service, key, userId) });
    const ofOther = ofOtherPlatform({ own, other }, await idIn(other.live.key, 'of-the-other'));
    const ids = { id: own.id, ...(await idIn(own.test.key, 'of-test')) };
    const ownIds = { id: own.id, ...(await idIn(own.live.key, 'of-live')) };
    return [ofOther, { ...ofOther, what: "the test mode's", ids, ownIds }];
  };
}

/** One of a kind for each platform and mode. */
function inEachMode(make: Make, unknownId = UNKNOWN_ID): (world: World) => Promise<Foreign[]> {
  return async ({ service, own, other }) => {
    const madeBy = async (what: string, caller: string, owner: string, userId: string) =>
      foreign(what, caller, owner, { id: await make(service, owner, userId) }, { id: unknownId });
    return [
      await madeBy("another platform's", own.live.key, other.live.key, 'of-the-other'),
      await madeBy("another platform's test", own.test.key, other.test.key, 'of-the-other-in-test'),
      await madeBy("the test mode's", own.live.key, own.test.key, 'of-test'),
      await madeBy("the live mode's", own.test.key, own.live.key, 'of-live'),
    ];
  };
}

function ofOtherLive({ own, other }: World): Foreign[] {
  const [ids, unknown] = [{ id: 'of-the-other' }, { id: 'of-nobody' }];
  return [foreign("another platform's", own.live.key, other.live.key, ids, unknown)];
}

/** Live subjects of both platforms, and a token to link the one with the other. */
/** What a subject has, by an id of its own. @param make for the subject. */
function belowSubject(name: string, make: Make): (world: World) => Promise<Foreign[]> {
  return async ({ service, own, other }) => {
    const of = async (what: string, caller: string, id: string, owner: string) => {
      const ids = { id, [name]: await make(service, owner, id) };
      return foreign(what, caller, owner, ids, { id: 'of-nobody', [name]: UNKNOWN_ID });
    };
    const made = await make(service, own.live.key, 'of-live');
    await report(service, outcome({ userId: 'neighbour' }), { key: own.live.key });
    const ids = { id: 'neighbour', [name]: made };
    return [
      await of("another platform's", own.live.key, 'of-the-other', other.live.key),
      await of("the test mode's", own.live.key, 'of-test', own.test.key),
      await of("the live mode's", own.test.key, 'of-live', own.live.key),
      {
        ...foreign("another subject's", own.live.key, own.live.key, ids, { ...ids, [name]: UNKNOWN_ID }),
        ownIds: { id: 'of-live', [name]: made },
      },
    ];
  };
}

async function linkable({ service, own, other }: World): Promise<Foreign> {
  await report(service, outcome({ userId: 'to-link-of-own' }), { key: own.live.key });
  await report(service, outcome({ userId: 'to-link-of-the-other' }), { key: other.live.key });
  const path = '/users/to-link-of-own/link-token';
  const { linkToken } = (await service.request('POST', path, { key: own.live.key })).body;
  const [ids, unknown] = [{ id: 'to-link-of-the-other' }, { id: 'of-nobody' }];
  const owner = { key: other.live.key, body: { linkToken } };
  return { ...foreign("another platform's", own.live.key, other.live.key, ids, unknown), owner };
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
  const service = givenSharedService(engine, LOOPBACK_ALLOWED);
  let world: World;
  beforeAll(async () => {
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
      // What is in a file is looked at once its subject is found.
      const isReached = reached.status < (operation.route.textBody ? 404 : 400);
      expect([what, isReached ? 'reached' : reached.said]).toEqual([what, 'reached']);
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
    // A file has no example: any JSON will do.
    const body = options.body ?? exampleOf(route.body) ?? (route.textBody ? {} : undefined);
    const startMs = performance.now();
    const answer = await service.request(method, target + query, { ...options, body });
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

async function spareKey(service: TestService, platform: OwnPlatform, isTest = false): Promise<string> {
  const path = `/admin/platforms/${platform.id}/keys`;
  return (await service.request('POST', path, { admin: true, body: { isTest } })).body.id;
}

/** Its deliveries are refused at once: nothing listens there. */
async function webhookOf(service: TestService, key: string): Promise<string> {
  return (await addWebhook(service, { url: 'http://127.0.0.1:9/' }, { key })).body.id;
}

async function deliveryOf(service: TestService, key: string): Promise<{ id: string; deliveryId: string }> {
  const id = await webhookOf(service, key);
  return { id, deliveryId: (await posted(service, key, `/webhooks/${id}/test`)).id };
}
