import { dayOf, reasonCodeCatalog, score as scoreOf, type Tally, tallyKeyOf } from '@reliability/scoring';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { startTestService, type TestService } from '#harness/service.js';
import { createIdSource } from '#kit/ids.js';
import { recomputeRecords } from '#ledger/recompute/recompute.js';

const DAY_MS = 86_400_000;
const PER_HOUR = 40;

describe.each(breadth)('the reads of scores on %s', (engine) => {
  let service: TestService;
  let now = new Date('2026-02-10T12:00:00.000Z');

  beforeAll(async () => {
    const env = { VELOCITY_MAX_PER_HOUR: String(PER_HOUR) };
    service = await startTestService(engine, { env, clock: { now: () => now } });
  });

  afterAll(() => service.close());

  const get = (path: string, key?: string) => service.request('GET', path, { key: key ?? service.liveKey });
  const report = async (userId: string, events: object[], key?: string) => {
    const body = { events: events.map((event) => ({ userId, ...event })) };
    const answer = await service.request('POST', '/events/batch', { body, key: key ?? service.liveKey });
    expect(answer.body.createdCount).toBe(events.length);
    await service.settle();
    return answer.body.results.map((result: { eventId: string }) => result.eventId);
  };
  const fulfilled = { eventType: 'CONTRACT_FULFILLED', isVerified: true };
  const breached = { eventType: 'CONTRACT_BREACHED', stakeLevel: 'HIGH', isVerified: true };

  test.each(['score', 'score/explain', 'score/components', 'score/history', 'score/delta'])(
    'GET /users/{id}/%s answers 404 USER_NOT_FOUND for an id without a score',
    async (read) => {
      for (const id of ['nobody', 'test:somebody', 'ÄÖ 漢字/%']) {
        const answer = await get(`/users/${encodeURIComponent(id)}/${read}`);
        expect([answer.status, answer.body.code]).toEqual([404, 'USER_NOT_FOUND']);
      }
    },
  );

  test('the path takes any external id of 1 to 255 characters but control characters', async () => {
    for (const id of [`${'x'.repeat(256)}`, 'line\nbreak', 'del\u007f', 'c1\u0085']) {
      const answer = await get(`/users/${encodeURIComponent(id)}/score`);
      expect([answer.status, answer.body.code, answer.body.details[0].path]).toEqual([
        400,
        'VALIDATION_ERROR',
        'id',
      ]);
    }
    const longest = '漢'.repeat(255);
    await report(longest, [fulfilled]);
    expect((await get(`/users/${encodeURIComponent(longest)}/score`)).body.userId).toBe(longest);
  });

  test('a score follows its events and agrees with the formula to the last digit', async () => {
    await report('formula', [fulfilled, { ...fulfilled, isVerified: false }, breached, fulfilled]);
    const expected = scoreOf(
      [tally(fulfilled, 2), tally({ ...fulfilled, isVerified: false }), tally(breached)],
      dayOf(now),
    );
    const { status, body } = await get('/users/formula/score');
    expect(status).toBe(200);
    expect(body).toEqual({
      userId: 'formula',
      finalScore: expected?.finalScore,
      scoreBand: expected?.scoreBand,
      confidence: expected?.confidence,
      confidenceLabel: expected?.confidenceLabel,
      behavioralQuality: expected?.behavioralQuality,
      totalEvents: 4,
      verifiedEvents: 3,
      frozen: false,
      formulaVersion: '5.3',
      computedAt: now.toISOString(),
    });
  });

  test('two hundred reads at once are each answered with their own score', async () => {
    const names = ['many-1', 'many-2', 'many-3'];
    for (const [index, name] of names.entries()) await report(name, Array(index + 1).fill(fulfilled));
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        get(`/users/${index % 4 === 3 ? 'nobody' : names[index % 4]}/score`),
      ),
    );
    expect(
      answers.map(({ status, body }) => (status === 200 ? `${body.userId} ${body.totalEvents}` : body.code)),
    ).toEqual(
      Array.from(
        { length: 200 },
        (_, index) => ['many-1 1', 'many-2 2', 'many-3 3', 'USER_NOT_FOUND'][index % 4],
      ),
    );
  });

  test('live and test subjects with one id are independent', async () => {
    await report('both', [fulfilled]);
    expect((await get('/users/both/score', service.testKey)).body.code).toBe('USER_NOT_FOUND');
    await report('both', [breached], service.testKey);
    expect((await get('/users/both/score')).body.totalEvents).toBe(1);
    expect((await get('/users/both/score', service.testKey)).body.scoreBand).toBe('High Risk');
  });

  test('a batch read answers in the order of the request, repeats and unknown ids included', async () => {
    await report('batch-a', [fulfilled]);
    await report('batch-b', [fulfilled, fulfilled]);
    const userIds = ['batch-b', 'unknown', 'batch-a', 'batch-b'];
    const { status, body } = await service.request('POST', '/users/scores', { body: { userIds } });
    expect(status).toBe(200);
    expect(
      body.scores.map((entry: { userId: string; found: boolean }) => [entry.userId, entry.found]),
    ).toEqual([
      ['batch-b', true],
      ['unknown', false],
      ['batch-a', true],
      ['batch-b', true],
    ]);
    expect(body.scores[1]).toEqual({
      userId: 'unknown',
      found: false,
      finalScore: null,
      scoreBand: null,
      confidence: null,
      frozen: null,
      computedAt: null,
    });
    const single = (await get('/users/batch-b/score')).body;
    expect(body.scores[0]).toMatchObject({
      finalScore: single.finalScore,
      frozen: false,
      computedAt: single.computedAt,
    });
    await service.db.execute(`update score set frozen_at = now() where subject_id in
      (select subject_id from subject where external_id = 'batch-b')`);
    const again = await service.request('POST', '/users/scores', { body: { userIds } });
    expect(again.body.scores.map(({ frozen }: { frozen: boolean }) => frozen)).toEqual([
      true,
      null,
      false,
      true,
    ]);
  });

  test.each([
    ['none', { userIds: [] }],
    ['101', { userIds: Array(101).fill('x') }],
    ['a control character', { userIds: ['a\tb'] }],
    ['a number', { userIds: [7] }],
    ['no list', {}],
  ])('a batch read of %s is refused with VALIDATION_ERROR', async (_, body) => {
    const answer = await service.request('POST', '/users/scores', { body });
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  test('explain divides the score exactly and has the texts of the catalogue', async () => {
    await report('explained', [
      fulfilled,
      fulfilled,
      breached,
      { eventType: 'TRANSACTION_DISPUTED', isVerified: true },
    ]);
    const { body } = await get('/users/explained/score/explain');
    const { body: score } = await get('/users/explained/score');
    expect(body).toMatchObject({
      userId: 'explained',
      finalScore: score.finalScore,
      scoreBand: score.scoreBand,
      reasonCodesVersion: '1.0',
      keyFactorLimit: 4,
      formulaVersion: '5.3',
    });
    expect(body.factors.map((factor: { name: string }) => factor.name)).toEqual([
      'completion',
      'timeliness',
      'disputes',
      'verification',
      'gate',
    ]);
    expect(sumOf(body.factors, 'contribution')).toBe(Math.round(score.finalScore * 100) - 2000);
    const { adverseActionReasons, supportingFactors, disclosures } = body.reasonCodes;
    expect(disclosures).toEqual(reasonCodeCatalog.disclosures);
    expect(adverseActionReasons.map((reason: { code: string }) => reason.code)).toContain(
      'DISPUTED_OUTCOMES_ON_RECORD',
    );
    for (const { code, factor, title, description } of [...adverseActionReasons, ...supportingFactors]) {
      const direction = adverseActionReasons.some((reason: { code: string }) => reason.code === code)
        ? 'adverse'
        : 'supporting';
      expect(reasonCodeCatalog.codes).toContainEqual({ code, factor, direction, title, description });
    }
  });

  test('components are six, each 0 to 100 or null', async () => {
    await report('components', [
      { ...fulfilled, dueDate: now.toISOString(), completedAt: now.toISOString() },
    ]);
    const { body } = await get('/users/components/score/components');
    expect(body).toEqual({
      userId: 'components',
      components: {
        reliability: 100,
        timeliness: 100,
        trustworthiness: 100,
        verification: expect.any(Number),
        consistency: null,
        momentum: 50,
      },
      formulaVersion: '5.3',
      computedAt: now.toISOString(),
    });
  });

  test('a component without an outcome to compute it from is null, never 0', async () => {
    const of = async (userId: string) => (await get(`/users/${userId}/score/components`)).body.components;
    const none = { reliability: null, timeliness: null, trustworthiness: null, consistency: null };
    await report('cancelled', [{ ...fulfilled, eventType: 'CONTRACT_CANCELLED' }]);
    expect(await of('cancelled')).toEqual({ ...none, verification: null, momentum: 50 });
    await report('contested', [{ ...fulfilled, eventType: 'TRANSACTION_DISPUTED' }]);
    expect(await of('contested')).toEqual({ ...none, verification: 0, momentum: 50 });
  });

  test('history is newest first, each entry naming the score before it, in pages without gap or repeat', async () => {
    for (let step = 0; step < 7; step += 1) {
      now = new Date(now.getTime() + 1000);
      await report('history', [step % 3 === 2 ? breached : fulfilled]);
    }
    const all = (await get('/users/history/score/history')).body;
    expect(all.nextCursor).toBeNull();
    expect(all.history).toHaveLength(7);
    expect(all.history[0]).toMatchObject({ totalEvents: 7, reason: null, formulaVersion: '5.3' });
    expect(all.history[6].previousScore).toBeNull();
    for (const [index, entry] of all.history.entries()) {
      expect(entry.previousScore).toBe(all.history[index + 1]?.finalScore ?? null);
    }
    const paged = [];
    let cursor = '';
    do {
      const page = (await get(`/users/history/score/history?limit=3${cursor}`)).body;
      paged.push(...page.history);
      cursor = page.nextCursor && `&cursor=${page.nextCursor}`;
    } while (cursor);
    expect(paged).toEqual(all.history);
  });

  test('delta answers 404 before the second score, then explains the last change exactly', async () => {
    await report('changed', [fulfilled]);
    expect(await get('/users/changed/score/delta')).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    });
    const before = (await get('/users/changed/score')).body;
    now = new Date(now.getTime() + 60_000);
    const eventIds = await report('changed', [fulfilled, breached, fulfilled]);
    const after = (await get('/users/changed/score')).body;
    const { status, body } = await get('/users/changed/score/delta');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      userId: 'changed',
      previous: { score: before.finalScore, band: before.scoreBand, computedAt: before.computedAt },
      current: { score: after.finalScore, band: after.scoreBand, computedAt: after.computedAt },
      reason: null,
      events: eventIds,
    });
    const delta = Math.round(after.finalScore * 100) - Math.round(before.finalScore * 100);
    expect(body.delta).toBe(delta / 100);
    expect(sumOf(body.factors, 'delta')).toBe(delta);
    const largest = Math.max(...body.factors.map((entry: { delta: number }) => Math.abs(entry.delta)));
    expect(Math.abs(body.topDriver.delta)).toBe(largest);
    expect(body.factors).toContainEqual(expect.objectContaining(body.topDriver));
  });

  test('a change of 0 points has no top driver', async () => {
    await report('unmoved', [fulfilled]);
    await report('unmoved', [{ eventType: 'CONTRACT_CANCELLED' }]);
    const { body } = await get('/users/unmoved/score/delta');
    expect(body).toMatchObject({ delta: 0, topDriver: null });
    expect(body.events).toHaveLength(1);
  });

  test('a frozen score does not change, and explain names the review first', async () => {
    await report('too-fast', [fulfilled]);
    const before = (await get('/users/too-fast/score')).body;
    await report('too-fast', Array(PER_HOUR).fill(breached));
    const frozen = (await get('/users/too-fast/score')).body;
    expect(frozen).toEqual({ ...before, frozen: true });
    const { body } = await get('/users/too-fast/score/explain');
    const [first, ...others] = body.reasonCodes.adverseActionReasons;
    expect(first).toMatchObject({
      code: 'RECORD_UNDER_VELOCITY_REVIEW',
      evidence: { frozenSince: now.toISOString() },
    });
    expect(others.map((reason: { code: string }) => reason.code)).not.toContain(
      'RECORD_UNDER_VELOCITY_REVIEW',
    );
  });

  test('ageing alone changes a score, with the reason decay and without an event', async () => {
    await report('aging', [fulfilled, fulfilled, fulfilled]);
    const before = (await get('/users/aging/score')).body;
    now = new Date(now.getTime() + 200 * DAY_MS);
    await expect.poll(async () => (await get('/users/aging/score')).body.computedAt).toBe(now.toISOString());
    const { body } = await get('/users/aging/score/delta');
    expect(body).toMatchObject({ reason: 'decay', events: [], previous: { score: before.finalScore } });
    expect(body.delta).toBeLessThan(0);
    expect((await get('/users/aging/score/history')).body.history[0].reason).toBe('decay');
  });

  function tally(event: { eventType: string; isVerified: boolean; stakeLevel?: string }, count = 1): Tally {
    const facts = { stakeLevel: 'MEDIUM', ...event, platformTier: 'STARTER', createdAt: now };
    return { ...tallyKeyOf(facts as Parameters<typeof tallyKeyOf>[0]), count };
  }
});

describe.each(breadth)('a change of many events on %s', (engine) => {
  test('is explained by the first 100 of them', async () => {
    // Without a worker, so that three batches make one change.
    const service = await startTestService(engine, { env: { ROLE: 'api' } });
    const clock = { now: () => new Date() };
    const recompute = async () => {
      const deps = { db: service.ledger, clock, ids: createIdSource(), velocityMaxPerHour: 500 };
      const subjects = await service.db.query<{ recordId: string }>('select record_id from subject');
      await recomputeRecords(
        deps,
        subjects.map((subject) => subject.recordId),
      );
    };
    const report = async (count: number) => {
      const events = Array.from({ length: count }, () => ({ userId: 'busy', eventType: 'REVIEW_VERIFIED' }));
      const { body } = await service.request('POST', '/events/batch', { body: { events } });
      return body.results.map((result: { eventId: string }) => result.eventId);
    };
    await report(1);
    await recompute();
    const eventIds = [...(await report(80)), ...(await report(80))];
    await recompute();
    const { body } = await service.request('GET', '/users/busy/score/delta');
    expect(body.events).toEqual(eventIds.slice(0, 100));
    await service.close();
  });
});

/** In hundredths. */
function sumOf<Name extends string>(entries: readonly Record<Name, number>[], name: Name): number {
  return entries.reduce((sum, entry) => sum + Math.round(entry[name] * 100), 0);
}
