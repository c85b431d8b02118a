import { describe, expect, test } from 'vitest';
import { mainEngine } from '#harness/engines.js';
import { openEventStream } from '#harness/eventStream.js';
import { givenSharedService } from '#harness/givenService.js';
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
  const service = givenSharedService(mainEngine);

  /** A platform with so many more of each than the plan `starter` allows, and their ids. */
  async function givenBeyond(caps: readonly (typeof CAPS)[number][], more: number) {
    const { platformId, live, test: sandbox } = await newPlatform(service);
    const event = { userId: 'worker', eventType: 'CONTRACT_FULFILLED' };
    await service.request('POST', '/events', { ...live, body: event });
    await service.settle();
    const made = new Map<string, string[]>();
    for (const { cap, path, body } of caps) {
      const ids: string[] = [];
      for (let n = 0; n < cap + more; n += 1) {
        const answer = await service.request('POST', path, { ...live, body: body(n) });
        expect(answer.status, answer.text).toBe(201);
        ids.push(answer.body.id);
      }
      made.set(path, ids);
    }
    const shrink = () =>
      service.request('PATCH', `/admin/platforms/${platformId}`, { admin: true, body: { plan: 'starter' } });
    const overLimits = async ({ key } = live) =>
      (await service.request('GET', '/platform', { key })).body.overLimits;
    return { platformId, live, sandbox, made, shrink, overLimits };
  }

  test('keeps what exceeds it, reads how much that is, and adds nothing until there is room', async () => {
    const { live, sandbox, made, shrink, overLimits } = await givenBeyond(CAPS, 2);
    const streams = await Promise.all([1, 2, 3].map(() => openEventStream(service.url, live)));
    expect(await overLimits()).toEqual([]);

    await shrink();
    expect(await overLimits()).toEqual([
      ...CAPS.map(({ limit, cap }) => ({ limit, cap, used: cap + 2 })),
      { limit: 'streams', cap: 2, used: 3 },
    ]);
    expect(await overLimits(sandbox)).toEqual([]);
    for (const { path, body, refusal } of CAPS) {
      const ids = made.get(path) ?? [];
      const listed = await service.request('GET', `${path}?limit=100`, live);
      for (const id of ids) expect(listed.text).toContain(id);
      const create = async (n: number) => {
        const answer = await service.request('POST', path, { ...live, body: body(n) });
        return [answer.status, answer.body.code];
      };
      expect(await create(99)).toEqual([409, refusal]);
      for (const id of ids.slice(0, 2)) await service.request('DELETE', `${path}/${id}`, live);
      expect(await create(98)).toEqual([409, refusal]);
      await service.request('DELETE', `${path}/${ids[2]}`, live);
      expect(await create(97)).toEqual([201, undefined]);
    }
    expect(await overLimits()).toEqual([{ limit: 'streams', cap: 2, used: 3 }]);
    for (const stream of streams) stream.close();
  });

  test('does not exceed it by what is paused, nor by streams of a process that is dead', async () => {
    const over = CAPS.slice(0, 2);
    const { platformId, live, made, shrink, overLimits } = await givenBeyond(over, 1);
    await service.db.execute(
      `insert into stream_lease (lease_id, platform_id, livemode, process_id, seen_at)
       select gen_random_uuid(), $1, true, gen_random_uuid(), now() - interval '1 minute' from generate_series(1, 3)`,
      [platformId],
    );
    await shrink();
    expect(await overLimits()).toEqual(over.map(({ limit, cap }) => ({ limit, cap, used: cap + 1 })));
    for (const [path, [id]] of made) {
      const paused = await service.request('PATCH', `${path}/${id}`, { ...live, body: { isActive: false } });
      expect(paused.status, paused.text).toBe(200);
    }
    expect(await overLimits()).toEqual([]);
  });
});
