import { afterAll, describe, expect, test } from 'vitest';
import { differencesIn } from '#harness/differencesIn.js';
import { breadth } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import type { TestAnswer } from '#harness/service.js';
import { breached as bad, fulfilled as good, reportAll } from '../insight/recordFixtures.js';
import { DAY_MS, movableClock } from '../tenancy/keyFixtures.js';
import { trailOf } from '../tenancy/trail.js';
import {
  type Alias,
  alias,
  ask,
  figuresOf,
  freeze,
  link,
  reportOf,
  thaw,
  tokenOf,
  unlink,
} from './linkFixtures.js';

const MINUTE_MS = 60_000;
const CONFLICT = { status: 409, body: { code: 'CONFLICT' } };

describe.each(breadth)('linked subjects on %s', (engine) => {
  const clock = movableClock();
  const service = givenService(engine, { clock, env: { VELOCITY_MAX_PER_HOUR: '50' } });
  afterAll(async () => expect(await differencesIn(service.db)).toEqual([]));

  const use = (joining: Alias, linkToken: unknown) =>
    ask(service, joining, 'POST', '/links', { body: { linkToken } });
  /** Links the second with the first, and waits for the score of the record. */
  const linked = async (second: Alias, first: Alias) => {
    const answer = await link(service, second, first);
    await service.settle();
    return answer;
  };
  const leave = async (leaving: Alias) => {
    const answer = await unlink(service, leaving);
    await service.settle();
    return answer;
  };
  const eventsOf = async (of: Alias) => (await figuresOf(service, of)).totalEvents;

  test('a link token is shown once, valid for fifteen minutes, and stored as a hash', async () => {
    const host = await alias(service, 'host-of-token', [good]);
    const { status, body } = await ask(service, host, 'POST', '/link-token');
    expect(status).toBe(201);
    expect(body.linkToken).toMatch(/^lkt_[A-Za-z0-9_-]{43}$/);
    const lifetimeMs = Date.parse(body.expiresAt) - clock.now().getTime();
    expect(lifetimeMs).toBeGreaterThan(14 * MINUTE_MS);
    expect(lifetimeMs).toBeLessThanOrEqual(15 * MINUTE_MS);
    const rows = await service.db.query<{ row: string }>('select link_token::text as row from link_token');
    expect(rows.map(({ row }) => row).join()).not.toContain(body.linkToken);
  });

  test('linked subjects share one score of all their events, also for later events', async () => {
    const [first, second] = await pair('shared', [good, good], [bad]);
    expect((await linked(second, first)).body).toEqual({ linked: true, platforms: 2 });
    expect(await figuresOf(service, first)).toMatchObject({ totalEvents: 3, verifiedEvents: 3 });
    expect(await figuresOf(service, second)).toEqual(await figuresOf(service, first));
    const [latest] = (await ask(service, first, 'GET', '/score/history')).body.history;
    expect(latest).toMatchObject({ reason: 'linked', totalEvents: 3 });
    await reportOf(service, second, good);
    await service.settle();
    expect(await figuresOf(service, first)).toMatchObject({ totalEvents: 4 });
    expect(await figuresOf(service, second)).toEqual(await figuresOf(service, first));
  });

  test('a third platform can join a record, with a token of any member', async () => {
    const [first, second] = await pair('trio', [good], [good]);
    const third = await alias(service, 'trio-third', [bad]);
    await link(service, second, first);
    expect((await linked(third, second)).body).toEqual({ linked: true, platforms: 3 });
    for (const member of [first, second, third]) expect(await eventsOf(member)).toBe(3);
    expect((await leave(first)).body).toEqual({ unlinked: true });
    expect(await eventsOf(first)).toBe(1);
    for (const member of [second, third]) {
      expect(await eventsOf(member)).toBe(2);
      const [latest] = (await ask(service, member, 'GET', '/score/history')).body.history;
      expect(latest.reason).toBe('unlinked');
    }
  });

  test('a subject that leaves has its own score again, as has the last one left', async () => {
    const [first, second] = await pair('parted', [good, good], [bad]);
    const before = [await scoreOf(first), await scoreOf(second)];
    await linked(second, first);
    expect(await scoreOf(first)).not.toEqual(before[0]);
    await leave(second);
    expect([await scoreOf(first), await scoreOf(second)]).toEqual(before);
    await reportOf(service, second, bad);
    await service.settle();
    expect(await scoreOf(first)).toEqual(before[0]);
    expect((await linked(first, second)).status).toBe(201);
    expect(await eventsOf(first)).toBe(4);
  });

  test('a subject that is not linked cannot be unlinked, on every attempt', async () => {
    const [first, second] = await pair('never-linked', [good], [good]);
    expect(await unlink(service, first)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    await link(service, first, second);
    expect((await unlink(service, first)).status).toBe(200);
    expect(await unlink(service, first)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  test('a token that is unknown, used up or expired gets one and the same answer', async () => {
    const [first, second] = await pair('tokens', [good], [good]);
    const third = await alias(service, 'tokens-third', [good]);
    const used = await tokenOf(service, first);
    expect((await use(second, used)).status).toBe(201);
    const late = await tokenOf(service, first);
    clock.aheadMs += 15 * MINUTE_MS;
    const answers = [];
    for (const linkToken of [used, late, `lkt_${'x'.repeat(43)}`, 'x', 'crd_live_no-link-token-at-all']) {
      const { status, body } = await use(third, linkToken);
      answers.push([status, body.code, body.error]);
    }
    expect(answers[0]?.slice(0, 2)).toEqual([401, 'LINK_TOKEN_INVALID']);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });

  test('the sweep deletes unusable tokens only', async () => {
    const host = await alias(service, 'swept', [good]);
    await tokenOf(service, host);
    clock.aheadMs += 16 * MINUTE_MS;
    const fresh = await tokenOf(service, host);
    await service.request('POST', '/admin/sweeps/retention', { admin: true });
    const rows = await service.db.query('select 1 from link_token');
    expect(rows).toHaveLength(1);
    const joining = await alias(service, 'swept-other', [good]);
    expect((await use(joining, fresh)).status).toBe(201);
  });

  test('two subjects of one platform are never linked, neither directly nor through a record', async () => {
    const [first, second] = await pair('same', [good], [good]);
    const sibling = { platform: first.platform, userId: 'same-sibling' };
    await reportOf(service, sibling, good);
    expect(await link(service, sibling, first)).toMatchObject(CONFLICT);
    expect(await link(service, first, first)).toMatchObject(CONFLICT);
    await link(service, second, first);
    expect(await link(service, sibling, second)).toMatchObject(CONFLICT);
  });

  test('subjects of different types are not linked', async () => {
    const person = await alias(service, 'type-person', [good]);
    const agent = await agentOn('type-agent');
    expect(await link(service, agent, person)).toMatchObject(CONFLICT);
  });

  test('a linked subject joins no other record, and a refusal uses no token', async () => {
    const [first, second] = await pair('taken', [good], [good]);
    const third = await alias(service, 'taken-third', [good]);
    await link(service, second, first);
    const linkToken = await tokenOf(service, third);
    expect(await use(second, linkToken)).toMatchObject(CONFLICT);
    expect(await link(service, second, first)).toMatchObject(CONFLICT);
    await unlink(service, second);
    expect(await use(second, linkToken)).toMatchObject({ status: 201, body: { platforms: 2 } });
  });

  test('unlinking keeps the freeze only at subjects with a burst of their own, and each score its own events', async () => {
    // A score ages at midnight: the hours of this test are those of one day.
    clock.aheadMs += DAY_MS - (clock.now().getTime() % DAY_MS);
    const [first, second] = await pair('frozen', [good], [bad]);
    const [hasty, third] = await pair('frozen-too', [good], [good]);
    const steady = await alias(service, 'frozen-with-them', []);
    const report = ({ platform, userId }: Alias, count: number) =>
      reportAll(service, userId, Array(count).fill(good), platform.live.key);
    const before = [await scoreOf(first), await scoreOf(second), await scoreOf(hasty)];
    await linked(second, first);
    await linked(hasty, first);
    await report(steady, 1);
    await linked(steady, first);
    await freeze(service, first, good);
    expect(await figuresOf(service, second)).toMatchObject({ frozen: true, totalEvents: 4 });
    await report(steady, 49);
    const agent = await agentOn('frozen-agent');
    const ordinary = await link(service, agent, third);
    for (const host of [first, second]) {
      const refused = await link(service, third, host);
      expect(refused).toMatchObject(CONFLICT);
      // The words are those of another refusal, so they say nothing about a review.
      expect(saidIn(refused)).toEqual(saidIn(ordinary));
      expect(refused.text).not.toMatch(/froz|review|velocity/i);
    }
    clock.aheadMs += 61 * MINUTE_MS;
    await report(steady, 49);
    clock.aheadMs += 61 * MINUTE_MS;
    // Fifty-one within an hour, though not at once.
    await report(hasty, 26);
    clock.aheadMs += 58 * MINUTE_MS;
    await report(hasty, 25);
    // Longer than the worker looks back.
    clock.aheadMs += 61 * MINUTE_MS;
    for (const member of [second, hasty, steady]) await leave(member);
    expect(await figuresOf(service, steady)).toMatchObject({ frozen: false, totalEvents: 99 });
    expect(await scoreOf(second)).toEqual(before[1]);
    expect(await scoreOf(first)).toEqual({ ...before[0], frozen: true });
    expect(await scoreOf(hasty)).toEqual({ ...before[2], frozen: true });
    expect(await flagsOf(second)).toMatchObject([
      { action: 'VELOCITY_FLAG_CLEARED', actor: 'service' },
      { action: 'VELOCITY_FLAG_SET', actor: 'service' },
    ]);
    expect(await link(service, first, third)).toMatchObject(CONFLICT);
    expect((await link(service, third, second)).status).toBe(201);
    await thaw(service, first);
    expect(await figuresOf(service, first)).toMatchObject({ frozen: false, totalEvents: 52 });
  });

  test('clearing one frozen member clears the record, which each platform can read', async () => {
    const [first, second] = await pair('cleared', [good], [good]);
    await linked(second, first);
    await freeze(service, first, good);
    await thaw(service, second);
    expect(await figuresOf(service, first)).toMatchObject({ frozen: false, totalEvents: 53 });
    expect(await figuresOf(service, second)).toEqual(await figuresOf(service, first));
    for (const member of [first, second]) {
      const { userId } = member;
      expect(await flagsOf(member)).toMatchObject([
        { action: 'VELOCITY_FLAG_CLEARED', details: { userId } },
        { action: 'VELOCITY_FLAG_SET', details: { userId } },
      ]);
    }
  });

  test('a record keeps its score when one of its platforms is deactivated', async () => {
    const [first, second] = await pair('inactive', [good], [good]);
    await link(service, second, first);
    const path = `/admin/platforms/${second.platform.id}`;
    await service.request('PATCH', path, { admin: true, body: { isActive: false } });
    await reportOf(service, first, good);
    await service.settle();
    expect(await eventsOf(first)).toBe(3);
    await leave(first);
    expect(await eventsOf(first)).toBe(2);
  });

  async function flagsOf({ platform }: Alias) {
    const trail = await trailOf(service, platform.live.key);
    return trail.filter(({ action }) => action.startsWith('VELOCITY'));
  }

  async function agentOn(userId: string): Promise<Alias> {
    const agent = await alias(service, userId, []);
    await service.request('POST', '/agents', { key: agent.platform.live.key, body: { userId } });
    return agent;
  }

  async function pair(name: string, ofFirst: object[], ofSecond: object[]): Promise<[Alias, Alias]> {
    const first = await alias(service, `${name}-first`, ofFirst);
    const second = await alias(service, `${name}-second`, ofSecond);
    await service.settle();
    return [first, second];
  }

  async function scoreOf(of: Alias): Promise<object> {
    const { computedAt: _, ...figures } = await figuresOf(service, of);
    return figures;
  }
});

function saidIn({ body: { requestId: _, ...said } }: TestAnswer): object {
  return said;
}
