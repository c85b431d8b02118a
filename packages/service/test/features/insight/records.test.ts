import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { joinTestService, startTestService, type TestService } from '#harness/service.js';
import { anotherPlatform } from '../intake/eventFixtures.js';
import { newPlatform } from '../tenancy/keyFixtures.js';
import { breached, DAY_MS, fulfilled, linkAll, reportOf } from './recordFixtures.js';

const START = new Date('2026-02-10T12:00:00.000Z');
const PER_HOUR = 40;

describe.each(breadth)('the dispatch read on %s', (engine) => {
  let service: TestService;
  let now = START;

  beforeAll(async () => {
    const env = { VELOCITY_MAX_PER_HOUR: String(PER_HOUR) };
    service = await startTestService(engine, { env, clock: { now: () => now } });
  });
  afterAll(() => service.close());

  const read = async (id: string, query = '', key = service.liveKey) =>
    service.request('GET', `/users/${encodeURIComponent(id)}/reliability${query}`, { key });

  test('has the figures of the score with its drivers', async () => {
    await reportOf(service, 'known', [
      { ...fulfilled, completedAt: '2026-02-01T10:00:00Z', dueDate: '2026-02-02T10:00:00Z' },
      { ...fulfilled, completedAt: '2026-02-03T10:00:00Z', dueDate: '2026-02-02T10:00:00Z' },
      { ...fulfilled, completedAt: '2026-02-03T10:00:00Z' },
      { ...breached, dueDate: '2026-01-20T10:00:00Z' },
    ]);
    const { body: score } = await service.request('GET', '/users/known/score');
    const { body: explained } = await service.request('GET', '/users/known/score/explain');
    const { body } = await read('known', '?context=dispatch');
    expect(body).toEqual({
      userId: 'known',
      finalScore: score.finalScore,
      scoreBand: score.scoreBand,
      confidence: score.confidence,
      frozen: false,
      verifiedEvents: 4,
      totalEvents: 4,
      noShowRate: 0.25,
      onTime: 49.81,
      daysSinceLastEvent: 7,
      topDrivers: body.topDrivers,
    });
    const { body: components } = await service.request('GET', '/users/known/score/components');
    expect(body.onTime).toBe(components.components.timeliness);
    type Factor = { name: string; contribution: number };
    const strongest = (explained.factors as Factor[])
      .map(({ name, contribution }) => ({ factor: name, contribution }))
      .sort((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution));
    expect(body.topDrivers).toEqual(strongest.slice(0, 3));
  });

  test('counts breaches among outcomes, without contested breaches and cancelled outcomes', async () => {
    await reportOf(service, 'mixed', [
      fulfilled,
      breached,
      { eventType: 'TRANSACTION_DISPUTED' },
      { eventType: 'CONTRACT_CANCELLED' },
      { eventType: 'TRANSACTION_CANCELLED', isVerified: true },
    ]);
    expect((await read('mixed')).body).toMatchObject({ noShowRate: 0.3333, totalEvents: 5 });
  });

  test('an unknown figure is null, never 0', async () => {
    await reportOf(service, 'only-cancelled', [{ eventType: 'CONTRACT_CANCELLED' }]);
    const { body } = await read('only-cancelled');
    expect(body).toMatchObject({ finalScore: 20, noShowRate: null, onTime: null, topDrivers: [] });
    await reportOf(service, 'undated', [fulfilled]);
    expect((await read('undated')).body).toMatchObject({ noShowRate: 0, onTime: null });
  });

  test('an unknown context is refused with DISPATCH_CONTEXT_INVALID', async () => {
    await reportOf(service, 'asked', [fulfilled]);
    for (const query of ['?context=credit', '?context=', '?context=DISPATCH']) {
      const answer = await read('asked', query);
      expect([answer.status, answer.body.code]).toEqual([400, 'DISPATCH_CONTEXT_INVALID']);
    }
  });

  test('follows ageing without a recompute, except for a frozen score', async () => {
    await reportOf(service, 'too-fast', [fulfilled]);
    const before = (await read('too-fast')).body;
    await reportOf(service, 'too-fast', Array(PER_HOUR).fill(breached));
    now = new Date(START.getTime() + 3 * DAY_MS);
    expect((await read('too-fast')).body).toEqual({ ...before, frozen: true, daysSinceLastEvent: 3 });
    now = START;
  });

  test('stays under 1 KB for ids of 640 bytes, and under 1.2 KB for any', async () => {
    const events = [
      ...Array(7).fill({
        ...fulfilled,
        completedAt: '2026-02-01T10:00:00Z',
        dueDate: '2026-02-02T10:00:00Z',
      }),
      ...Array(3).fill({ ...breached, stakeLevel: 'HIGH' }),
      {
        eventType: 'CONTRACT_BREACHED',
        completedAt: '2026-02-01T10:00:00Z',
        dueDate: '2026-01-02T10:00:00Z',
      },
    ];
    const ids = [
      'a'.repeat(255),
      '𝄞'.repeat(127),
      'é'.repeat(255),
      '"'.repeat(255),
      '漢'.repeat(213),
      '漢'.repeat(255),
    ];
    const sizes: number[] = [];
    for (const id of ids) {
      await reportOf(service, id, events);
      const answer = await read(id);
      expect(answer.body.topDrivers).toHaveLength(3);
      sizes.push(Buffer.byteLength(answer.text));
    }
    expect(Math.max(...sizes.slice(0, -1))).toBeLessThan(1000);
    expect(Math.max(...sizes)).toBeLessThan(1200);
  });
});

describe.each(breadth)('a subject that was never scored on %s', (engine) => {
  test('has only null figures, and a read computes nothing', async () => {
    const service = await startTestService(engine, { env: { ROLE: 'api' } });
    await service.request('POST', '/events', { body: { userId: 'new', ...fulfilled } });
    const { status, body } = await service.request('GET', '/users/new/reliability');
    expect([status, body]).toEqual([
      200,
      {
        userId: 'new',
        finalScore: null,
        scoreBand: null,
        confidence: null,
        frozen: false,
        verifiedEvents: null,
        totalEvents: null,
        noShowRate: null,
        onTime: null,
        daysSinceLastEvent: null,
        topDrivers: [],
      },
    ]);
    const platforms = (await service.request('GET', '/users/new/platforms')).body;
    expect(platforms).toEqual({ platforms: [], erasedEvents: 0, blendedMultiplier: null });
    const { items } = (await service.request('GET', '/users/new/timeline')).body;
    expect(items.map(({ kind }: { kind: string }) => kind)).toEqual(['event']);
    expect(await service.db.query('select 1 from score union all select 1 from score_snapshot')).toEqual([]);
    expect(await service.db.query('select 1 from recompute_queue')).toHaveLength(1);
    await service.close();
  });
});

describe.each(breadth)('the platforms of a record on %s', (engine) => {
  let service: TestService;
  beforeAll(async () => {
    service = await joinTestService(engine, { VELOCITY_MAX_PER_HOUR: String(PER_HOUR) });
  });
  afterAll(() => service.close());

  const read = async (id: string, key = service.liveKey) =>
    service.request('GET', `/users/${id}/platforms`, { key });

  test('a subject that is not linked has the caller as its only platform', async () => {
    const before = Date.now();
    await reportOf(service, 'alone', [fulfilled, { ...fulfilled, isVerified: false }]);
    await reportOf(service, 'alone', [
      { eventType: 'CONTRACT_CANCELLED', completedAt: '2020-01-01T00:00:00Z' },
    ]);
    const { body } = await read('alone');
    expect(body).toEqual({
      platforms: [
        {
          self: true,
          name: 'Default',
          trustTier: 'STARTER',
          trustMultiplier: 0.7,
          eventCount: 3,
          verifiedEventCount: 1,
          firstEventAt: expect.any(String),
          lastEventAt: expect.any(String),
        },
      ],
      erasedEvents: 0,
      blendedMultiplier: 0.7,
    });
    const [{ firstEventAt, lastEventAt }] = body.platforms;
    expect(Date.parse(firstEventAt)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(lastEventAt)).toBeGreaterThan(Date.parse(firstEventAt));
  });

  test('of linked platforms only the caller is named; each event weighs the same in the multiplier', async () => {
    const other = await anotherPlatform(service);
    const { platforms } = (await service.request('GET', '/admin/platforms', { admin: true })).body;
    const { id } = platforms.find(({ name }: { name: string }) => name === 'Another platform');
    await service.request('PATCH', `/admin/platforms/${id}`, {
      admin: true,
      body: { trustTier: 'ENTERPRISE' },
    });
    await reportOf(service, 'shared', [fulfilled, fulfilled]);
    await reportOf(service, 'shared', [breached], other.liveKey);
    await linkAll(service, 'shared', other.liveKey);
    await service.settle();
    const mine = (await read('shared')).body;
    expect(mine.platforms).toMatchObject([
      { self: true, name: 'Default', trustTier: 'STARTER', eventCount: 2, verifiedEventCount: 2 },
      { self: false, name: null, trustTier: 'ENTERPRISE', trustMultiplier: 1, eventCount: 1 },
    ]);
    expect(mine.blendedMultiplier).toBe(0.8);
    const theirs = (await read('shared', other.liveKey)).body;
    expect(theirs.platforms).toMatchObject([
      { self: true, name: 'Another platform', eventCount: 1 },
      { self: false, name: null, eventCount: 2 },
    ]);
    expect(JSON.stringify(theirs)).not.toContain('Default');
    // The record is shared, so its figures are, too; whose events they are stays apart.
    const { body } = await service.request('GET', '/users/shared/reliability');
    expect(body).toMatchObject({ totalEvents: 3, noShowRate: 0.3333 });
    const { items } = (await service.request('GET', '/users/shared/timeline', { key: other.liveKey })).body;
    const events = items.filter(({ kind }: { kind: string }) => kind === 'event');
    expect(events).toMatchObject([{ event: { userId: 'shared', eventType: 'CONTRACT_BREACHED' } }]);
  });

  test('the multiplier is the one of the published score: each event with the tier at its report', async () => {
    const { platformId, live } = await newPlatform(service, { trustTier: 'STARTER' });
    const report = (events: object[]) => reportOf(service, 'tiered', events, live.key);
    await report([fulfilled, fulfilled]);
    const path = `/admin/platforms/${platformId}`;
    await service.request('PATCH', path, { admin: true, body: { trustTier: 'ENTERPRISE' } });
    expect((await read('tiered', live.key)).body).toMatchObject({
      platforms: [{ trustTier: 'ENTERPRISE', trustMultiplier: 1, eventCount: 2 }],
      blendedMultiplier: 0.7,
    });
    await report([fulfilled]);
    expect((await read('tiered', live.key)).body.blendedMultiplier).toBe(0.8);
  });

  test('a frozen score keeps its multiplier while events arrive', async () => {
    const { platformId, live } = await newPlatform(service, { trustTier: 'STARTER' });
    await reportOf(service, 'rushed', [fulfilled, fulfilled], live.key);
    const path = `/admin/platforms/${platformId}`;
    await service.request('PATCH', path, { admin: true, body: { trustTier: 'ENTERPRISE' } });
    await reportOf(service, 'rushed', Array(PER_HOUR + 1).fill(fulfilled), live.key);
    const score = (await service.request('GET', '/users/rushed/score', live)).body;
    expect(score).toMatchObject({ frozen: true });
    const { platforms, blendedMultiplier } = (await read('rushed', live.key)).body;
    expect(score.totalEvents).toBe(2);
    expect(platforms).toMatchObject([{ eventCount: 2 }]);
    expect(blendedMultiplier).toBe(0.7);
  });

  test('outcomes of an erased member count in both, and nothing else is said of it', async () => {
    const own = await newPlatform(service, { trustTier: 'STARTER' });
    const other = await newPlatform(service, { trustTier: 'ENTERPRISE' });
    await reportOf(service, 'with-erased', [fulfilled, fulfilled], own.live.key);
    await reportOf(service, 'with-erased', [breached], other.live.key);
    await linkAll(service, 'with-erased', other.live.key, own.live.key);
    await service.settle();
    expect((await read('with-erased', own.live.key)).body).toMatchObject({
      erasedEvents: 0,
      blendedMultiplier: 0.8,
    });
    const erased = await service.request('POST', '/users/with-erased/erasure', other.live);
    expect(erased.status, erased.text).toBeLessThan(300);
    await service.settle();
    const { body } = await read('with-erased', own.live.key);
    expect(body).toMatchObject({ erasedEvents: 1, blendedMultiplier: 0.8 });
    expect(body.platforms).toMatchObject([{ self: true, eventCount: 2 }]);
    expect(body.platforms).toHaveLength(1);
    const { totalEvents } = (await service.request('GET', '/users/with-erased/score', own.live)).body;
    expect(totalEvents).toBe(3);
  });
});
