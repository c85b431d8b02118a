import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import { anotherPlatform } from '../intake/eventFixtures.js';
import { breached, DAY_MS, fingerprint, fulfilled, linkAll, reportAll } from './recordFixtures.js';

const by = (verifiedBy: string, more: object = {}) => ({ ...fulfilled, verifiedBy, ...more });
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));
/** A mapping of fields by their own names. */
const mappingOf = (names: Iterable<string>) =>
  Object.fromEntries([...names].map((name) => [name, { path: name }]));

describe.each(breadth)('risk signals on %s', (engine) => {
  const clock = { nowMs: Date.parse('2026-03-01T12:00:00.000Z'), now: () => new Date(clock.nowMs) };
  const service = givenService(engine, { clock });
  const read = async (id: string, key?: string) =>
    (await service.request('GET', `/users/${id}/risk`, { key })).body;
  const concentrationOf = async (id: string) => (await read(id)).concentration;
  const firstSignalOf = async (id: string) => (await read(id)).signals[0];
  const scoreOf = async (id: string): Promise<number> =>
    (await service.request('GET', `/users/${id}/score`)).body.finalScore;
  const codes = async (id: string, key?: string) =>
    (await read(id, key)).signals.map(({ code }: { code: string }) => code);
  const dayBefore = (days: number) => new Date(clock.nowMs - days * DAY_MS).toISOString();
  /** Outcomes on the platform's word. */
  const onWord = (userId: string, events: readonly object[]) => reportAll(service, userId, events);
  /** Outcomes with the parties that confirmed them: POST /ingest. */
  const confirmed = async (userId: string, events: readonly object[], key?: string) => {
    const records = events.map((event) => ({ userId, ...event }));
    const mapping = mappingOf(new Set(records.flatMap((record) => Object.keys(record))));
    const { body, text } = await service.request('POST', '/ingest', { key, body: { records, mapping } });
    if (body.createdCount !== events.length) throw new Error(`not all were taken: ${text}`);
    await service.settle();
  };

  test('an ordinary record has no signal', async () => {
    await confirmed('ordinary', [by('x'), by('y'), by('z')]);
    expect(await read('ordinary')).toEqual({
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

  test('each party counts once under all its spellings, and the platform where no party is named', async () => {
    const spellings = ['Client 12', 'client 12', ' CLIENT12', 'client\u200b12'];
    const ofOne = times(18, (index) => by(spellings[index % 4] ?? '', { completedAt: dayBefore(index) }));
    await confirmed('concentrated', [...ofOne, by('b')]);
    await onWord('concentrated', [fulfilled, { ...fulfilled, isVerified: false }]);
    const { concentration, signals } = await read('concentrated');
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
    const counts = { confirmedByIt: 18, witnessedEvents: 19, distinctWitnesses: 2 };
    const evidence = { ...counts, topShare: 0.9474, eventsLookedAt: 21 };
    expect(signals).toMatchObject([{ code: 'SINGLE_WITNESS', severity: 'high', evidence }]);
  });

  test('one attester of a hundred outcomes counts as three at most', async () => {
    await confirmed('vouched', Array(100).fill(by('friend')));
    // 100 outcomes of tier STARTER weigh 70; φ(70) = 209 / 71 = 2.9437, and without dates T is half of C:
    // Q = 40 + 17.5 + 15 + 10 = 82.5, g = 2.9437 / 5.9437, s = 20 + 62.5 g = 50.95.
    expect(await concentrationOf('vouched')).toMatchObject({ cappedScore: 50.95, cappedScoreBand: 'Fair' });
    expect(await scoreOf('vouched')).toBeGreaterThan(79);
  });

  test('the capped score is the score where no party weighs more than one outcome, disputes included', async () => {
    const events = times(6, (index) =>
      by(`c${index}`, { completedAt: dayBefore(index * 40), dueDate: dayBefore(index * 40 + (index % 2)) }),
    );
    const small = { stakeLevel: 'LOW' };
    await confirmed('spread', [...events, by('c7', { eventType: 'CONTRACT_BREACHED', ...small })]);
    await confirmed('spread', [by('c8', { eventType: 'TRANSACTION_DISPUTED', ...small })]);
    const disputed = (await service.request('GET', '/disputes')).body.disputes[0];
    const expectUncapped = async () => {
      const cappedScore = await scoreOf('spread');
      const counts = { verifiedOutcomes: 8, distinctAttesters: 8 };
      expect(await concentrationOf('spread')).toMatchObject({ ...counts, cappedScore });
    };
    await expectUncapped();
    const resolved = await service.request('POST', `/disputes/${disputed.id}/resolve`, { body: {} });
    expect(resolved.status).toBe(200);
    await service.settle();
    await expectUncapped();
  });

  test('concentration is null before the first score, and without a verified outcome has no share', async () => {
    await service.request('POST', '/agents', { body: { userId: 'agent-without-events' } });
    expect(await concentrationOf('agent-without-events')).toBeNull();
    await onWord('unproven', [{ ...fulfilled, isVerified: false }]);
    expect(await concentrationOf('unproven')).toMatchObject({
      verifiedOutcomes: 0,
      distinctAttesters: 0,
      largestAttesterShare: null,
      herfindahlIndex: null,
      cappedScore: await scoreOf('unproven'),
    });
  });

  test('neither the subject nor the party of an unverified outcome is an attester', async () => {
    const events = times(6, (index) => by('SELF ', { completedAt: dayBefore(index + 1) }));
    await confirmed('self', events);
    expect(await codes('self')).toEqual(['SELF_ATTESTED_SHARE']);
    const metadata = { verifiedBy: 'somebody', counterpartyRef: 'somebody' };
    const noted = times(6, (index) => ({ ...fulfilled, completedAt: dayBefore(index + 1), metadata }));
    await onWord('noted', noted);
    expect(await codes('noted')).not.toContain('SINGLE_WITNESS');
    const unverified = times(6, (index) => by('a', { isVerified: false, completedAt: dayBefore(index + 1) }));
    await confirmed('unverified', unverified);
    expect(await codes('unverified')).toEqual(['SELF_ATTESTED_SHARE']);
  });

  test('two subjects that confirm each other are a signal', async () => {
    await confirmed('tit', [by('tat'), by('tat'), by('p'), by('q')]);
    await confirmed('tat', [by('Tit'), by('r')]);
    expect(await firstSignalOf('tit')).toMatchObject({
      code: 'RECIPROCAL_CONFIRMATION',
      severity: 'elevated',
      evidence: { witness: 'tat', received: 2, given: 1, reciprocity: 0.6667, pairs: 1, mutualShare: 0.5 },
    });
  });

  test.each([
    [3, { members: 3, density: 1 }],
    [4, { members: 4 }],
    [5, null],
  ])('a circle of %i that confirm each other: the signal of each is %j', async (size, evidence) => {
    const ids = times(size, (index) => `circle-${size}-${index}`);
    for (const [index, id] of ids.entries()) await confirmed(id, [by(ids[(index + 1) % size] ?? '')]);
    for (const id of ids) {
      const { signals } = await read(id);
      expect(signals).toMatchObject(evidence ? [{ code: 'SHARED_WITNESS_RING', evidence }] : []);
    }
    await confirmed(`beside-circle-${size}`, [by(ids[0] ?? '')]);
    expect(await codes(`beside-circle-${size}`)).toEqual([]);
  });

  test('copies, bulk and bursts are signals, the most severe first', async () => {
    const copy = by('a', { transactionValue: 10, completedAt: '2026-02-03T04:05:06.789Z' });
    await confirmed('copied', Array(60).fill(copy));
    const { level, signals } = await read('copied');
    expect(level).toBe('high');
    expect(signals.map(({ code, severity }: Record<string, string>) => `${code} ${severity}`)).toEqual([
      'SINGLE_WITNESS high',
      'IDENTICAL_OUTCOMES high',
      'VELOCITY_BURST elevated',
      'BULK_SAME_INSTANT elevated',
      'POSITIVES_WITHIN_MINUTES elevated',
    ]);
  });

  test('activity after a long silence is a signal', async () => {
    await confirmed('sleeper', [by('a')]);
    clock.nowMs += 200 * DAY_MS;
    for (let index = 0; index < 12; index += 1) {
      await confirmed('sleeper', [by(`w${index}`)]);
      clock.nowMs += DAY_MS;
    }
    expect(await firstSignalOf('sleeper')).toMatchObject({
      code: 'DORMANT_THEN_ACTIVE',
      severity: 'low',
      evidence: { dormantDays: 200, eventsIn30Days: 12, eventsBefore: 1 },
    });
  });

  test('a breach that is reported with an old date is a signal, and one that was imported is none', async () => {
    const old = { eventType: 'CONTRACT_BREACHED', completedAt: dayBefore(1095) };
    await onWord('backdated', [fulfilled, { ...old, isVerified: true }]);
    expect(await firstSignalOf('backdated')).toMatchObject({
      code: 'BACKDATED_ADVERSE',
      severity: 'elevated',
      evidence: { backdatedOutcomes: 1, adverseOutcomes: 1, longestDelayDays: 1095 },
    });
    const csv = `userId,eventType,completedAt\r\nmoved-in,${old.eventType},${old.completedAt}\r\n`;
    const mapping = mappingOf(['userId', 'eventType', 'completedAt']);
    const { body } = await service.request('POST', '/imports', { body: { csv, mapping } });
    expect(body.createdCount).toBe(1);
    await service.settle();
    expect(await codes('moved-in')).toEqual([]);
  });

  test('small jobs before a large one, and good outcomes within minutes, are told of', async () => {
    await onWord('flooded', Array(12).fill({ ...fulfilled, stakeLevel: 'LOW' }));
    clock.nowMs += DAY_MS;
    await onWord('flooded', [{ ...breached, stakeLevel: 'HIGH' }]);
    const { signals } = await read('flooded');
    expect(signals[0]).toMatchObject({
      code: 'LOW_BEFORE_HIGH',
      severity: 'elevated',
      evidence: { lowBefore: 12, highOutcome: 'CONTRACT_BREACHED' },
    });
    const within = { code: 'POSITIVES_WITHIN_MINUTES', severity: 'low' };
    expect(signals).toContainEqual(expect.objectContaining(within));
  });

  test('only the latest 1000 events are looked at, and the evidence says so', async () => {
    for (let round = 0; round < 11; round += 1) {
      const events = times(100, (index) => by(`w${index}`, { isVerified: false }));
      await confirmed('busy', events);
      clock.nowMs += DAY_MS;
    }
    const evidence = { eventsLookedAt: 1000, eventsOnRecord: 1100 };
    expect(await firstSignalOf('busy')).toMatchObject({ evidence });
  });

  test("covers the caller's own events of one mode and writes nothing", async () => {
    const other = await anotherPlatform(service);
    await confirmed('shared', [by('a')]);
    await confirmed('shared', Array(6).fill(by('their-secret')), other.liveKey);
    await linkAll(service, 'shared', other.liveKey);
    await service.settle();
    const before = await fingerprint(service);
    const body = await read('shared');
    expect(body.signals).toEqual([]);
    expect(JSON.stringify(body)).not.toContain('their-secret');
    expect(await codes('shared', other.liveKey)).toContain('SINGLE_WITNESS');
    expect(await fingerprint(service)).toBe(before);
  });
});
