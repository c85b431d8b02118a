import { dayOf, isoFromDay } from '@reliability/scoring';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { differencesIn } from '#harness/differencesIn.js';
import { breadth } from '#harness/engines.js';
import { startTestService, type TestService } from '#harness/service.js';
import { alias, ask } from './linkFixtures.js';

const DAY_MS = 86_400_000;
const good = { eventType: 'CONTRACT_FULFILLED', isVerified: true };
const bad = { eventType: 'CONTRACT_BREACHED', isVerified: true };

describe.each(breadth)('the days of a freeze on %s', (engine) => {
  let service: TestService;
  let now = new Date('2026-01-05T12:00:00.000Z');

  beforeAll(async () => {
    const env = { VELOCITY_MAX_PER_HOUR: '50' };
    service = await startTestService(engine, { env, clock: { now: () => now } });
  });
  afterAll(() => service.close());

  const sweep = async (name: string) => {
    const { body } = await service.request('POST', `/admin/sweeps/${name}`, { admin: true });
    await service.settle();
    return body.affected;
  };
  const passDays = async (days: number) => {
    for (let day = 0; day < days; day += 1) {
      now = new Date(now.getTime() + DAY_MS);
      await sweep('decay');
    }
  };

  test('read as they were published, also when retention has thinned the days around them', async () => {
    const of = await alias(service, 'long-ago', [good, bad]);
    await service.settle();
    await passDays(9);
    const events = Array.from({ length: 60 }, () => ({ userId: of.userId, ...bad }));
    await service.request('POST', '/events/batch', { key: of.platform.live.key, body: { events } });
    await service.settle();
    const first = dayOf(now);
    await passDays(3);
    const path = `/admin/users/${of.userId}/resolve-velocity-flag?platformId=${of.platform.id}`;
    expect((await service.request('POST', path, { admin: true })).status).toBe(200);
    await service.settle();
    await passDays(5);
    now = new Date(now.getTime() + 70 * DAY_MS);
    await sweep('decay');
    const read = async () => {
      const days = [0, 1, 2].map((day) => isoFromDay(first + day));
      const explained = days.map((day) => ask(service, of, 'GET', `/score/explain?asOf=${day}&by=recorded`));
      const course = `/score/course?by=recorded&step=day&from=${days[0]}&to=${days[2]}`;
      return Promise.all(
        [...explained, ask(service, of, 'GET', course)].map(async (one) => (await one).body),
      );
    };
    const before = await read();
    expect(new Set(before.slice(0, 3).map(({ finalScore }) => finalScore)).size).toBe(1);
    expect(JSON.stringify(before[0])).toContain('RECORD_UNDER_VELOCITY_REVIEW');
    expect(await sweep('retention')).toBeGreaterThan(5);
    expect(await read()).toEqual(before);
    expect(await differencesIn(service.db, undefined, now)).toEqual([]);
  });
});
