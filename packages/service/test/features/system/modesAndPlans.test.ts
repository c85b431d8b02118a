import { beforeAll, describe, expect, test } from 'vitest';
import type { ErrorCode } from '#domain/errorCatalog.js';
import { breadth } from '#harness/engines.js';
import { givenSharedService } from '#harness/givenService.js';
import { exampleBodies, routeTable } from '#harness/routeTable.js';
import { API_PREFIX, type Operation, operationsOf } from '#kit/http/route.js';
import { outcome, report } from '../intake/eventFixtures.js';
import { newPlatform } from '../tenancy/keyFixtures.js';

const PLANS = ['starter', 'growth', 'enterprise'];
/** The feature and the smallest plan that opens it. Reading what is there needs none. */
const opened: Record<string, [feature: string, plan: string]> = {
  'POST /activation/campaigns': ['campaigns', 'growth'],
  'POST /agents': ['agents', 'enterprise'],
  'POST /screenings': ['screenings', 'enterprise'],
};

/** Test subjects are neither shared nor linked nor logged. */
const liveOnly = [
  'DELETE /platform/users/{id}',
  'DELETE /users/{id}/links',
  'DELETE /users/{id}/share-token',
  'GET /events/{id}/receipt',
  'GET /users/{id}/career-export',
  'GET /users/{id}/reliability-report',
  'GET /platform/users',
  'GET /users/{id}/score/proof',
  'PATCH /platform/users/{id}',
  'POST /platform/users',
  'POST /users/{id}/credential-offers',
  'POST /users/{id}/earnings/credential',
  'POST /users/{id}/link-token',
  'POST /users/{id}/links',
  'POST /users/{id}/open-badges',
  'POST /users/{id}/professional-record/credential',
  'POST /users/{id}/share-token',
];
/** A test key is refused a part of these: live keys, settings, records behind a token. */
const partlyLive = [
  'POST /record/{token}/share',
  'GET /verify/{token}/business-record',
  'GET /verify/{token}/delivery-receipts',
  'PATCH /platform',
  'POST /platform/keys',
];
const testOnly = ['DELETE /test/data', 'POST /test/seed'];

const exampleOf = await exampleBodies();
const operations = operationsOf(routeTable());
const gated = operations.filter(({ route }) => route.plan).map(nameOf);
const oneModed = (code: ErrorCode) =>
  operations.filter(({ route }) => route.errors?.includes(code)).map(nameOf);

function nameOf({ name }: Operation): string {
  return name.replace(API_PREFIX, '');
}

describe.each(breadth)('an operation that only some plans have, on %s', (engine) => {
  const service = givenSharedService(engine);

  test('is each of these', () => {
    expect(gated.sort()).toEqual(Object.keys(opened));
  });

  test.each(Object.entries(opened))(
    '%s is refused under smaller plans, but not in test mode',
    async (name, of) => {
      const [feature, requiredPlan] = of;
      const [method = '', path = ''] = name.split(' ');
      for (const plan of PLANS) {
        const { live, test: inTest } = await newPlatform(service, { plan });
        // The plan is looked at before the body.
        const call = (key: string) => service.request(method, path, { key, body: {} });
        const isOpen = PLANS.indexOf(plan) >= PLANS.indexOf(requiredPlan);
        expect(await call(live.key)).toMatchObject(
          isOpen
            ? { status: 400, body: { code: 'VALIDATION_ERROR' } }
            : {
                status: 402,
                body: { code: 'PLAN_REQUIRED', details: { feature, currentTier: plan, requiredPlan } },
              },
        );
        expect((await call(inTest.key)).body.code).toBe('VALIDATION_ERROR');
      }
    },
  );
});

describe.each(breadth)('an operation of one mode, on %s', (engine) => {
  const service = givenSharedService(engine);
  beforeAll(async () => {
    await report(service, outcome({ userId: 'in-test', isVerified: true }), { key: service.testKey });
    await service.settle();
  });

  const call = async (name: string, key: string, id: string) => {
    const [method = '', path = ''] = name.split(' ');
    const operation = operations.find((each) => nameOf(each) === name);
    const body = operation && exampleOf(operation);
    const { status, body: said } = await service.request(method, path.replace('{id}', id), { key, body });
    return [status, said.code];
  };

  test('is each of these', () => {
    expect(oneModed('TEST_MODE_NOT_ALLOWED').sort()).toEqual([...liveOnly, ...partlyLive].sort());
    expect(oneModed('TEST_MODE_ONLY').sort()).toEqual(testOnly);
  });

  test.each(liveOnly)('%s is refused to test keys', async (name) => {
    const event = await report(service, outcome({ userId: 'in-test' }), { key: service.testKey });
    const id = name.includes('/events/') ? event.body.eventId : 'in-test';
    expect(await call(name, service.testKey, id)).toEqual([403, 'TEST_MODE_NOT_ALLOWED']);
  });

  test.each(testOnly)('%s is refused to live keys', async (name) => {
    expect(await call(name, service.liveKey, '')).toEqual([403, 'TEST_MODE_ONLY']);
  });
});
