import { performance } from 'node:perf_hooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { API_PREFIX, type Operation, operationsOf } from '../../src/kit/http/route.js';
import { engines } from '../harness/engines.js';
import { routeTable } from '../harness/routeTable.js';
import { type RequestOptions, startTestService, type TestService } from '../harness/service.js';
import { outcome, report } from './eventFixtures.js';
import { addedPlatform, type OwnPlatform } from './trail.js';

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

const UNKNOWN_ID = '0199a3c2-7b1e-7c40-8d21-5f0c9b7a1e34';

/** What stands under each shape of path; made anew for each operation, since some of them use it up. */
const fixtures: Record<string, (world: World) => Promise<Foreign[]> | Foreign[]> = {
  '/users/{id}': ({ own, other }) => {
    const unknown = { id: 'of-nobody' };
    const foreign = (what: string, caller: string, id: string, owner: string): Foreign => {
      return { what, caller: { key: caller }, ids: { id }, owner: { key: owner }, ownIds: { id }, unknown };
    };
    return [
      foreign("another platform's", own.live.key, 'of-the-other', other.live.key),
      foreign("another platform's test", own.test.key, 'of-the-other-in-test', other.test.key),
      foreign("the test mode's", own.live.key, 'of-test', own.test.key),
      foreign("the live mode's", own.test.key, 'of-live', own.live.key),
    ];
  },
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

/** Addresses whose id is nobody's: the operator reaches every platform and subject. */
const openToTheirCallers = ['/admin/platforms/{id}', '/admin/users/{id}', '/admin/sweeps/{name}'];

const operations = operationsOf(routeTable()).filter(({ path }) => path.includes('{'));

/** Up to the last placeholder: what stands behind it is said of the same thing. */
function shapeOf({ path }: Operation): string {
  return path.slice(path.startsWith(API_PREFIX) ? API_PREFIX.length : 0, path.lastIndexOf('}') + 1);
}

describe('the isolation test', () => {
  test('has something to look for under every path with an id', () => {
    const known = [...Object.keys(fixtures), ...openToTheirCallers];
    const shapes = [...new Set(operations.map(shapeOf))];
    expect(shapes.filter((shape) => !known.includes(shape))).toEqual([]);
  });
});

describe.each(engines)('what belongs to somebody else on %s', (engine) => {
  let world: World;

  beforeAll(async () => {
    const service = await startTestService(engine);
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

  const cases = operations.filter((operation) => shapeOf(operation) in fixtures);

  test.each(cases)('is not there for others: $method $path', async (operation) => {
    for (const foreign of (await fixtures[shapeOf(operation)]?.(world)) ?? []) {
      const { caller, owner, ids, ownIds, unknown, what } = foreign;
      const hidden = await call(operation, ids, caller);
      const missing = await call(operation, unknown, caller);
      expect([what, hidden.status, hidden.said]).toEqual([what, 404, missing.said]);
      expect(missing.status).toBe(404);
      await expectSameTime(operation, foreign);
      const reached = await call(operation, ownIds, owner);
      expect([what, reached.status < 400 ? 'reached' : reached.said]).toEqual([what, 'reached']);
    }
  });

  async function call({ method, path, route }: Operation, ids: Ids, options: RequestOptions) {
    const target = path.slice(API_PREFIX.length).replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '');
    const body = route.body?.meta()?.example;
    const startMs = performance.now();
    const answer = await world.service.request(method, target, { ...options, body });
    const durationMs = performance.now() - startMs;
    const { requestId: _, ...said } = answer.body;
    return { status: answer.status, said, durationMs };
  }

  /** Loosely: a look-up more would not be told apart from a busy machine, a computation would. */
  async function expectSameTime(operation: Operation, { caller, ids, unknown }: Foreign): Promise<void> {
    const hidden: number[] = [];
    const missing: number[] = [];
    for (let round = 0; round < 9; round += 1) {
      hidden.push((await call(operation, ids, caller)).durationMs);
      missing.push((await call(operation, unknown, caller)).durationMs);
    }
    const [slower = 0, faster = 0] = [median(hidden), median(missing)].sort((left, right) => right - left);
    expect(slower).toBeLessThan(3 * faster + 5);
  }
});

async function spareKey(service: TestService, platform: OwnPlatform, isTest = false): Promise<string> {
  const path = `/admin/platforms/${platform.id}/keys`;
  return (await service.request('POST', path, { admin: true, body: { isTest } })).body.id;
}

function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}
