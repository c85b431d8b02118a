import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '../../harness/engines.js';
import { startTestService, type TestService } from '../../harness/service.js';
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
  const codes = async (id: string, key = service.liveKey) =>
    (await read(id, key)).body.signals.map(({ code }: { code: string }) => code);

  test('an unknown subject is not found', async () => {
    const { status, body } = await read('nobody');
    expect([status, body.code]).toEqual([404, 'USER_NOT_FOUND']);
  });

  test('an ordinary record raises nothing', async () => {
    await reportOf(service, 'ordinary', [by('x'), by('y'), by('z')]);
    expect((await read('ordinary')).body).toEqual({
      userId: 'ordinary',
      level: 'none',
      advisory: true,
      signals: [],
    });
  });

  test('one witness under several spellings is one', async () => {
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

  test('the subject is no witness of itself, nor is anybody of what is not verified', async () => {
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

  test('two subjects who confirm each other are told of', async () => {
    await reportOf(service, 'tit', [by('tat'), by('tat'), by('p'), by('q')]);
    await reportOf(service, 'tat', [by('Tit'), by('r')]);
    const [signal] = (await read('tit')).body.signals;
    expect(signal).toMatchObject({
      code: 'RECIPROCAL_CONFIRMATION',
      severity: 'elevated',
      evidence: { witness: 'tat', received: 2, given: 1, reciprocity: 0.6667, pairs: 1, mutualShare: 0.5 },
    });
  });

  test('a circle of three is told of to each of them', async () => {
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

  test('copies, bulk and bursts are told of, the most severe first', async () => {
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
    ]);
  });

  test('a record that wakes up after a long silence is told of', async () => {
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

  test("it is about the caller's own events, live and test apart, and writes nothing", async () => {
    const other = await anotherPlatform(service);
    await reportOf(service, 'shared', [by('a')]);
    await reportOf(
      service,
      'shared',
      times(6, () => by('their-secret')),
      other.liveKey,
    );
    await linkAll(service, 'shared');
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
