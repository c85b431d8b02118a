import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { givenSharedService } from '#harness/givenService.js';
import { exampleBodies, routeTable } from '#harness/routeTable.js';
import type { TestService } from '#harness/service.js';
import { API_PREFIX, operationsOf } from '#kit/http/route.js';
import { eventOf } from '../attestation/disputeFixtures.js';
import { once, outcome, report } from '../intake/eventFixtures.js';
import { addWebhook } from '../notify/webhooksFixtures.js';
import { mint } from '../tenancy/keyFixtures.js';
import { addedPlatform, type OwnPlatform } from '../tenancy/trail.js';

interface World {
  service: TestService;
  own: OwnPlatform;
}

interface Call {
  /** In the order of the placeholders of the path. */
  ids?: readonly string[];
  /** Default: the example of the operation. */
  body?: object;
  /** The operation is one of test mode. */
  isTest?: true;
}

/** Of the examples: it has an event and a score. */
const KNOWN = 'worker-4711';

/** What an operation needs beside its example. */
const calls: Record<string, (world: World) => Promise<Call> | Call> = {
  'POST /events/batch': () => ({ body: { events: [outcome({ userId: KNOWN }), {}] } }),
  'POST /disputes': async ({ service, own }) => ({
    body: { eventId: await eventOf(service, { eventType: 'CONTRACT_BREACHED' }, own.live.key) },
  }),
  'POST /users/{id}/links': async ({ service }) => {
    const other = await addedPlatform(service, 'Other');
    await report(service, outcome({ userId: 'to-link' }), { key: other.live.key });
    const { body } = await service.request('POST', '/users/to-link/link-token', { key: other.live.key });
    return { body: { linkToken: body.linkToken } };
  },
  'POST /users/{id}/open-badges': async ({ service, own }) => {
    const done = outcome({ userId: 'excellent', isVerified: true, stakeLevel: 'HIGH' });
    const body = { events: Array(20).fill({ ...done, eventType: 'CONTRACT_FULFILLED' }) };
    await service.request('POST', '/events/batch', { key: own.live.key, body });
    await service.settle();
    return { ids: ['excellent'] };
  },
  'POST /admin/platforms/{id}/keys': ({ own }) => ({ ids: [own.id] }),
  'POST /admin/platforms/{id}/keys/{keyId}/rotate': async ({ service, own }) => ({
    ids: [own.id, (await mint(service, own.live.key, {})).body.id],
  }),
  'POST /platform/keys/{keyId}/rotate': async ({ service, own }) => ({
    ids: [(await mint(service, own.live.key, {})).body.id],
  }),
  'POST /webhooks/{id}/rotate-secret': webhookOf,
  'POST /webhooks/{id}/recover': async (world) => ({
    ...(await webhookOf(world)),
    body: { since: new Date().toISOString() },
  }),
  'POST /admin/platforms/{id}/webhooks': ({ own }) => ({ ids: [own.id] }),
  'POST /admin/platforms/{id}/monitors': ({ own }) => ({ ids: [own.id] }),
  'POST /test/seed': () => ({ isTest: true }),
};

async function webhookOf({ service, own }: World): Promise<Call> {
  return { ids: [(await addWebhook(service, {}, { key: own.live.key })).body.id] };
}

/** Members of answers that are shown only once. */
const SECRETS = /"(?:key|secret|\w+Token|txCode)":"([^"]+)"|\/record\/(rl_[\w-]+)/g;

const exampleOf = await exampleBodies();
const idempotent = operationsOf(routeTable()).filter(({ route }) => route.idempotent);

describe.each(breadth)('a request repeated under its Idempotency-Key on %s', (engine) => {
  const service = givenSharedService(engine);

  test.each(idempotent)('runs once, and the same caller gets the first answer: $method $path', async (of) => {
    const { method, path, route } = of;
    const own = await addedPlatform(service, 'Own');
    await report(service, outcome({ userId: KNOWN, isVerified: true }), { key: own.live.key });
    await service.settle();
    const name = path.startsWith(API_PREFIX) ? path.slice(API_PREFIX.length) : `!${path}`;
    const { ids = [KNOWN], body, isTest } = (await calls[`${method} ${name}`]?.({ service, own })) ?? {};
    const isOperators = route.access.kind === 'operator';
    const sent = body ?? exampleOf(of);
    const text = sent === undefined ? undefined : JSON.stringify(sent);
    const left = [...ids];
    const target = name.replaceAll(/\{\w+\}/g, () => left.shift() ?? '');
    const send = (key: string, as = text) =>
      service.request(method, target, { key, admin: isOperators, body: as, ...once(`${own.id} once`) });
    const { key } = isTest ? own.test : own.live;

    const [first, second] = await Promise.all([send(key), send(key)]);
    const done = first.status < 300 ? first : second;
    expect(done.status, first.text).toBeLessThan(300);
    for (const simultaneous of [first, second]) {
      if (simultaneous.status === 409) expect(simultaneous.body.code).toBe('IDEMPOTENCY_KEY_IN_USE');
      else expect(simultaneous.body).toEqual(done.body);
    }
    const again = await send(key);
    expect([again.status, again.body]).toEqual([done.status, done.body]);
    expect(again.headers.get('idempotent-replay')).toBe('true');
    expect(again.headers.get('location')).toBe(done.headers.get('location'));

    if (text !== undefined) {
      const changed = await send(key, `${text} `);
      expect([changed.status, changed.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    }
    const secrets = [...done.text.matchAll(SECRETS)].map(([, secret, token]) => secret ?? token ?? '');
    const stored = await service.db.query<{ row: string }>('select i::text as row from idempotency i');
    // In quotes, as JSON has it: the digits of a short code occur in sealed answers by chance.
    for (const secret of secrets) expect(stored.some(({ row }) => row.includes(`"${secret}"`))).toBe(false);
    if (isOperators) return;
    const colleague = (await mint(service, key, {})).body.key;
    const told = await send(colleague);
    if (secrets.length > 0) expect([told.status, told.body.code]).toEqual([409, 'CONFLICT']);
    else expect([told.status, told.body]).toEqual([done.status, done.body]);
  });
});
