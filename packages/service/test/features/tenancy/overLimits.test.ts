import { describe, expect, test } from 'vitest';
import { mainEngine } from '#harness/engines.js';
import { openEventStream } from '#harness/eventStream.js';
import { joinTestService } from '#harness/service.js';
import { suiteService } from '#harness/suiteService.js';
import { newPlatform } from './keyFixtures.js';

/** The caps of the plan `starter`, and how one more is made. */
const CAPS = [
  {
    limit: 'monitors',
    cap: 10,
    path: '/monitors',
    body: () => ({ userId: 'worker', belowScore: 30 }),
    refusal: 'MONITOR_LIMIT_REACHED',
  },
  {
    limit: 'policies',
    cap: 5,
    path: '/policies',
    body: () => ({ name: 'x', condition: { metric: 'score', direction: 'below', threshold: 30 } }),
    refusal: 'POLICY_LIMIT_REACHED',
  },
  {
    limit: 'notificationChannels',
    cap: 3,
    path: '/notification-channels',
    body: (n: number) => ({ type: 'slack', target: `https://hooks.slack.com/services/T0/B0/${n}` }),
    refusal: 'NOTIFICATION_CHANNEL_LIMIT_REACHED',
  },
] as const;

describe('a platform that gets a smaller plan', () => {
  const service = suiteService(() => joinTestService(mainEngine));

  test('keeps what exceeds it, reads how much that is, and adds nothing until there is room', async () => {
    const { platformId, live, test: sandbox } = await newPlatform(service);
    const setPlan = (plan: string) =>
      service.request('PATCH', `/admin/platforms/${platformId}`, { admin: true, body: { plan } });
    const overLimits = async ({ key }: { key: string }) =>
      (await service.request('GET', '/platform', { key })).body.overLimits;
    await setPlan('enterprise');
    await service.request('POST', '/events', {
      ...live,
      body: { userId: 'worker', eventType: 'CONTRACT_FULFILLED' },
    });
    await service.settle();
    const made = new Map<string, string[]>();
    for (const { limit, cap, path, body } of CAPS) {
      const ids: string[] = [];
      for (let n = 0; n < cap + 2; n += 1) {
        const answer = await service.request('POST', path, { ...live, body: body(n) });
        expect(answer.status, answer.text).toBe(201);
        ids.push(answer.body.id);
      }
      made.set(limit, ids);
    }
    const streams = await Promise.all([1, 2, 3].map(() => openEventStream(service.url, live)));
    expect(await overLimits(live)).toEqual([]);

    await setPlan('starter');
    expect(await overLimits(live)).toEqual([
      ...CAPS.map(({ limit, cap }) => ({ limit, cap, used: cap + 2 })),
      { limit: 'streams', cap: 2, used: 3 },
    ]);
    expect(await overLimits(sandbox)).toEqual([]);
    for (const { limit, path, body, refusal } of CAPS) {
      const listed = await service.request('GET', `${path}?limit=100`, live);
      for (const id of made.get(limit) ?? []) expect(listed.text).toContain(id);
      const more = await service.request('POST', path, { ...live, body: body(99) });
      expect([more.status, more.body.code]).toEqual([409, refusal]);
    }

    for (const { limit, path, body } of CAPS) {
      const [first, second, third] = made.get(limit) ?? [];
      for (const id of [first, second]) await service.request('DELETE', `${path}/${id}`, live);
      expect((await service.request('POST', path, { ...live, body: body(98) })).status).toBe(409);
      await service.request('DELETE', `${path}/${third}`, live);
      expect((await service.request('POST', path, { ...live, body: body(97) })).status).toBe(201);
    }
    expect(await overLimits(live)).toEqual([{ limit: 'streams', cap: 2, used: 3 }]);
    for (const stream of streams) stream.close();
  });

  test('does not exceed it by what is paused, nor by streams of a process that is dead', async () => {
    const { platformId, live } = await newPlatform(service);
    const setPlan = (plan: string) =>
      service.request('PATCH', `/admin/platforms/${platformId}`, { admin: true, body: { plan } });
    const overLimits = async () => (await service.request('GET', '/platform', live)).body.overLimits;
    await setPlan('enterprise');
    await service.request('POST', '/events', {
      ...live,
      body: { userId: 'worker', eventType: 'CONTRACT_FULFILLED' },
    });
    await service.settle();
    const over = CAPS.slice(0, 2);
    const paths: string[] = [];
    for (const { cap, path, body } of over) {
      for (let n = 0; n < cap + 1; n += 1) {
        const { id } = (await service.request('POST', path, { ...live, body: body(n) })).body;
        if (n === 0) paths.push(`${path}/${id}`);
      }
    }
    await service.db.execute(
      `insert into stream_seat (seat_id, platform_id, livemode, process_id, seen_at)
       select gen_random_uuid(), $1, true, gen_random_uuid(), now() - interval '1 minute' from generate_series(1, 3)`,
      [platformId],
    );
    await setPlan('starter');
    expect(await overLimits()).toEqual(over.map(({ limit, cap }) => ({ limit, cap, used: cap + 1 })));
    for (const path of paths) {
      const paused = await service.request('PATCH', path, { ...live, body: { isActive: false } });
      expect(paused.status, paused.text).toBe(200);
    }
    expect(await overLimits()).toEqual([]);
  });
});
