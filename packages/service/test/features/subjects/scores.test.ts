import { dayOf, reasonCodeCatalog, score as scoreOf, type Tally, tallyKeyOf } from '@reliability/scoring';
import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { everyPage } from '#harness/everyPage.js';
import { givenService } from '#harness/givenService.js';
import { exampleBodies, routeTable } from '#harness/routeTable.js';
import { API_PREFIX, operationsOf } from '#kit/http/route.js';
import { createIdSource } from '#kit/ids.js';
import { recomputeRecords } from '#ledger/recompute/recompute.js';
import { breached as breach, DAY_MS, fulfilled, reportAll } from '../insight/recordFixtures.js';
import { UNKNOWN_ID } from '../tenancy/keyFixtures.js';

const breached = { ...breach, stakeLevel: 'HIGH' };
/** These start from the blank record. */
const answerForAnyId = ['/score/project', '/documents/analyze'];
const ofSubjects = operationsOf(routeTable()).filter(
  ({ path }) =>
    path.startsWith(`${API_PREFIX}/users/{id}`) && !answerForAnyId.some((end) => path.endsWith(end)),
);
const exampleOf = await exampleBodies();
const codesOf = (reasons: readonly { code: string }[]) => reasons.map(({ code }) => code);

describe.each(breadth)('the reads of scores on %s', (engine) => {
  let now = new Date('2026-02-10T12:00:00.000Z');
  const service = givenService(engine, { clock: { now: () => now } });
  const get = (path: string, key?: string) => service.request('GET', path, { key });
  const read = async (userId: string, what = '') => (await get(`/users/${userId}/score${what}`)).body;
  const report = (userId: string, events: object[], key?: string) => reportAll(service, userId, events, key);

  test.each(ofSubjects)('$name answers 404 USER_NOT_FOUND for an id without a subject', async (operation) => {
    const { method, path } = operation;
    for (const id of ['test:somebody', 'ÄÖ 漢字/%']) {
      const target = path.replace('{id}', encodeURIComponent(id)).replace('{projectId}', UNKNOWN_ID);
      const answer = await service.request(method, `!${target}`, { body: exampleOf(operation) });
      expect([answer.status, answer.body.code]).toEqual([404, 'USER_NOT_FOUND']);
    }
  });

  test('the path takes any external id of 1 to 255 characters but control characters', async () => {
    for (const id of [`${'x'.repeat(256)}`, 'line\nbreak', 'del\u007f', 'c1\u0085']) {
      const answer = await get(`/users/${encodeURIComponent(id)}/score`);
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_ERROR', details: [{ path: 'id' }] },
      });
    }
    const longest = '漢'.repeat(255);
    await report(longest, [fulfilled]);
    expect((await get(`/users/${encodeURIComponent(longest)}/score`)).body.userId).toBe(longest);
  });

  test('every answer that shows a score has its figures by the same names and with the same digits', async () => {
    await report('figures', [fulfilled, { ...fulfilled, isVerified: false }, breached]);
    const score = await read('figures');
    const shown = [
      await read('figures', '/explain'),
      (await read('figures', '/history')).history[0],
      (await service.request('POST', '/users/scores', { body: { userIds: ['figures'] } })).body.scores[0],
      (await get('/users?q=figures')).body.users[0],
      (await get('/users/figures/timeline')).body.items.find(({ score }: { score?: object }) => score)?.score,
      (await get('/users/figures/reliability')).body,
    ];
    for (const answer of shown) {
      const figures = Object.keys(score).filter((name) => name !== 'userId' && Object.hasOwn(answer, name));
      expect(figures).toContain('finalScore');
      for (const name of figures) expect([name, answer[name]]).toEqual([name, score[name]]);
    }
  });

  test('a score follows its events and agrees with the formula to the last digit', async () => {
    await report('formula', [fulfilled, { ...fulfilled, isVerified: false }, breached, fulfilled]);
    const tallies = [tally(fulfilled, 2), tally({ ...fulfilled, isVerified: false }), tally(breached)];
    const expected = scoreOf(tallies, dayOf(now));
    if (!expected) throw new Error('no score');
    const { finalScore, scoreBand, confidence, confidenceLabel, behavioralQuality } = expected;
    expect(await read('formula')).toEqual({
      userId: 'formula',
      ...{ finalScore, scoreBand, confidence, confidenceLabel, behavioralQuality },
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
    const asked = Array.from({ length: 200 }, (_, index) => [...names, 'nobody'][index % 4] ?? '');
    const answers = await Promise.all(asked.map((name) => read(name)));
    const expected = asked.map((name) => (name === 'nobody' ? 'USER_NOT_FOUND' : `${name} ${name.at(-1)}`));
    expect(answers.map((body) => body.code ?? `${body.userId} ${body.totalEvents}`)).toEqual(expected);
  });

  test('live and test subjects with one id are independent', async () => {
    await report('both', [fulfilled]);
    expect((await get('/users/both/score', service.testKey)).body.code).toBe('USER_NOT_FOUND');
    await report('both', [breached], service.testKey);
    expect((await read('both')).totalEvents).toBe(1);
    expect((await get('/users/both/score', service.testKey)).body.scoreBand).toBe('High Risk');
  });

  test('a batch read answers in the order of the request, repeats and unknown ids included', async () => {
    await report('batch-a', [fulfilled]);
    await report('batch-b', [fulfilled, fulfilled]);
    const userIds = ['batch-b', 'unknown', 'batch-a', 'batch-b'];
    const scores = async () => {
      const { body } = await service.request('POST', '/users/scores', { body: { userIds } });
      return body.scores as { frozen: boolean | null }[];
    };
    const entries = await Promise.all(
      userIds.map(async (userId) => {
        const none = { finalScore: null, scoreBand: null, confidence: null, frozen: null, computedAt: null };
        if (userId === 'unknown') return { userId, found: false, ...none };
        const { finalScore, scoreBand, confidence, frozen, computedAt } = await read(userId);
        return { userId, found: true, finalScore, scoreBand, confidence, frozen, computedAt };
      }),
    );
    expect(await scores()).toEqual(entries);
    await service.db.execute(`update score set frozen_at = now() where external_id = 'batch-b'`);
    expect((await scores()).map(({ frozen }) => frozen)).toEqual([true, null, false, true]);
    const refused = await service.request('POST', '/users/scores', { body: { userIds: ['a\tb'] } });
    expect([refused.status, refused.body.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  test('explain divides the score exactly and has the texts of the catalogue', async () => {
    const disputed = { eventType: 'TRANSACTION_DISPUTED', isVerified: true };
    await report('explained', [fulfilled, fulfilled, breached, disputed]);
    const body = await read('explained', '/explain');
    const { finalScore, scoreBand } = await read('explained');
    const versions = { reasonCodesVersion: '1.0', keyFactorLimit: 4, formulaVersion: '5.3' };
    expect(body).toMatchObject({ userId: 'explained', finalScore, scoreBand, ...versions });
    const names = body.factors.map((factor: { name: string }) => factor.name);
    expect(names).toEqual(['completion', 'timeliness', 'disputes', 'verification', 'gate']);
    expect(sumOf(body.factors, 'contribution')).toBe(Math.round(finalScore * 100) - 2000);
    const { adverseActionReasons, supportingFactors, disclosures } = body.reasonCodes;
    expect(disclosures).toEqual(reasonCodeCatalog.disclosures);
    expect(codesOf(adverseActionReasons)).toContain('DISPUTED_OUTCOMES_ON_RECORD');
    for (const [direction, reasons] of Object.entries({
      adverse: adverseActionReasons,
      supporting: supportingFactors,
    }))
      for (const { code, factor, title, description } of reasons)
        expect(reasonCodeCatalog.codes).toContainEqual({ code, factor, direction, title, description });
  });

  test('components are six, each 0 to 100 or null', async () => {
    const at = now.toISOString();
    await report('components', [{ ...fulfilled, dueDate: at, completedAt: at }]);
    expect(await read('components', '/components')).toEqual({
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
      computedAt: at,
    });
  });

  test('a component without an outcome to compute it from is null, never 0', async () => {
    const of = async (userId: string) => (await read(userId, '/components')).components;
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
    const all = await read('history', '/history');
    expect(all.nextCursor).toBeNull();
    expect(all.history).toHaveLength(7);
    expect(all.history[0]).toMatchObject({ totalEvents: 7, reason: null, formulaVersion: '5.3' });
    expect(all.history[6].previousScore).toBeNull();
    for (const [index, entry] of all.history.entries()) {
      expect(entry.previousScore).toBe(all.history[index + 1]?.finalScore ?? null);
    }
    expect(await everyPage(service, '/users/history/score/history', 'history', { limit: 3 })).toEqual(
      all.history,
    );
  });

  test('delta answers 404 before the second score, then explains the last change exactly', async () => {
    await report('changed', [fulfilled]);
    expect(await get('/users/changed/score/delta')).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    });
    const stateOf = async () => {
      const { finalScore: score, scoreBand: band, computedAt } = await read('changed');
      return { score, band, computedAt };
    };
    const previous = await stateOf();
    now = new Date(now.getTime() + 60_000);
    const events = await report('changed', [fulfilled, breached, fulfilled]);
    const current = await stateOf();
    const body = await read('changed', '/delta');
    expect(body).toMatchObject({ userId: 'changed', previous, current, reason: null, events });
    const delta = Math.round(current.score * 100) - Math.round(previous.score * 100);
    expect(body.delta).toBe(delta / 100);
    expect(sumOf(body.factors, 'delta')).toBe(delta);
    const largest = Math.max(...body.factors.map((entry: { delta: number }) => Math.abs(entry.delta)));
    expect(Math.abs(body.topDriver.delta)).toBe(largest);
    expect(body.factors).toContainEqual(expect.objectContaining(body.topDriver));
  });

  test('a change of 0 points has no top driver', async () => {
    await report('unmoved', [fulfilled]);
    await report('unmoved', [{ eventType: 'CONTRACT_CANCELLED' }]);
    const one = [expect.any(String)];
    expect(await read('unmoved', '/delta')).toMatchObject({ delta: 0, topDriver: null, events: one });
  });

  test('ageing alone changes a score, with the reason decay and without an event', async () => {
    await report('aging', [fulfilled, fulfilled, fulfilled]);
    const before = await read('aging');
    now = new Date(now.getTime() + 200 * DAY_MS);
    await expect.poll(async () => (await read('aging')).computedAt).toBe(now.toISOString());
    const body = await read('aging', '/delta');
    expect(body).toMatchObject({ reason: 'decay', events: [], previous: { score: before.finalScore } });
    expect(body.delta).toBeLessThan(0);
    expect((await read('aging', '/history')).history[0].reason).toBe('decay');
  });

  function tally(event: { eventType: string; isVerified: boolean; stakeLevel?: string }, count = 1): Tally {
    const facts = { stakeLevel: 'MEDIUM', ...event, platformTier: 'STARTER', createdAt: now };
    return { ...tallyKeyOf(facts as Parameters<typeof tallyKeyOf>[0]), count };
  }
});

describe.each(breadth)('a change of many events on %s', (engine) => {
  // Without a worker, so that three batches make one change.
  const service = givenService(engine, { env: { ROLE: 'api' } });

  test('is explained by the first 100 of them', async () => {
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
  });
});

/** In hundredths. */
function sumOf<Name extends string>(entries: readonly Record<Name, number>[], name: Name): number {
  return entries.reduce((sum, entry) => sum + Math.round(entry[name] * 100), 0);
}
