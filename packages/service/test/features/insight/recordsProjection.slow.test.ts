import { eventTypes, platformTiers, stakeLevels } from '@reliability/scoring';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ingestibleEventTypes } from '#domain/catalogues/enums.js';
import { engines } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import { anotherPlatform } from '../intake/eventFixtures.js';
import { breached, DAY_MS, fingerprint, fulfilled, linkAll, reportAll } from './recordFixtures.js';

const START = new Date('2026-02-10T12:00:00.000Z');
const BLANK = { score: 20, band: 'Unproven' };

const dates = fc.constantFrom(
  undefined,
  null,
  '2025-06-01T10:00:00Z',
  '2026-02-09T23:59:59.999Z',
  '2026-02-10T00:00:00+02:00',
  '2026-02-10T11:59:00Z',
);

/** Events that a platform can report as well as project. */
const reportable = fc.record({
  eventType: fc.constantFrom(...ingestibleEventTypes),
  isVerified: fc.constantFrom(true, false, undefined, null),
  stakeLevel: fc.constantFrom(...stakeLevels, undefined, null),
  dueDate: dates,
  completedAt: dates,
});

describe.each(engines)('the projection of a score on %s', (engine) => {
  let now = START;
  let run = 0;
  const env = { VELOCITY_MAX_PER_HOUR: '1000000' };
  const service = givenService(engine, { env, clock: { now: () => now } });

  const project = (id: string, events: unknown, key = service.liveKey) =>
    service.request('POST', `/users/${id}/score/project`, { body: { events }, key });
  const stateOf = async (id: string) => {
    const { body } = await service.request('GET', `/users/${id}/score`);
    return { score: body.finalScore, band: body.scoreBand };
  };

  test('equals the score after really reporting the same events', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(reportable, { maxLength: 12 }),
        fc.array(reportable, { minLength: 1, maxLength: 8 }),
        async (past, future) => {
          run += 1;
          const id = `real-${run}`;
          now = START;
          if (past.length > 0) await reportAll(service, id, past);
          const { body } = await project(id, future);
          const current = past.length > 0 ? await stateOf(id) : BLANK;
          expect([body.baseline, body.current]).toEqual([past.length > 0 ? 'record' : 'blank', current]);
          await reportAll(service, id, future);
          const reached = await stateOf(id);
          expect(body.projected).toEqual(reached);
          expect(body.delta.score).toBe(Number((reached.score - current.score).toFixed(2)));
          expect(body.delta.band).toEqual(
            current.band === reached.band ? null : { from: current.band, to: reached.band },
          );
        },
      ),
      { numRuns: 40 },
    );
  });

  test.each(['Customer 1', 'Named-Self', ' named-SELF '])(
    'verifies an event that %j confirmed as POST /ingest would',
    async (verifiedBy) => {
      now = new Date(now.getTime() + DAY_MS);
      const event = { ...fulfilled, verifiedBy };
      const { body } = await project('named-self', [event]);
      const record = { userId: 'named-self', ...event };
      const mapping = Object.fromEntries(Object.keys(record).map((name) => [name, { path: name }]));
      await service.request('POST', '/ingest', { body: { records: [record], mapping } });
      await service.settle();
      expect(body.projected).toEqual(await stateOf('named-self'));
    },
  );

  test('an unknown id starts from an empty record', async () => {
    const { status, body } = await project('nobody', [fulfilled]);
    expect(status).toBe(200);
    expect(body).toMatchObject({ userId: 'nobody', baseline: 'blank', current: BLANK });
    expect(body.projected.score).toBeGreaterThan(20);
    expect((await service.request('GET', '/users/nobody/score')).status).toBe(404);
  });

  test('accepts every event type; qualifications and projects change nothing', async () => {
    await reportAll(service, 'vocabulary', [fulfilled, breached]);
    const before = await stateOf('vocabulary');
    const unmoved = { current: before, projected: before, delta: { score: 0, band: null } };
    for (const eventType of eventTypes) {
      const event = { eventType, isVerified: true, stakeLevel: 'HIGH' };
      const { status, body } = await project('vocabulary', [event]);
      expect([eventType, status]).toEqual([eventType, 200]);
      if (/^(EDUCATION|SKILL|CERTIFICATION|EMPLOYMENT|PROJECT)_/.test(eventType))
        expect(body).toMatchObject(unmoved);
    }
    const { body } = await project('nobody', [{ eventType: 'SKILL_VERIFIED', isVerified: true }]);
    expect(body).toMatchObject({ baseline: 'blank', projected: BLANK });
  });

  test('weighs an event by the tier it names, else by the caller’s own', async () => {
    const scores: number[] = [];
    for (const platformTier of platformTiers) {
      scores.push((await project('nobody', [{ ...fulfilled, platformTier }])).body.projected.score);
    }
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(new Set(scores).size).toBe(platformTiers.length);
    const own = (await project('nobody', [fulfilled])).body.projected.score;
    expect(own).toBe(scores[platformTiers.indexOf('STARTER')]);
  });

  test('starts from the published score, also when that is frozen and of another day', async () => {
    await reportAll(service, 'aged', [fulfilled, fulfilled]);
    expect((await project('aged', [fulfilled])).body.frozen).toBe(false);
    await service.db.execute(`update score set frozen_at = now() where external_id = 'aged'`);
    now = new Date(START.getTime() + 400 * DAY_MS);
    const { body } = await project('aged', [fulfilled]);
    const nothing = (await project('aged', [{ eventType: 'PROJECT_LOGGED' }])).body;
    const claims = [{ title: 'Protocol', eventType: 'CONTRACT_FULFILLED' }];
    const analysis = await service.request('POST', '/users/aged/documents/analyze', { body: { claims } });
    now = START;
    const current = await stateOf('aged');
    const { asSubmitted, ifConfirmed } = analysis.body.projection;
    for (const { frozen, current: start } of [body, nothing, asSubmitted, ifConfirmed]) {
      expect([frozen, start]).toEqual([true, current]);
    }
    expect(nothing).toMatchObject({ projected: current, delta: { score: 0, band: null } });
    expect(body.delta.score).toBeGreaterThan(0);
    expect(body.projected.score).toBe(Number((current.score + body.delta.score).toFixed(2)));
  });

  test('a linked subject is projected from the whole record', async () => {
    const other = await anotherPlatform(service);
    await reportAll(service, 'shared', [fulfilled]);
    await reportAll(service, 'shared', [fulfilled, fulfilled], other.liveKey);
    await linkAll(service, 'shared', other.liveKey);
    await service.settle();
    for (const key of [service.liveKey, other.liveKey])
      expect((await project('shared', [fulfilled], key)).body.current).toEqual(await stateOf('shared'));
    expect((await project('shared', [fulfilled], service.testKey)).body.baseline).toBe('blank');
  });

  test('writes nothing', async () => {
    await reportAll(service, 'untouched', [fulfilled]);
    const before = await fingerprint(service);
    for (const id of ['untouched', 'nobody']) {
      expect((await project(id, [fulfilled, breached])).status).toBe(200);
    }
    expect(await fingerprint(service)).toBe(before);
  });

  test('refuses a date without a zone, and says where', async () => {
    const { status, body } = await project('nobody', [
      fulfilled,
      { ...fulfilled, dueDate: '2026-01-01T10:00:00' },
    ]);
    expect([status, body.details]).toMatchObject([400, [{ path: 'events.1.dueDate' }]]);
  });
});
