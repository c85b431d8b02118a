import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { joinTestService, type RequestOptions, type TestService } from '#harness/service.js';
import { outcome, report } from '../intake/eventFixtures.js';
import { newPlatform, trailOf } from '../tenancy/keyFixtures.js';
import { SLACK_URL } from './channelFixtures.js';
import { NOWHERE } from './webhooksFixtures.js';

interface Kind {
  path: string;
  /** The member of the list. */
  list: string;
  body: object;
  /** All that an answer shows beside the id and the times. */
  record: object;
  change?: object;
  changed?: object;
  /** Of the plan `starter`, in each mode. */
  limit: number;
  refusal: object;
  isOperators?: true;
}

const BELOW_60 = { metric: 'score', direction: 'below', threshold: 60 };
const LEAVES_GOOD = { metric: 'band', direction: 'leave', band: 'Good' };
const ENABLED = { isActive: true };

const kinds: Kind[] = [
  {
    path: '/webhooks',
    list: 'webhooks',
    body: { url: NOWHERE, events: ['score.updated', 'monitor.triggered', 'score.updated'], description: 'A' },
    record: {
      ...ENABLED,
      url: NOWHERE,
      events: ['score.updated', 'monitor.triggered'],
      description: 'A',
      disabledReason: null,
      failingSince: null,
    },
    change: { url: `${NOWHERE}/2`, events: ['import.completed', 'import.completed'], description: null },
    changed: { url: `${NOWHERE}/2`, events: ['import.completed'], description: null },
    limit: 50,
    refusal: { code: 'CONFLICT', details: { limit: 50 } },
    isOperators: true,
  },
  {
    path: '/monitors',
    list: 'monitors',
    body: { userId: 'worker', belowScore: 60.25, onBandChange: true },
    record: {
      ...ENABLED,
      userId: 'worker',
      belowScore: 60.25,
      aboveScore: null,
      onBandChange: true,
      lastTriggeredAt: null,
    },
    change: { belowScore: null, aboveScore: 70, onBandChange: null },
    changed: { belowScore: null, aboveScore: 70, onBandChange: false },
    limit: 10,
    refusal: {
      code: 'MONITOR_LIMIT_REACHED',
      retryable: false,
      details: { limit: 10, tier: 'starter' },
    },
    isOperators: true,
  },
  {
    path: '/policies',
    list: 'policies',
    body: { name: 'Check them', condition: BELOW_60 },
    record: {
      ...ENABLED,
      name: 'Check them',
      condition: { ...BELOW_60, component: null, band: null },
      userId: null,
    },
    change: { name: 'Watch him', condition: LEAVES_GOOD, userId: 'worker' },
    changed: {
      name: 'Watch him',
      condition: { ...LEAVES_GOOD, threshold: null, component: null },
      userId: 'worker',
    },
    limit: 5,
    refusal: { code: 'POLICY_LIMIT_REACHED', details: { limit: 5, tier: 'starter', mode: 'live' } },
  },
  {
    path: '/notification-channels',
    list: 'notificationChannels',
    body: { type: 'slack', target: SLACK_URL },
    record: {
      ...ENABLED,
      type: 'slack',
      target: 'https://hooks.slack.com/services/…/…Xv3q',
      lastSentAt: null,
      lastError: null,
    },
    limit: 3,
    refusal: { code: 'NOTIFICATION_CHANNEL_LIMIT_REACHED', details: { limit: 3 } },
  },
];

describe.each(breadth)('what notifies a platform, on %s', (engine) => {
  let service: TestService;
  beforeAll(async () => {
    service = await joinTestService(engine);
  });
  afterAll(() => service.close());

  /** A platform of the smallest plan that has reported on a worker in both modes. */
  async function starter() {
    const platform = await newPlatform(service, { plan: 'starter' });
    for (const { key } of [platform.live, platform.test])
      await report(service, outcome({ userId: 'worker' }), { key });
    return platform;
  }

  const asPlatform = kinds.map((kind) => ({ ...kind, by: 'the platform' }));
  const asOperator = kinds
    .filter((kind) => kind.isOperators)
    .map((kind) => ({ ...kind, by: 'the operator' }));

  test.each([...asPlatform, ...asOperator])(
    'is made, read, changed and deleted by $by: $path',
    async ({ path, list, body, record, change, changed, by }) => {
      const { platformId, live } = await starter();
      const ofPlatform = by === 'the platform';
      const base = ofPlatform ? path : `/admin/platforms/${platformId}${path}`;
      const caller: RequestOptions = ofPlatform ? { key: live.key } : { admin: true };
      const call = (method: string, end = '', sent?: object) =>
        service.request(method, base + end, { ...caller, body: sent });

      const made = await call('POST', '', body);
      const { id, createdAt, updatedAt, secret: _, ...shown } = made.body;
      expect([made.status, shown]).toEqual([201, record]);
      expect(updatedAt).toBe(change && createdAt);
      const whole = { ...shown, id, createdAt, ...(change && { updatedAt }) };
      const read = async () => (await service.request('GET', `${path}/${id}`, { key: live.key })).body;
      expect(await read()).toEqual(whole);
      expect((await call('GET')).body).toEqual({ [list]: [whole], nextCursor: null });

      if (change) {
        const answer = await call('PATCH', `/${id}`, change);
        const after = { ...whole, ...changed, updatedAt: expect.any(String) };
        expect([answer.status, answer.body]).toEqual([200, after]);
        const before = await trailOf(service, platformId);
        for (const same of [{}, changed]) {
          expect((await call('PATCH', `/${id}`, same)).body).toEqual(answer.body);
        }
        expect(await read()).toEqual(answer.body);
        expect(await trailOf(service, platformId)).toEqual(before);
      }

      const deleted = await call('DELETE', `/${id}`);
      expect([deleted.status, deleted.text]).toEqual([204, '']);
      expect(await read()).toMatchObject({ code: 'NOT_FOUND' });
      const actors = (await trailOf(service, platformId)).flatMap((entry) =>
        entry.target === id ? [entry.actor] : [],
      );
      expect(actors).toEqual(Array(change ? 3 : 2).fill(ofPlatform ? `key:${live.id}` : 'operator'));
    },
  );

  test.each(kinds)(
    'has a cap that holds against simultaneous requests, for each mode: $path',
    async ({ path, list, body, limit, refusal, isOperators }) => {
      const { platformId, live, test: inTest } = await starter();
      const add = (key: string) => service.request('POST', path, { key, body });
      for (let count = 3; count < limit; count += 1) await add(live.key);
      const answers = await Promise.all(Array.from({ length: 12 }, () => add(live.key)));
      const refused = answers.filter(({ status }) => status !== 201);
      expect(refused).toHaveLength(9);
      for (const answer of refused) expect(answer).toMatchObject({ status: 409, body: refusal });
      expect((await add(inTest.key)).status).toBe(201);
      const byOperator = () =>
        service.request('POST', `/admin/platforms/${platformId}${path}`, { admin: true, body });
      if (isOperators) expect(await byOperator()).toMatchObject({ status: 409, body: refusal });
      const [{ id }] = (await service.request('GET', path, { key: live.key })).body[list];
      await service.request('DELETE', `${path}/${id}`, { key: live.key });
      expect((await (isOperators ? byOperator() : add(live.key))).status).toBe(201);
      expect((await add(live.key)).status).toBe(409);
    },
  );

  test.each(kinds.filter(({ path }) => ['/monitors', '/policies'].includes(path)))(
    'does not count towards the cap while inactive, until it is enabled: $path',
    async ({ path, body, limit, refusal }) => {
      const { key } = (await starter()).live;
      const add = (isActive: boolean) => service.request('POST', path, { key, body: { ...body, isActive } });
      const change = (id: string, isActive: boolean, more = {}) =>
        service.request('PATCH', `${path}/${id}`, { key, body: { isActive, ...more } });
      const ids: string[] = [];
      for (let count = 0; count < limit + 5; count += 1) ids.push((await add(false)).body.id);
      const answers = await Promise.all(ids.map((id) => change(id, true)));
      const refused = answers.filter(({ status }) => status === 409);
      expect(refused).toHaveLength(5);
      expect(refused[0]?.body).toMatchObject(refusal);
      const active = answers.find(({ status }) => status === 200)?.body.id;
      expect((await change(active, true, { userId: 'worker', belowScore: 33 })).status).toBe(200);
      expect((await change(active, false)).status).toBe(200);
      expect((await add(true)).status).toBe(201);
      expect((await change(active, true)).status).toBe(409);
    },
  );
});
