import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { startTestService, type TestService } from '#harness/service.js';
import { anotherPlatform } from '../intake/eventFixtures.js';
import { DAY_MS, fingerprint, fulfilled, linkAll, reportOf as reportOnWord } from './recordFixtures.js';

const by = (verifiedBy: string, more: object = {}) => ({ ...fulfilled, verifiedBy, ...more });
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));

/** Reports outcomes with the parties that confirmed them: POST /ingest. */
async function reportOf(
  service: TestService,
  userId: string,
  events: readonly object[],
  key = service.liveKey,
) {
  const records = events.map((event) => ({ userId, ...event }));
  const names = new Set(records.flatMap((record) => Object.keys(record)));
  const mapping = Object.fromEntries([...names].map((name) => [name, { path: name }]));
  const answer = await service.request('POST', '/ingest', { key, body: { records, mapping } });
  if (answer.body.createdCount !== events.length) throw new Error(`not all were taken: ${answer.text}`);
  await service.settle();
}

describe.each(breadth)('risk signals on %s', (engine) => {
  const clock = { nowMs: Date.parse('2026-03-01T12:00:00.000Z'), now: () => new Date(clock.nowMs) };
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(engine, { clock });
  });
  afterAll(() => service.close());
  const read = (id: string, key = service.liveKey) => service.request('GET', `/users/${id}/risk`, { key });
  const scoreOf = async (id: string): Promise<number> =>
    (await service.request('GET', `/users/${id}/score`)).body.finalScore;
  const codes = async (id: string, key = service.liveKey) =>
    (await read(id, key)).body.signals.map(({ code }: { code: string }) => code);

  test('an ordinary record has no signal', async () => {
    await reportOf(service, 'ordinary', [by('x'), by('y'), by('z')]);
    expect((await read('ordinary')).body).toEqual({
      userId: 'ordinary',
      level: 'none',
      advisory: true,
      signals: [],
      registeredAt: new Date(clock.nowMs).toISOString(),
      tenureDays: 0,
      concentration: {
        verifiedOutcomes: 3,
        onPlatformWord: 0,
        distinctAttesters: 3,
        largestAttesterOutcomes: 1,
        largestAttesterIsPlatform: false,
        largestAttesterShare: 0.3333,
        herfindahlIndex: 0.3333,
        cappedScore: await scoreOf('ordinary'),
        cappedScoreBand: 'Building',
      },
    });
  });

  test('concentration counts each party once, and the platform where no party is named', async () => {
    const spellings = ['Client 12', 'client 12', ' CLIENT12'];
    const ofOne = times(18, (index) => by(spellings[index % 3] ?? '', { completedAt: dayBefore(index) }));
    await reportOf(service, 'concentrated', [...ofOne, by('b')]);
    await reportOnWord(service, 'concentrated', [fulfilled, { ...fulfilled, isVerified: false }]);
    const { concentration } = (await read('concentrated')).body;
    expect(concentration).toMatchObject({
      verifiedOutcomes: 20,
      onPlatformWord: 1,
      distinctAttesters: 3,
      largestAttesterOutcomes: 18,
      largestAttesterIsPlatform: false,
      largestAttesterShare: 0.9,
      herfindahlIndex: 0.815,
    });
    expect(concentration.cappedScore).toBeLessThan((await scoreOf('concentrated')) - 5);
  });

  test('one attester of a hundred outcomes counts as three at most', async () => {
    await reportOf(
      service,
      'vouched',
      times(100, () => by('friend')),
    );
    // 100 outcomes of tier STARTER weigh 70; φ(70) = 209 / 71 = 2.9437, and without dates T is half of C:
    // Q = 40 + 17.5 + 15 + 10 = 82.5, g = 2.9437 / 5.9437, s = 20 + 62.5 g = 50.95.
    expect((await read('vouched')).body.concentration).toMatchObject({
      cappedScore: 50.95,
      cappedScoreBand: 'Fair',
    });
    expect(await scoreOf('vouched')).toBeGreaterThan(79);
  });

  test('the capped score is the score where no party weighs more than one outcome, disputes included', async () => {
    const events = times(6, (index) =>
      by(`c${index}`, { completedAt: dayBefore(index * 40), dueDate: dayBefore(index * 40 + (index % 2)) }),
    );
    await reportOf(service, 'spread', [
      ...events,
      by('c7', { eventType: 'CONTRACT_BREACHED', stakeLevel: 'LOW' }),
    ]);
    await reportOf(service, 'spread', [by('c8', { eventType: 'TRANSACTION_DISPUTED', stakeLevel: 'LOW' })]);
    const disputed = (await service.request('GET', '/disputes')).body.disputes[0];
    const bothAre = async (verifiedOutcomes: number, parties: number) => {
      expect((await read('spread')).body.concentration).toMatchObject({
        verifiedOutcomes,
        distinctAttesters: parties,
        cappedScore: await scoreOf('spread'),
      });
    };
    await bothAre(8, 8);
    const resolved = await service.request('POST', `/disputes/${disputed.id}/resolve`, { body: {} });
    expect(resolved.status).toBe(200);
    await service.settle();
    await bothAre(8, 8);
  });

  test('concentration is null before the first score, and without a verified outcome has no share', async () => {
    await service.request('POST', '/agents', { body: { userId: 'agent-without-events' } });
    expect((await read('agent-without-events')).body.concentration).toBeNull();
    await reportOnWord(service, 'unproven', [{ ...fulfilled, isVerified: false }]);
    expect((await read('unproven')).body.concentration).toMatchObject({
      verifiedOutcomes: 0,
      distinctAttesters: 0,
      largestAttesterShare: null,
      herfindahlIndex: null,
      cappedScore: await scoreOf('unproven'),
    });
  });

  test('one attester under several spellings is one', async () => {
    const spellings = ['Client 12', 'client 12', ' CLIENT12', 'client\u200b12'];
    const events = times(9, (index) => by(spellings[index % 4] ?? '', { completedAt: dayBefore(index + 1) }));
    await reportOf(service, 'of-one-client', [...events, by('b')]);
    const { body } = await read('of-one-client');
    const signal = body.signals.find(({ code }: { code: string }) => code === 'SINGLE_WITNESS');
    expect(signal).toMatchObject({
      severity: 'high',
      evidence: {
        confirmedByIt: 9,
        witnessedEvents: 10,
        distinctWitnesses: 2,
        topShare: 0.9,
        eventsLookedAt: 10,
      },
    });
  });

  test('neither the subject nor the party of an unverified outcome is an attester', async () => {
    const events = times(6, (index) => by('SELF ', { completedAt: dayBefore(index + 1) }));
    await reportOf(service, 'self', events);
    expect(await codes('self')).toEqual(['SELF_ATTESTED_SHARE']);
    const metadata = { verifiedBy: 'somebody', counterpartyRef: 'somebody' };
    const noted = times(6, (index) => ({ ...fulfilled, completedAt: dayBefore(index + 1), metadata }));
    await reportOnWord(service, 'noted', noted);
    expect(await codes('noted')).not.toContain('SINGLE_WITNESS');
    const unverified = times(6, (index) => by('a', { isVerified: false, completedAt: dayBefore(index + 1) }));
    await reportOf(service, 'unverified', unverified);
    expect(await codes('unverified')).toEqual(['SELF_ATTESTED_SHARE']);
  });

  test('two subjects that confirm each other are a signal', async () => {
    await reportOf(service, 'tit', [by('tat'), by('tat'), by('p'), by('q')]);
    await reportOf(service, 'tat', [by('Tit'), by('r')]);
    const [signal] = (await read('tit')).body.signals;
    expect(signal).toMatchObject({
      code: 'RECIPROCAL_CONFIRMATION',
      severity: 'elevated',
      evidence: { witness: 'tat', received: 2, given: 1, reciprocity: 0.6667, pairs: 1, mutualShare: 0.5 },
    });
  });

  test('a circle of three is a signal for each of them', async () => {
    await reportOf(service, 'ring-a', [by('ring-b')]);
    await reportOf(service, 'ring-b', [by('ring-c')]);
    await reportOf(service, 'ring-c', [by('ring-a')]);
    for (const id of ['ring-a', 'ring-b', 'ring-c']) {
      const [signal] = (await read(id)).body.signals;
      expect(signal).toMatchObject({ code: 'SHARED_WITNESS_RING', evidence: { members: 3, density: 1 } });
    }
    await reportOf(service, 'confirmed-by-the-ring', [by('ring-a')]);
    expect(await codes('confirmed-by-the-ring')).toEqual([]);
  });

  test('a circle of four is a signal, one of five is not', async () => {
    const circle = async (size: number) => {
      const ids = times(size, (index) => `circle-${size}-${index}`);
      for (const [index, id] of ids.entries())
        await reportOf(service, id, [by(ids[(index + 1) % size] ?? '')]);
      return codes(ids[0] ?? '');
    };
    expect(await circle(4)).toEqual(['SHARED_WITNESS_RING']);
    expect(await circle(5)).toEqual([]);
  });

  test('copies, bulk and bursts are signals, the most severe first', async () => {
    const copy = by('a', { transactionValue: 10, completedAt: '2026-02-03T04:05:06.789Z' });
    await reportOf(
      service,
      'copied',
      times(60, () => copy),
    );
    const { body } = await read('copied');
    expect(body.level).toBe('high');
    const severities = body.signals.map(
      ({ code, severity }: Record<string, string>) => `${code} ${severity}`,
    );
    expect(severities).toEqual([
      'SINGLE_WITNESS high',
      'IDENTICAL_OUTCOMES high',
      'VELOCITY_BURST elevated',
      'BULK_SAME_INSTANT elevated',
      'POSITIVES_WITHIN_MINUTES elevated',
    ]);
  });

  test('activity after a long silence is a signal', async () => {
    await reportOf(service, 'sleeper', [by('a')]);
    clock.nowMs += 200 * DAY_MS;
    for (let index = 0; index < 12; index += 1) {
      await reportOf(service, 'sleeper', [by(`w${index}`)]);
      clock.nowMs += DAY_MS;
    }
    const [signal] = (await read('sleeper')).body.signals;
    expect(signal).toMatchObject({
      code: 'DORMANT_THEN_ACTIVE',
      severity: 'low',
      evidence: { dormantDays: 200, eventsIn30Days: 12, eventsBefore: 1 },
    });
  });

  test('a breach that is reported with an old date is a signal, and one that was imported is none', async () => {
    const old = { eventType: 'CONTRACT_BREACHED', completedAt: dayBefore(1095) };
    await reportOnWord(service, 'backdated', [fulfilled, { ...old, isVerified: true }]);
    const [signal] = (await read('backdated')).body.signals;
    expect(signal).toMatchObject({
      code: 'BACKDATED_ADVERSE',
      severity: 'elevated',
      evidence: { backdatedOutcomes: 1, adverseOutcomes: 1, longestDelayDays: 1095 },
    });
    const csv = `userId,eventType,completedAt\r\nmoved-in,${old.eventType},${old.completedAt}\r\n`;
    const names = ['userId', 'eventType', 'completedAt'];
    const mapping = Object.fromEntries(names.map((name) => [name, { path: name }]));
    const { body } = await service.request('POST', '/imports', { body: { csv, mapping } });
    expect(body.createdCount).toBe(1);
    await service.settle();
    expect(await codes('moved-in')).toEqual([]);
  });

  test('small jobs before a large one, and good outcomes within minutes, are told of', async () => {
    const low = { ...fulfilled, stakeLevel: 'LOW' };
    await reportOnWord(
      service,
      'flooded',
      times(12, () => low),
    );
    clock.nowMs += DAY_MS;
    await reportOnWord(service, 'flooded', [
      { eventType: 'CONTRACT_BREACHED', isVerified: true, stakeLevel: 'HIGH' },
    ]);
    const found = (await read('flooded')).body.signals;
    expect(found.slice(0, 1)).toMatchObject([
      {
        code: 'LOW_BEFORE_HIGH',
        severity: 'elevated',
        evidence: { lowBefore: 12, highOutcome: 'CONTRACT_BREACHED' },
      },
    ]);
    expect(found).toContainEqual(
      expect.objectContaining({ code: 'POSITIVES_WITHIN_MINUTES', severity: 'low' }),
    );
  });

  test('only the latest 1000 events are looked at, and the evidence says so', async () => {
    for (let round = 0; round < 11; round += 1) {
      await reportOf(
        service,
        'busy',
        times(100, (index) => by(`w${index}`, { isVerified: false })),
      );
      clock.nowMs += DAY_MS;
    }
    const { signals } = (await read('busy')).body;
    expect(signals[0].evidence).toMatchObject({ eventsLookedAt: 1000, eventsOnRecord: 1100 });
  });

  test("covers the caller's own events of one mode and writes nothing", async () => {
    const other = await anotherPlatform(service);
    await reportOf(service, 'shared', [by('a')]);
    await reportOf(
      service,
      'shared',
      times(6, () => by('their-secret')),
      other.liveKey,
    );
    await linkAll(service, 'shared', other.liveKey);
    await service.settle();
    const before = await fingerprint(service);
    expect((await read('shared')).body.signals).toEqual([]);
    expect((await read('shared')).text).not.toContain('their-secret');
    expect(await codes('shared', other.liveKey)).toContain('SINGLE_WITNESS');
    expect((await read('shared', service.testKey)).status).toBe(404);
    expect(await fingerprint(service)).toBe(before);
  });

  function dayBefore(days: number): string {
    return new Date(clock.nowMs - days * DAY_MS).toISOString();
  }
});
