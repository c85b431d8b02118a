import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import { newPlatform } from '../tenancy/keyFixtures.js';
import { breached, DAY_MS, fulfilled, linkAll, reportAll } from './recordFixtures.js';

const START = new Date('2026-02-10T12:00:00.000Z');
const PER_HOUR = 40;

interface Driver {
  factor: string;
  contribution: number;
}

describe.each(breadth)('the dispatch read and the platforms of a record on %s', (engine) => {
  let now = START;
  const env = { VELOCITY_MAX_PER_HOUR: String(PER_HOUR) };
  const service = givenService(engine, { env, clock: { now: () => now } });
  const get = async (id: string, what: string, key?: string) =>
    (await service.request('GET', `/users/${encodeURIComponent(id)}/${what}`, { key })).body;
  const read = (id: string, key?: string) => get(id, 'reliability', key);
  const platformsOf = (id: string, key?: string) => get(id, 'platforms', key);

  test('has the figures of the score with its drivers', async () => {
    await reportAll(service, 'known', [
      { ...fulfilled, completedAt: '2026-02-01T10:00:00Z', dueDate: '2026-02-02T10:00:00Z' },
      { ...fulfilled, completedAt: '2026-02-03T10:00:00Z', dueDate: '2026-02-02T10:00:00Z' },
      { ...fulfilled, completedAt: '2026-02-03T10:00:00Z' },
      { ...breached, dueDate: '2026-01-20T10:00:00Z' },
    ]);
    const { finalScore, scoreBand, confidence } = await get('known', 'score');
    const { factors } = await get('known', 'score/explain');
    const strongest = factors
      .map(({ name, contribution }: Driver & { name: string }) => ({ factor: name, contribution }))
      .sort((a: Driver, b: Driver) => Math.abs(b.contribution) - Math.abs(a.contribution));
    const body = await get('known', 'reliability?context=dispatch');
    expect(body).toEqual({
      userId: 'known',
      ...{ finalScore, scoreBand, confidence },
      frozen: false,
      verifiedEvents: 4,
      totalEvents: 4,
      noShowRate: 0.25,
      onTime: 49.81,
      daysSinceLastEvent: 7,
      topDrivers: strongest.slice(0, 3),
    });
    expect(body.onTime).toBe((await get('known', 'score/components')).components.timeliness);
  });

  test('counts breaches among outcomes, without contested breaches and cancelled outcomes', async () => {
    await reportAll(service, 'mixed', [
      fulfilled,
      breached,
      { eventType: 'TRANSACTION_DISPUTED' },
      { eventType: 'CONTRACT_CANCELLED' },
      { eventType: 'TRANSACTION_CANCELLED', isVerified: true },
    ]);
    expect(await read('mixed')).toMatchObject({ noShowRate: 0.3333, totalEvents: 5 });
  });

  test('an unknown figure is null, never 0', async () => {
    await reportAll(service, 'only-cancelled', [{ eventType: 'CONTRACT_CANCELLED' }]);
    const unknown = { finalScore: 20, noShowRate: null, onTime: null, topDrivers: [] };
    expect(await read('only-cancelled')).toMatchObject(unknown);
    await reportAll(service, 'undated', [fulfilled]);
    expect(await read('undated')).toMatchObject({ noShowRate: 0, onTime: null });
  });

  test('an unknown context is refused with DISPATCH_CONTEXT_INVALID', async () => {
    await reportAll(service, 'asked', [fulfilled]);
    for (const context of ['credit', '', 'DISPATCH'])
      expect((await get('asked', `reliability?context=${context}`)).code).toBe('DISPATCH_CONTEXT_INVALID');
  });

  test('follows ageing without a recompute, except for a frozen score', async () => {
    await reportAll(service, 'too-fast', [fulfilled]);
    const before = await read('too-fast');
    await reportAll(service, 'too-fast', Array(PER_HOUR).fill(breached));
    now = new Date(START.getTime() + 3 * DAY_MS);
    expect(await read('too-fast')).toEqual({ ...before, frozen: true, daysSinceLastEvent: 3 });
    now = START;
  });

  test('stays under 1 KB for ids of 640 bytes, and under 1.2 KB for any', async () => {
    const late = { completedAt: '2026-02-01T10:00:00Z', dueDate: '2026-01-02T10:00:00Z' };
    const events = [
      ...Array(7).fill({ ...fulfilled, ...late, dueDate: '2026-02-02T10:00:00Z' }),
      ...Array(3).fill({ ...breached, stakeLevel: 'HIGH' }),
      { eventType: 'CONTRACT_BREACHED', ...late },
    ];
    const ids = [...'aé"'].map((letter) => letter.repeat(255));
    ids.push('𝄞'.repeat(127), '漢'.repeat(213), '漢'.repeat(255));
    const sizes: number[] = [];
    for (const id of ids) {
      await reportAll(service, id, events);
      const path = `/users/${encodeURIComponent(id)}/reliability`;
      const { body, text } = await service.request('GET', path);
      expect(body.topDrivers).toHaveLength(3);
      sizes.push(Buffer.byteLength(text));
    }
    expect(Math.max(...sizes.slice(0, -1))).toBeLessThan(1000);
    expect(Math.max(...sizes)).toBeLessThan(1200);
  });

  test('a subject that is not linked has the caller as its only platform', async () => {
    await reportAll(service, 'alone', [fulfilled, { ...fulfilled, isVerified: false }]);
    now = new Date(START.getTime() + 1000);
    const old = { eventType: 'CONTRACT_CANCELLED', completedAt: '2020-01-01T00:00:00Z' };
    await reportAll(service, 'alone', [old]);
    const caller = { self: true, name: 'Default', trustTier: 'STARTER', trustMultiplier: 0.7 };
    const counts = { eventCount: 3, verifiedEventCount: 1 };
    const dates = { firstEventAt: START.toISOString(), lastEventAt: now.toISOString() };
    expect(await platformsOf('alone')).toEqual({
      platforms: [{ ...caller, ...counts, ...dates }],
      erasedEvents: 0,
      blendedMultiplier: 0.7,
    });
    now = START;
  });

  /** Two platforms, and a subject of both: two outcomes kept with STARTER, one broken with ENTERPRISE. */
  const shared = async (userId: string) => {
    const own = await newPlatform(service, { trustTier: 'STARTER', name: 'Own' });
    const other = await newPlatform(service, { trustTier: 'ENTERPRISE', name: 'Other' });
    await reportAll(service, userId, [fulfilled, fulfilled], own.live.key);
    await reportAll(service, userId, [breached], other.live.key);
    await linkAll(service, userId, other.live.key, own.live.key);
    await service.settle();
    return [own.live.key, other.live.key] as const;
  };

  test('of linked platforms only the caller is named; each event weighs the same in the multiplier', async () => {
    const [own, other] = await shared('shared');
    const mine = await platformsOf('shared', own);
    expect(mine.platforms).toMatchObject([
      { self: true, name: 'Own', trustTier: 'STARTER', eventCount: 2, verifiedEventCount: 2 },
      { self: false, name: null, trustTier: 'ENTERPRISE', trustMultiplier: 1, eventCount: 1 },
    ]);
    expect(mine.blendedMultiplier).toBe(0.8);
    expect((await platformsOf('shared', other)).platforms).toMatchObject([
      { self: true, name: 'Other', eventCount: 1 },
      { self: false, name: null, eventCount: 2 },
    ]);
    // The record is shared, so its figures are, too; whose events they are stays apart.
    expect(await read('shared', own)).toMatchObject({ totalEvents: 3, noShowRate: 0.3333 });
    const { items } = await get('shared', 'timeline', other);
    const events = items.filter(({ kind }: { kind: string }) => kind === 'event');
    expect(events).toMatchObject([{ event: { userId: 'shared', eventType: 'CONTRACT_BREACHED' } }]);
  });

  test('outcomes of an erased member count in both, and nothing else is said of it', async () => {
    const [own, key] = await shared('with-erased');
    const blended = { erasedEvents: 0, blendedMultiplier: 0.8 };
    expect(await platformsOf('with-erased', own)).toMatchObject(blended);
    expect((await service.request('POST', '/users/with-erased/erasure', { key })).body.erased).toBe(true);
    await service.settle();
    const body = await platformsOf('with-erased', own);
    expect(body).toMatchObject({ ...blended, erasedEvents: 1, platforms: [{ self: true, eventCount: 2 }] });
    expect((await get('with-erased', 'score', own)).totalEvents).toBe(3);
  });

  test('the multiplier is the one of the published score: each event with the tier at its report', async () => {
    const { platformId, live } = await newPlatform(service, { trustTier: 'STARTER' });
    await reportAll(service, 'tiered', [fulfilled, fulfilled], live.key);
    const body = { trustTier: 'ENTERPRISE' };
    await service.request('PATCH', `/admin/platforms/${platformId}`, { admin: true, body });
    expect(await platformsOf('tiered', live.key)).toMatchObject({
      platforms: [{ trustTier: 'ENTERPRISE', trustMultiplier: 1, eventCount: 2 }],
      blendedMultiplier: 0.7,
    });
    await reportAll(service, 'tiered', [fulfilled], live.key);
    expect((await platformsOf('tiered', live.key)).blendedMultiplier).toBe(0.8);
    await reportAll(service, 'tiered', Array(PER_HOUR + 1).fill(fulfilled), live.key);
    // A frozen score keeps its multiplier while events arrive.
    expect(await get('tiered', 'score', live.key)).toMatchObject({ frozen: true, totalEvents: 3 });
    expect(await platformsOf('tiered', live.key)).toMatchObject({
      platforms: [{ eventCount: 3 }],
      blendedMultiplier: 0.8,
    });
  });
});

describe.each(breadth)('a subject that was never scored on %s', (engine) => {
  const service = givenService(engine, { env: { ROLE: 'api' } });

  test('has only null figures, and a read computes nothing', async () => {
    const read = async (what: string) => (await service.request('GET', `/users/new/${what}`)).body;
    await service.request('POST', '/events', { body: { userId: 'new', ...fulfilled } });
    expect(await read('reliability')).toEqual({
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
    });
    expect(await read('platforms')).toEqual({ platforms: [], erasedEvents: 0, blendedMultiplier: null });
    expect((await read('timeline')).items).toMatchObject([{ kind: 'event' }]);
    expect(await service.db.query('select 1 from score union all select 1 from score_snapshot')).toEqual([]);
    expect(await service.db.query('select 1 from recompute_queue')).toHaveLength(1);
  });
});
