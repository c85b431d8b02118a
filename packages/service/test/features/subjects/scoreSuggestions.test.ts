import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import { answered, made } from '../attestation/confirmationFixtures.js';
import { resolve } from '../attestation/disputeFixtures.js';
import { breached, fingerprint, fulfilled, reportAll } from '../insight/recordFixtures.js';
import { DAY_MS } from '../tenancy/keyFixtures.js';
import { type Alias, alias, ask, freeze, link, scoreOf } from './linkFixtures.js';

interface Suggestion {
  kind: string;
  count: number;
  eventType?: string;
  isVerified?: boolean;
  finalScore: number;
  scoreBand: string;
  delta: number;
}

const unverifiedJob = { eventType: 'CONTRACT_FULFILLED', isVerified: false };

describe.each(breadth)('suggestions for a score on %s', (engine) => {
  let now = new Date('2026-11-20T08:00:00.000Z');
  let count = 0;
  const service = givenService(engine, {
    env: { VELOCITY_MAX_PER_HOUR: '50', DISPUTE_WINDOW_HOURS: '1' },
    clock: { now: () => now },
  });

  const someone = async (events: readonly object[] = []) => {
    const of = await alias(service, `suggest-${++count}`, []);
    if (events.length > 0) await reportAll(service, of.userId, events, of.platform.live.key);
    return of;
  };
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS).toISOString();
  const answerOf = async (of: Alias) => {
    const { status, body, text } = await ask(service, of, 'GET', '/score/suggestions');
    expect([status, text.slice(0, 300)]).toEqual([200, expect.anything()]);
    return body;
  };
  const suggestionsOf = async (of: Alias): Promise<Suggestion[]> => (await answerOf(of)).suggestions;
  const named = async (of: Alias, kind: string) =>
    (await suggestionsOf(of)).find((one) => one.kind === kind) as Suggestion;
  const reached = async (of: Alias) => {
    await service.settle();
    const { finalScore, scoreBand } = await scoreOf(service, of);
    return { finalScore, scoreBand };
  };
  const sweep = (name: string) => service.request('POST', `/admin/sweeps/${name}`, { admin: true });
  /** A first score, a few outcomes of everything. */
  const mixed = () => [
    ...[3, 30, 90].map((days) => ({
      ...unverifiedJob,
      completedAt: daysAgo(days),
      dueDate: daysAgo(days - 1),
    })),
    { ...fulfilled, completedAt: daysAgo(10), dueDate: daysAgo(12), stakeLevel: 'HIGH' },
    { ...fulfilled, completedAt: daysAgo(200) },
  ];

  test('name the score and the band that so many confirmed jobs lead to', async () => {
    const of = await someone(mixed());
    const { current, next, suggestions, ...rest } = await answerOf(of);
    expect(rest).toEqual({ userId: of.userId, asOf: '2026-11-20' });
    expect(current).toEqual(await reached(of));
    expect(next).toEqual({ scoreBand: 'Fair', scoreMin: 50 });
    const jobs: Suggestion = suggestions.find(({ kind }: Suggestion) => kind === 'outcomes');
    expect(jobs).toMatchObject({
      eventType: 'TRANSACTION_COMPLETED',
      isVerified: true,
      scoreBand: 'Fair',
    });
    const at = now.toISOString();
    const job = { eventType: 'TRANSACTION_COMPLETED', isVerified: true, completedAt: at, dueDate: at };
    const report = (jobsDone: number) =>
      reportAll(service, of.userId, Array(jobsDone).fill(job), of.platform.live.key);
    if (jobs.count > 1) {
      await report(jobs.count - 1);
      expect((await reached(of)).scoreBand).toBe(current.scoreBand);
    }
    await report(1);
    const { finalScore, scoreBand, delta } = jobs;
    expect(await reached(of)).toEqual({ finalScore, scoreBand });
    expect(delta).toBe(Number((finalScore - current.finalScore).toFixed(2)));
  });

  test('name the score that confirmations of the latest unverified outcomes lead to', async () => {
    const days = Array.from({ length: 9 }, (_, index) => 2 + index * 7);
    const dates = days.map((ago) => ({ completedAt: daysAgo(ago), dueDate: daysAgo(ago - 1) }));
    const of = await someone(dates.map((each) => ({ ...unverifiedJob, ...each })));
    const { key } = of.platform.live;
    const { count: needed, finalScore, scoreBand } = await named(of, 'confirm');
    expect(needed).toBeLessThan(dates.length);
    for (const each of dates.slice(0, needed)) {
      expect((await reached(of)).scoreBand).toBe('Unproven');
      const request = await made(service, { userId: of.userId, ...each }, { key });
      expect((await answered(service, request, 'confirm')).status).toBe(200);
    }
    expect(await reached(of)).toEqual({ finalScore, scoreBand });
    expect(scoreBand).toBe('Building');
    const left = await named(of, 'confirm');
    expect(left.count).toBeLessThanOrEqual(dates.length - needed);
  });

  test('name the score that a dispute of a breach leads to, whether filed or still to be filed', async () => {
    const of = await someone([...mixed(), { ...breached, isVerified: false }]);
    const { key } = of.platform.live;
    const before = await named(of, 'dispute');
    expect(before).toMatchObject({ count: 1, eventType: 'CONTRACT_BREACHED', isVerified: false });
    const { body } = await ask(service, of, 'GET', '/timeline');
    const breach = body.items.find(
      ({ event }: { event?: { eventType: string } }) => event?.eventType === 'CONTRACT_BREACHED',
    );
    const filed = await service.request('POST', '/disputes', { key, body: { eventId: breach.event.id } });
    await service.settle();
    const { finalScore, scoreBand } = await named(of, 'dispute');
    expect({ finalScore, scoreBand }).toEqual({ finalScore: before.finalScore, scoreBand: before.scoreBand });
    await resolve(service, filed.body.id, key);
    expect(await reached(of)).toEqual({ finalScore, scoreBand });
    expect(await named(of, 'dispute')).toBeUndefined();
  });

  test('name the score that a verified contested outcome leads to when its window ends', async () => {
    const contested = {
      eventType: 'TRANSACTION_DISPUTED',
      isVerified: true,
      completedAt: daysAgo(5),
      dueDate: daysAgo(6),
    };
    const of = await someone([
      ...mixed(),
      { ...contested, stakeLevel: 'LOW' },
      { ...contested, stakeLevel: 'HIGH' },
    ]);
    expect(await named(of, 'dispute')).toMatchObject({ eventType: 'TRANSACTION_DISPUTED', isVerified: true });
    const { body } = await service.request('GET', `/disputes?userId=${of.userId}`, {
      key: of.platform.live.key,
    });
    const low = body.disputes.find(
      ({ event }: { event: { stakeLevel: string } }) => event.stakeLevel === 'LOW',
    );
    await resolve(service, low.id, of.platform.live.key);
    await service.settle();
    const rest = await named(of, 'dispute');
    now = new Date(now.getTime() + 2 * 3_600_000);
    await sweep('disputes');
    expect(await reached(of)).toEqual({ finalScore: rest.finalScore, scoreBand: rest.scoreBand });
  });

  test('name the day on which age alone reaches the next band', async () => {
    const of = await someone([{ ...breached, stakeLevel: 'LOW' }, ...Array(40).fill(unverifiedJob)]);
    const waiting = await named(of, 'wait');
    expect(waiting).toBeDefined();
    const start = now;
    now = new Date(start.getTime() + (waiting.count - 1) * DAY_MS);
    await sweep('decay');
    expect((await reached(of)).scoreBand).toBe('High Risk');
    now = new Date(start.getTime() + waiting.count * DAY_MS);
    await sweep('decay');
    const { finalScore, scoreBand } = waiting;
    expect(await reached(of)).toEqual({ finalScore, scoreBand });
    now = start;
  });

  test('count the whole record of a linked subject, and offer what the asking platform reported', async () => {
    const one = await someone([...mixed(), { ...breached, isVerified: false }]);
    const other = await someone([fulfilled, fulfilled]);
    await link(service, other, one);
    await service.settle();
    const [mine, theirs] = [await suggestionsOf(one), await suggestionsOf(other)];
    expect(mine.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['outcomes', 'confirm', 'dispute']));
    expect(theirs.map(({ kind }) => kind)).toEqual(['outcomes']);
    const jobs = theirs[0] as Suggestion;
    const at = now.toISOString();
    const job = { eventType: 'TRANSACTION_COMPLETED', isVerified: true, completedAt: at, dueDate: at };
    await reportAll(service, other.userId, Array(jobs.count).fill(job), other.platform.live.key);
    const { finalScore, scoreBand } = jobs;
    expect(await reached(one)).toEqual({ finalScore, scoreBand });
  });

  test('weigh what the platform would report by its tier', async () => {
    const [starter, enterprise] = [await someone(mixed()), await someone()];
    const path = `/admin/platforms/${enterprise.platform.id}`;
    await reportAll(service, enterprise.userId, mixed(), enterprise.platform.live.key);
    await service.request('PATCH', path, { admin: true, body: { trustTier: 'ENTERPRISE' } });
    const [low, high] = [await named(starter, 'outcomes'), await named(enterprise, 'outcomes')];
    expect(high.count).toBeLessThan(low.count);
    const at = now.toISOString();
    const job = { eventType: 'TRANSACTION_COMPLETED', isVerified: true, completedAt: at, dueDate: at };
    await reportAll(service, enterprise.userId, Array(high.count).fill(job), enterprise.platform.live.key);
    expect(await reached(enterprise)).toEqual({ finalScore: high.finalScore, scoreBand: high.scoreBand });
  });

  test('are empty for a frozen score and for a subject without a score', async () => {
    const of = await someone(mixed());
    await freeze(service, of, fulfilled);
    const { current, next, suggestions } = await answerOf(of);
    expect([current, suggestions]).toEqual([await reached(of), []]);
    expect(next).toMatchObject({ scoreMin: expect.any(Number) });
    const agent = { userId: 'suggest-agent', platform: of.platform };
    const declared = await service.request('POST', '/agents', {
      key: of.platform.live.key,
      body: { userId: agent.userId },
    });
    expect([declared.status, declared.text.slice(0, 200)]).toEqual([201, expect.anything()]);
    expect(await answerOf(agent)).toMatchObject({
      current: { finalScore: 20, scoreBand: 'Unproven' },
      suggestions: [],
    });
    const unknown = await ask(service, { ...of, userId: 'suggest-nobody' }, 'GET', '/score/suggestions');
    expect([unknown.status, unknown.body.code]).toEqual([404, 'USER_NOT_FOUND']);
  });

  test('store nothing', async () => {
    const of = await someone(mixed());
    const before = await fingerprint(service);
    await answerOf(of);
    expect(await fingerprint(service)).toBe(before);
  });
});
