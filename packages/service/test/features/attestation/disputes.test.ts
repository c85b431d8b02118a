import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { differencesIn } from '#harness/differencesIn.js';
import { breadth } from '#harness/engines.js';
import { startTestService, type TestService } from '#harness/service.js';
import { untilServed } from '#harness/untilServed.js';
import { anotherPlatform, exportAll, outcome, report, reportBatch } from '../intake/eventFixtures.js';
import { trailOf } from '../tenancy/trail.js';
import { type DisputeResponse, disputesOf, eventOf, filedDispute, resolve } from './disputeFixtures.js';

const UUID = /^[0-9a-f-]{36}$/;
const DAY_MS = 86_400_000;
const UNKNOWN_ID = '0199a3c2-7b1e-7c40-8d21-5f0c9b7a1e34';

describe.each(breadth)('disputes on %s', (engine) => {
  let service: TestService;
  let now = new Date('2026-03-02T08:00:00.000Z');
  let other: { liveKey: string; testKey: string };

  beforeAll(async () => {
    service = await startTestService(engine, { clock: { now: () => now } });
    other = await anotherPlatform(service);
  });
  afterAll(async () => {
    expect(await differencesIn(service.db)).toEqual([]);
    await service.close();
  });

  const file = (body: unknown, key?: string, headers?: Record<string, string>) =>
    service.request('POST', '/disputes', { key, body, headers });
  const pass = (ms: number) => {
    now = new Date(now.getTime() + ms);
  };
  const sweep = async () =>
    (await service.request('POST', '/admin/sweeps/disputes', { admin: true })).body.affected;
  const eventsOf = async (userId: string, key?: string) =>
    (await exportAll(service, { key })).filter((event) => event.userId === userId);
  const scoreOf = async (userId: string) => {
    await service.settle();
    return (await service.request('GET', `/users/${userId}/score`)).body;
  };

  test('filing answers with the dispute and writes DISPUTE_FILED with its reason', async () => {
    const eventId = await eventOf(service, {
      userId: 'filed',
      eventType: 'CONTRACT_BREACHED',
      stakeLevel: 'HIGH',
      isVerified: true,
    });
    const { status, body } = await file({ eventId, reason: 'The door was locked.' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(UUID),
      eventId,
      userId: 'filed',
      status: 'OPEN',
      outcome: null,
      lapsed: false,
      openedAt: now.toISOString(),
      respondBy: new Date(now.getTime() + 14 * DAY_MS).toISOString(),
      resolvedAt: null,
      outcomeEventId: null,
    });
    expect((await service.request('GET', `/disputes/${body.id}`)).body).toEqual(body);
    expect((await eventsOf('filed')).at(-1)).toMatchObject({
      eventType: 'DISPUTE_FILED',
      stakeLevel: 'HIGH',
      isVerified: true,
      metadata: { disputeId: body.id, reason: 'The door was locked.' },
    });
  });

  test('a TRANSACTION_DISPUTED event opens its own dispute, and files nothing', async () => {
    const eventId = await eventOf(service, { userId: 'automatic', eventType: 'TRANSACTION_DISPUTED' });
    const [dispute, ...more] = await disputesOf(service, 'userId=automatic');
    expect(dispute).toMatchObject({ eventId, status: 'OPEN', openedAt: now.toISOString() });
    expect(more).toEqual([]);
    expect((await eventsOf('automatic')).map(({ eventType }) => eventType)).toEqual(['TRANSACTION_DISPUTED']);
  });

  test('a batch opens a dispute for each disputed item that it records, and none for a repeat', async () => {
    const item = (index: number) =>
      outcome({ userId: 'batched', eventType: 'TRANSACTION_DISPUTED', idempotencyKey: `batched-${index}` });
    const batch = [item(1), item(2), outcome({ userId: 'batched' }), item(1)];
    await reportBatch(service, batch);
    await reportBatch(service, batch);
    expect(await disputesOf(service, 'userId=batched')).toHaveLength(2);
  });

  test.each(['PATCH', 'POST'])(
    '%s resolves against the subject when the event is verified',
    async (method) => {
      const userId = `against-${method}`;
      const dispute = await filedDispute(service, { userId, isVerified: true, stakeLevel: 'LOW' });
      pass(1000);
      const { status, body } = await resolve(service, dispute.id, undefined, method);
      expect(status).toBe(200);
      const [, filed, ended] = await eventsOf(userId);
      expect(body).toEqual({
        ...dispute,
        status: 'RESOLVED_AGAINST_USER',
        outcome: 'AGAINST_USER',
        resolvedAt: now.toISOString(),
        outcomeEventId: ended?.id,
      });
      expect(filed).toMatchObject({ eventType: 'DISPUTE_FILED' });
      expect(ended).toMatchObject({
        eventType: 'DISPUTE_RESOLVED_AGAINST_USER',
        stakeLevel: 'LOW',
        isVerified: true,
        metadata: { disputeId: dispute.id },
      });
      expect((await service.request('GET', `/disputes/${dispute.id}`)).body).toEqual(body);
    },
  );

  test('resolves for the subject when the event is not verified, whatever the body says', async () => {
    const dispute = await filedDispute(service, { userId: 'discretion' });
    const body = { outcome: 'AGAINST_USER', status: 'RESOLVED_AGAINST_USER' };
    const answer = await service.request('POST', `/disputes/${dispute.id}/resolve`, { body });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ status: 'RESOLVED_FOR_USER', outcome: 'FOR_USER', lapsed: false });
    expect((await eventsOf('discretion')).at(-1)).toMatchObject({
      eventType: 'DISPUTE_RESOLVED_FOR_USER',
      isVerified: false,
    });
  });

  test('a filing counts until the dispute is resolved, and no longer', async () => {
    const verified = { userId: 'weighed', isVerified: true };
    for (let count = 0; count < 4; count += 1) await eventOf(service, verified);
    const eventId = await eventOf(service, { ...verified, eventType: 'CONTRACT_BREACHED' });
    const plain = await scoreOf('weighed');
    expect(plain).toMatchObject({ totalEvents: 5, verifiedEvents: 5 });
    const { id } = (await file({ eventId })).body;
    const contested = await scoreOf('weighed');
    expect(contested).toMatchObject({ totalEvents: 6, verifiedEvents: 6 });
    expect(contested.finalScore).toBeLessThan(plain.finalScore);
    await resolve(service, id);
    expect(await scoreOf('weighed')).toMatchObject({ totalEvents: 6, verifiedEvents: 6 });
    const counted = (await service.request('GET', '/users/weighed/reliability')).body;
    // Two breaches of six: the reported one and the outcome of its dispute. The filing does not
    // count.
    expect(counted).toMatchObject({ totalEvents: 6, noShowRate: 0.3333 });
  });

  test('an unresolved dispute is no breach in the dispatch read', async () => {
    await eventOf(service, { userId: 'undecided' });
    await eventOf(service, { userId: 'undecided', eventType: 'TRANSACTION_DISPUTED', isVerified: true });
    await service.settle();
    const read = () => service.request('GET', '/users/undecided/reliability');
    expect((await read()).body).toMatchObject({ noShowRate: 0 });
    const [dispute] = await disputesOf(service, 'userId=undecided');
    await resolve(service, dispute?.id ?? '');
    await service.settle();
    // The outcome of the dispute has replaced the contested event.
    expect((await read()).body).toMatchObject({ totalEvents: 2, noShowRate: 0.5 });
  });

  test('a disputed transaction counts until its dispute has ended, and no longer', async () => {
    const codesOf = async () => {
      const { body } = await service.request('GET', '/users/cleared/score/explain');
      return [...body.reasonCodes.adverseActionReasons, ...body.reasonCodes.supportingFactors].map(
        ({ code }: { code: string }) => code,
      );
    };
    for (let count = 0; count < 4; count += 1)
      await eventOf(service, { userId: 'cleared', isVerified: true });
    const plain = await scoreOf('cleared');
    await eventOf(service, { userId: 'cleared', eventType: 'TRANSACTION_DISPUTED' });
    expect(await scoreOf('cleared')).toMatchObject({ totalEvents: 5 });
    expect(await codesOf()).toContain('DISPUTED_OUTCOMES_ON_RECORD');
    const [dispute] = await disputesOf(service, 'userId=cleared');
    await resolve(service, dispute?.id ?? '');
    const cleared = await scoreOf('cleared');
    expect(cleared).toMatchObject({ totalEvents: 5, verifiedEvents: 4 });
    expect(cleared.finalScore).toBeGreaterThanOrEqual(plain.finalScore);
    expect(await codesOf()).toContain('CLEAN_DISPUTE_RECORD');
  });

  test('the end of a dispute is emitted once, with the subject and the outcome', async () => {
    const dispute = await filedDispute(service, { userId: 'told', isVerified: true });
    await resolve(service, dispute.id);
    await resolve(service, dispute.id);
    expect(await emittedOf(dispute.id)).toEqual([
      {
        disputeId: dispute.id,
        eventId: dispute.eventId,
        user: { externalId: 'told' },
        outcome: 'AGAINST_USER',
        status: 'RESOLVED_AGAINST_USER',
        lapsed: false,
        resolvedAt: now.toISOString(),
      },
    ]);
  });

  test.each([
    'TRANSACTION_COMPLETED',
    'TRANSACTION_CANCELLED',
    'REVIEW_VERIFIED',
    'CONTRACT_FULFILLED',
    'CONTRACT_CANCELLED',
    'DISPUTE_RESOLVED_FOR_USER',
  ])('an event of type %s cannot be disputed', async (eventType) => {
    const eventId = await eventOf(service, { userId: 'undisputable', eventType });
    const answer = await file({ eventId });
    expect([answer.status, answer.body.code]).toEqual([409, 'CONFLICT']);
    expect(await disputesOf(service, 'userId=undisputable')).toEqual([]);
  });

  test('an event that the service wrote cannot be disputed', async () => {
    const dispute = await filedDispute(service, { userId: 'engine', isVerified: true });
    await resolve(service, dispute.id);
    const [, filed, ended] = await eventsOf('engine');
    for (const event of [filed, ended]) {
      const answer = await file({ eventId: event?.id });
      expect([answer.status, answer.body.code]).toEqual([409, 'CONFLICT']);
    }
  });

  test('an event can be disputed once: not again while the dispute is open, nor after', async () => {
    const dispute = await filedDispute(service, { userId: 'twice' });
    const opened = await eventOf(service, { userId: 'twice', eventType: 'TRANSACTION_DISPUTED' });
    for (const eventId of [dispute.eventId, opened]) {
      expect((await file({ eventId })).status).toBe(409);
    }
    for (const { id } of await disputesOf(service, 'userId=twice')) await resolve(service, id);
    for (const eventId of [dispute.eventId, opened]) {
      const answer = await file({ eventId });
      expect([answer.status, answer.body.code]).toEqual([409, 'CONFLICT']);
    }
    expect(await disputesOf(service, 'userId=twice')).toHaveLength(2);
  });

  test('a disputed outcome from before the service had disputes can be filed', async () => {
    const eventId = await eventOf(service, {
      userId: 'old',
      eventType: 'TRANSACTION_DISPUTED',
      isVerified: true,
    });
    await service.db.execute('delete from dispute where event_id = $1', [eventId]);
    const { status, body } = await file({ eventId });
    expect(status).toBe(201);
    expect((await resolve(service, body.id)).body).toMatchObject({ outcome: 'AGAINST_USER' });
  });

  test("an unknown event, another platform's and the other mode's are not found", async () => {
    const foreign = await eventOf(service, { userId: 'x', eventType: 'CONTRACT_BREACHED' }, other.liveKey);
    const ofTest = await eventOf(service, { userId: 'x', eventType: 'CONTRACT_BREACHED' }, service.testKey);
    for (const eventId of [UNKNOWN_ID, '00000000-0000-0000-0000-000000000000', foreign, ofTest]) {
      const answer = await file({ eventId });
      expect([answer.status, answer.body.code]).toEqual([404, 'NOT_FOUND']);
    }
  });

  test.each([
    [{}, 'eventId', 'required'],
    [{ eventId: 7 }, 'eventId', 'invalid_type'],
    [{ eventId: 'no-uuid' }, 'eventId', 'invalid_format'],
    [{ eventId: UNKNOWN_ID, reason: 'x'.repeat(2001) }, 'reason', 'too_big'],
    [{ eventId: UNKNOWN_ID, reason: 'a\u0000b' }, 'reason', 'invalid_format'],
  ])('a body %j is refused', async (body, path, code) => {
    const answer = await file(body);
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.body.details).toEqual([expect.objectContaining({ path, code })]);
  });

  test('a reason of 2000 characters is stored, and it may be null', async () => {
    const long = await eventOf(service, { userId: 'reasons', eventType: 'CONTRACT_BREACHED' });
    const none = await eventOf(service, { userId: 'reasons', eventType: 'CONTRACT_BREACHED' });
    expect((await file({ eventId: long, reason: 'ü'.repeat(2000) })).status).toBe(201);
    expect((await file({ eventId: none, reason: null })).status).toBe(201);
    const filings = (await eventsOf('reasons')).filter(({ eventType }) => eventType === 'DISPUTE_FILED');
    expect(filings.map(({ metadata }) => metadata?.reason)).toEqual(['ü'.repeat(2000), undefined]);
  });

  test('a dispute of another platform is 403 on resolve and 404 on reads; one of the other mode is always 404', async () => {
    const { id } = await filedDispute(service, { userId: 'guarded' });
    const read = async (key: string) => (await service.request('GET', `/disputes/${id}`, { key })).body.code;
    for (const method of ['PATCH', 'POST']) {
      const forbidden = await resolve(service, id, other.liveKey, method);
      expect([forbidden.status, forbidden.body.code]).toEqual([403, 'FORBIDDEN']);
      for (const key of [other.testKey, service.testKey]) {
        expect((await resolve(service, id, key, method)).body.code).toBe('NOT_FOUND');
      }
    }
    for (const key of [other.liveKey, other.testKey, service.testKey])
      expect(await read(key)).toBe('NOT_FOUND');
    expect((await service.request('GET', `/disputes/${id}`)).body.status).toBe('OPEN');
    await resolve(service, id);
    expect((await resolve(service, id, other.liveKey)).body.code).toBe('FORBIDDEN');
  });

  test('a resolved dispute stays as it is', async () => {
    const { id } = await filedDispute(service, { userId: 'terminal' });
    const { body } = await resolve(service, id);
    pass(20 * DAY_MS);
    const again = await resolve(service, id);
    expect([again.status, again.body.code]).toEqual([409, 'CONFLICT']);
    await sweep();
    expect((await service.request('GET', `/disputes/${id}`)).body).toEqual(body);
    expect(await eventsOf('terminal')).toHaveLength(3);
  });

  test('the listing shows own disputes newest first, in pages, by status and by subject', async () => {
    const key = (await anotherPlatform(service)).liveKey;
    const made: DisputeResponse[] = [];
    for (let index = 0; index < 7; index += 1) {
      pass(1);
      made.unshift(
        await filedDispute(service, { userId: `listed-${index % 2}`, isVerified: index < 2 }, key),
      );
    }
    for (const { id } of made.slice(5)) await resolve(service, id, key);
    const idsOf = async (query: string) => (await disputesOf(service, query, key)).map(({ id }) => id);
    const ids = made.map(({ id }) => id);
    expect(await idsOf('')).toEqual(ids);
    expect(await idsOf('limit=2')).toEqual(ids);
    expect(await idsOf('status=OPEN&limit=1')).toEqual(ids.slice(0, 5));
    expect(await idsOf('status=RESOLVED_AGAINST_USER')).toEqual(ids.slice(5));
    expect(await idsOf('status=RESOLVED_FOR_USER')).toEqual([]);
    expect(await idsOf('userId=listed-1&limit=2')).toEqual([ids[1], ids[3], ids[5]]);
    expect(await idsOf('userId=listed-1&status=RESOLVED_AGAINST_USER')).toEqual([ids[5]]);
    expect(await idsOf('userId=nobody')).toEqual([]);
  });

  test('a window that ends closes the dispute for the subject, verified or not, and says that it lapsed', async () => {
    pass(14 * DAY_MS);
    await sweep();
    const filed = await filedDispute(service, { userId: 'lapsing', isVerified: true });
    await eventOf(service, { userId: 'lapsing', eventType: 'TRANSACTION_DISPUTED' });
    pass(14 * DAY_MS - 1);
    expect(await sweep()).toBe(0);
    pass(1);
    expect(await sweep()).toBe(2);
    expect(await sweep()).toBe(0);
    for (const dispute of await disputesOf(service, 'userId=lapsing')) {
      expect(dispute).toMatchObject({
        status: 'RESOLVED_FOR_USER',
        outcome: 'FOR_USER',
        lapsed: true,
        resolvedAt: now.toISOString(),
        outcomeEventId: expect.stringMatching(UUID),
      });
    }
    expect(await emittedOf(filed.id)).toEqual([
      expect.objectContaining({ lapsed: true, outcome: 'FOR_USER' }),
    ]);
    const ends = (await eventsOf('lapsing')).filter(({ eventType }) =>
      eventType.startsWith('DISPUTE_RESOLVED'),
    );
    expect(ends.map(({ eventType, isVerified }) => [eventType, isVerified])).toEqual([
      ['DISPUTE_RESOLVED_FOR_USER', true],
      ['DISPUTE_RESOLVED_FOR_USER', false],
    ]);
  });

  test('disputes that lapse together are no risk signal', async () => {
    for (let index = 0; index < 6; index += 1) {
      await filedDispute(service, { userId: 'together', isVerified: true });
      pass(1);
    }
    pass(14 * DAY_MS);
    await sweep();
    expect(await eventsOf('together')).toHaveLength(18);
    expect((await service.request('GET', '/users/together/risk')).body).toMatchObject({
      level: 'none',
      signals: [],
    });
  });

  test('a resolution after the window and before the sweep is a lapse', async () => {
    const { id } = await filedDispute(service, { userId: 'late', isVerified: true });
    pass(14 * DAY_MS);
    expect((await resolve(service, id)).body).toMatchObject({ status: 'RESOLVED_FOR_USER', lapsed: true });
    await sweep();
    expect(await emittedOf(id)).toHaveLength(1);
  });

  test('fifty resolutions at the same instant: one wins, one event is written, one envelope', async () => {
    const { id } = await filedDispute(service, { userId: 'raced', isVerified: true });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        untilServed(() => resolve(service, id, undefined, index % 2 ? 'POST' : 'PATCH')),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 49 }, () => 409)]);
    expect(await eventsOf('raced')).toHaveLength(3);
    expect(await emittedOf(id)).toHaveLength(1);
  });

  test('fifty filings about one event at the same instant: one wins', async () => {
    const eventId = await eventOf(service, { userId: 'raced-filing', eventType: 'CONTRACT_BREACHED' });
    const answers = await Promise.all(Array.from({ length: 50 }, () => untilServed(() => file({ eventId }))));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      201,
      ...Array.from({ length: 49 }, () => 409),
    ]);
    expect(await eventsOf('raced-filing')).toHaveLength(2);
  });

  test('resolutions and sweeps at the same instant end each dispute once', async () => {
    pass(14 * DAY_MS);
    await sweep();
    const ids: string[] = [];
    for (let index = 0; index < 20; index += 1) {
      ids.push((await filedDispute(service, { userId: `crowd-${index % 4}` })).id);
    }
    pass(14 * DAY_MS);
    const [answers, swept] = await Promise.all([
      Promise.all(ids.map((id) => resolve(service, id))),
      Promise.all([sweep(), sweep(), sweep()]),
    ]);
    const won = answers.filter(({ status }) => status === 200).length;
    const left = (await sweep()) + swept.reduce((sum, affected) => sum + affected, 0);
    expect(won + left).toBe(20);
    for (const id of ids) expect(await emittedOf(id)).toHaveLength(1);
  });

  test('a reset of test data deletes a test dispute and keeps a live one', async () => {
    const { id } = await filedDispute(service, { userId: 'sandboxed' }, service.testKey);
    const live = await filedDispute(service, { userId: 'sandboxed' });
    await service.request('DELETE', '/test/data', { key: service.testKey });
    expect((await service.request('GET', `/disputes/${id}`, { key: service.testKey })).status).toBe(404);
    expect(await disputesOf(service, '', service.testKey)).toEqual([]);
    expect((await service.request('GET', `/disputes/${live.id}`)).status).toBe(200);
  });

  test("the activity log names the service as the writer of a dispute's events", async () => {
    const key = (await anotherPlatform(service)).liveKey;
    const dispute = await filedDispute(service, { userId: 'trailed' }, key);
    const { outcomeEventId } = (await resolve(service, dispute.id, key)).body;
    const trail = await trailOf(service, key, '&action=EVENT_CREATED');
    expect(trail.map(({ actor, details }) => [actor, details?.eventType])).toEqual([
      ['service', 'DISPUTE_RESOLVED_FOR_USER'],
      ['service', 'DISPUTE_FILED'],
      ['platform', 'CONTRACT_BREACHED'],
    ]);
    expect(trail[0]?.target).toBe(outcomeEventId);
  });

  test('platforms cannot report the event types of the service', async () => {
    for (const eventType of ['DISPUTE_FILED', 'DISPUTE_RESOLVED_AGAINST_USER']) {
      expect((await report(service, outcome({ eventType }))).body.code).toBe('VALIDATION_ERROR');
    }
  });

  async function emittedOf(disputeId: string): Promise<object[]> {
    const rows = await service.db.query<{ body: string }>(
      `select body from envelope where type = 'dispute.resolved' and body::json -> 'data' ->> 'disputeId' = $1`,
      [disputeId],
    );
    return rows.map((row) => JSON.parse(row.body).data);
  }
});
