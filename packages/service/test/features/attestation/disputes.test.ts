import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { differencesIn } from '#harness/differencesIn.js';
import { breadth } from '#harness/engines.js';
import { everyPage } from '#harness/everyPage.js';
import { startTestService, type TestAnswer, type TestService } from '#harness/service.js';
import { untilServed } from '#harness/untilServed.js';
import { anotherPlatform, exportAll, outcome, reportBatch } from '../intake/eventFixtures.js';
import { DAY_MS, UNKNOWN_ID } from '../tenancy/keyFixtures.js';
import { trailOf } from '../tenancy/trail.js';
import { disputesOf, eventOf, filedDispute, resolve } from './disputeFixtures.js';

const UUID = /^[0-9a-f-]{36}$/;
const FIFTY = Array.from({ length: 50 });
const CONFLICT = [409, 'CONFLICT'];

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

  const breach = (event: Record<string, unknown> = {}, key?: string) =>
    eventOf(service, { eventType: 'CONTRACT_BREACHED', ...event }, key);
  const disputed = (event: Record<string, unknown>) =>
    eventOf(service, { eventType: 'TRANSACTION_DISPUTED', ...event });
  const file = (body: unknown) => service.request('POST', '/disputes', { body });
  const read = async (id: string) => (await service.request('GET', `/disputes/${id}`)).body;
  const codeOf = ({ status, body }: TestAnswer) => [status, body.code];
  const pass = (ms: number) => {
    now = new Date(now.getTime() + ms);
  };
  const sweep = async () =>
    (await service.request('POST', '/admin/sweeps/disputes', { admin: true })).body.affected;
  const eventsOf = async (userId: string) =>
    (await exportAll(service)).filter((event) => event.userId === userId);
  const typesOf = async (userId: string) => (await eventsOf(userId)).map(({ eventType }) => eventType);
  const subjectRead = async (userId: string, end: string) => {
    await service.settle();
    return (await service.request('GET', `/users/${userId}/${end}`)).body;
  };

  test('filing answers with the dispute and writes DISPUTE_FILED with its reason', async () => {
    const eventId = await breach({ userId: 'filed', stakeLevel: 'HIGH', isVerified: true });
    const { status, body } = await file({ eventId, reason: 'The door was locked.' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(UUID),
      eventId,
      displayName: null,
      userId: 'filed',
      status: 'OPEN',
      outcome: null,
      lapsed: false,
      openedAt: now.toISOString(),
      respondBy: new Date(now.getTime() + 14 * DAY_MS).toISOString(),
      overdue: false,
      resolvedAt: null,
      outcomeEventId: null,
      reason: 'The door was locked.',
      event: (await service.request('GET', `/events/${eventId}`)).body,
    });
    expect(await read(body.id)).toEqual(body);
    expect((await eventsOf('filed')).at(-1)).toMatchObject({
      eventType: 'DISPUTE_FILED',
      stakeLevel: 'HIGH',
      isVerified: true,
      metadata: { disputeId: body.id, reason: 'The door was locked.' },
    });
  });

  test('a reason of 2000 characters is stored, and it may be null', async () => {
    const reasons = ['ü'.repeat(2000), null];
    for (const reason of reasons) {
      expect((await file({ eventId: await breach({ userId: 'reasons' }), reason })).status).toBe(201);
    }
    const filings = (await eventsOf('reasons')).filter(({ eventType }) => eventType === 'DISPUTE_FILED');
    expect(filings.map(({ metadata }) => metadata?.reason ?? null)).toEqual(reasons);
  });

  test('a TRANSACTION_DISPUTED event opens its own dispute, and files nothing', async () => {
    const eventId = await disputed({ userId: 'automatic' });
    const [dispute, ...more] = await disputesOf(service, 'userId=automatic');
    expect(dispute).toMatchObject({ eventId, status: 'OPEN', openedAt: now.toISOString() });
    expect(more).toEqual([]);
    expect(await typesOf('automatic')).toEqual(['TRANSACTION_DISPUTED']);
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
    '%s resolves against the subject when the event is verified, and the end is emitted once',
    async (method) => {
      const userId = `against-${method}`;
      const dispute = await filedDispute(service, { userId, isVerified: true, stakeLevel: 'LOW' });
      pass(1000);
      const { status, body } = await resolve(service, dispute.id, undefined, method);
      expect(status).toBe(200);
      const [, filed, ended] = await eventsOf(userId);
      const resolution = { status: 'RESOLVED_AGAINST_USER', outcome: 'AGAINST_USER' };
      const resolvedAt = now.toISOString();
      expect(body).toEqual({ ...dispute, ...resolution, resolvedAt, outcomeEventId: ended?.id });
      expect(filed).toMatchObject({ eventType: 'DISPUTE_FILED' });
      expect(ended).toMatchObject({
        eventType: 'DISPUTE_RESOLVED_AGAINST_USER',
        stakeLevel: 'LOW',
        isVerified: true,
        metadata: { disputeId: dispute.id },
      });
      const { id: disputeId, eventId } = dispute;
      const emitted = [
        { disputeId, eventId, user: { externalId: userId }, ...resolution, lapsed: false, resolvedAt },
      ];
      expect(await emittedOf(disputeId)).toEqual(emitted);

      pass(20 * DAY_MS);
      expect(codeOf(await resolve(service, disputeId))).toEqual(CONFLICT);
      await sweep();
      expect([await read(disputeId), await emittedOf(disputeId)]).toEqual([body, emitted]);
      expect(await eventsOf(userId)).toHaveLength(3);
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
    const eventId = await breach(verified);
    const plain = await subjectRead('weighed', 'score');
    expect(plain).toMatchObject({ totalEvents: 5, verifiedEvents: 5 });
    const { id } = (await file({ eventId })).body;
    const contested = await subjectRead('weighed', 'score');
    expect(contested).toMatchObject({ totalEvents: 6, verifiedEvents: 6 });
    expect(contested.finalScore).toBeLessThan(plain.finalScore);
    await resolve(service, id);
    expect(await subjectRead('weighed', 'score')).toMatchObject({ totalEvents: 6, verifiedEvents: 6 });
    // Two breaches of six: the reported one and the outcome of its dispute. The filing does not
    // count.
    const counted = await subjectRead('weighed', 'reliability');
    expect(counted).toMatchObject({ totalEvents: 6, noShowRate: 0.3333 });
  });

  test('an unresolved dispute is no breach in the dispatch read', async () => {
    await eventOf(service, { userId: 'undecided' });
    await disputed({ userId: 'undecided', isVerified: true });
    expect(await subjectRead('undecided', 'reliability')).toMatchObject({ noShowRate: 0 });
    const [dispute] = await disputesOf(service, 'userId=undecided');
    await resolve(service, dispute?.id ?? '');
    // The outcome of the dispute has replaced the contested event.
    const decided = await subjectRead('undecided', 'reliability');
    expect(decided).toMatchObject({ totalEvents: 2, noShowRate: 0.5 });
  });

  test('a disputed transaction counts until its dispute has ended, and no longer', async () => {
    const codesOf = async () => {
      const { reasonCodes } = await subjectRead('cleared', 'score/explain');
      return [...reasonCodes.adverseActionReasons, ...reasonCodes.supportingFactors].map(
        ({ code }: { code: string }) => code,
      );
    };
    for (let count = 0; count < 4; count += 1)
      await eventOf(service, { userId: 'cleared', isVerified: true });
    const plain = await subjectRead('cleared', 'score');
    await disputed({ userId: 'cleared' });
    expect(await subjectRead('cleared', 'score')).toMatchObject({ totalEvents: 5 });
    expect(await codesOf()).toContain('DISPUTED_OUTCOMES_ON_RECORD');
    const [dispute] = await disputesOf(service, 'userId=cleared');
    await resolve(service, dispute?.id ?? '');
    const cleared = await subjectRead('cleared', 'score');
    expect(cleared).toMatchObject({ totalEvents: 5, verifiedEvents: 4 });
    expect(cleared.finalScore).toBeGreaterThanOrEqual(plain.finalScore);
    expect(await codesOf()).toContain('CLEAN_DISPUTE_RECORD');
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
    expect(codeOf(await file({ eventId }))).toEqual(CONFLICT);
    expect(await disputesOf(service, 'userId=undisputable')).toEqual([]);
  });

  test('an event can be disputed once, while its dispute is open and after; an event of the service never', async () => {
    const filed = await filedDispute(service, { userId: 'twice', isVerified: true });
    const opened = await disputed({ userId: 'twice' });
    for (const act of [async () => {}, (id: string) => resolve(service, id)]) {
      for (const { id } of await disputesOf(service, 'userId=twice')) await act(id);
      for (const eventId of [filed.eventId, opened]) {
        expect(codeOf(await file({ eventId }))).toEqual(CONFLICT);
      }
    }
    const written = (await eventsOf('twice')).filter(({ id }) => id !== filed.eventId && id !== opened);
    expect(written).toHaveLength(3);
    for (const { id: eventId } of written) expect(codeOf(await file({ eventId }))).toEqual(CONFLICT);
    expect(await disputesOf(service, 'userId=twice')).toHaveLength(2);
  });

  test('a disputed outcome from before the service had disputes can be filed', async () => {
    const eventId = await disputed({ userId: 'old', isVerified: true });
    await service.db.execute('delete from dispute where event_id = $1', [eventId]);
    const { status, body } = await file({ eventId });
    expect(status).toBe(201);
    expect((await resolve(service, body.id)).body).toMatchObject({ outcome: 'AGAINST_USER' });
  });

  test("an unknown event, another platform's and the other mode's are not found", async () => {
    const foreign = [await breach({}, other.liveKey), await breach({}, service.testKey)];
    for (const eventId of [UNKNOWN_ID, '00000000-0000-0000-0000-000000000000', ...foreign]) {
      expect(codeOf(await file({ eventId }))).toEqual([404, 'NOT_FOUND']);
    }
  });

  test('to resolve a dispute of another platform is 403, also once resolved, and 404 in the other mode', async () => {
    const { id } = await filedDispute(service, { userId: 'guarded' });
    for (const method of ['PATCH', 'POST']) {
      const forbidden = codeOf(await resolve(service, id, other.liveKey, method));
      expect(forbidden).toEqual([403, 'FORBIDDEN']);
      expect((await resolve(service, id, other.testKey, method)).body.code).toBe('NOT_FOUND');
    }
    expect((await read(id)).status).toBe('OPEN');
    await resolve(service, id);
    expect((await resolve(service, id, other.liveKey)).body.code).toBe('FORBIDDEN');
  });

  test('the listing can be of one status, of one subject or both', async () => {
    const key = (await anotherPlatform(service)).liveKey;
    const ids: string[] = [];
    for (let index = 0; index < 4; index += 1) {
      pass(1);
      const event = { userId: `listed-${index % 2}`, isVerified: index < 2 };
      ids.unshift((await filedDispute(service, event, key)).id);
    }
    for (const id of ids.slice(2)) await resolve(service, id, key);
    const idsOf = async (query: string) => (await disputesOf(service, query, key)).map(({ id }) => id);
    expect(await idsOf('status=OPEN')).toEqual(ids.slice(0, 2));
    expect(await idsOf('status=RESOLVED_AGAINST_USER')).toEqual(ids.slice(2));
    expect(await idsOf('status=RESOLVED_FOR_USER')).toEqual([]);
    expect(await idsOf('userId=listed-1')).toEqual([ids[0], ids[2]]);
    expect(await idsOf('userId=listed-1&status=RESOLVED_AGAINST_USER')).toEqual([ids[2]]);
    expect(await idsOf('userId=nobody')).toEqual([]);
  });

  test('by deadline the open ones are listed, soonest first, and those past it are overdue', async () => {
    const key = (await anotherPlatform(service)).liveKey;
    const ids: string[] = [];
    for (const userId of ['first', 'second', 'ended', 'third']) {
      ids.push((await filedDispute(service, { userId, transactionValue: ids.length }, key)).id);
      pass(DAY_MS);
    }
    const [first, second, ended = '', third] = ids;
    await resolve(service, ended, key);
    pass(11 * DAY_MS);
    const pages = await everyPage<Record<string, unknown>>(service, '/disputes', 'disputes', {
      key,
      query: '&sort=deadline',
      limit: 1,
    });
    expect(pages.map(({ id, overdue }) => [id, overdue])).toEqual([
      [first, true],
      [second, true],
      [third, false],
    ]);
    expect(pages.map(({ event }) => event)).toMatchObject([
      { userId: 'first', eventType: 'CONTRACT_BREACHED', transactionValue: 0 },
      { userId: 'second', transactionValue: 1 },
      { userId: 'third', transactionValue: 3 },
    ]);
    const ofAll = await disputesOf(service, 'sort=deadline&status=RESOLVED_FOR_USER', key);
    expect(ofAll.map(({ id }) => id)).toEqual([ended]);
    expect(await disputesOf(service, 'sort=deadline&userId=second', key)).toMatchObject([{ id: second }]);
    await sweep();
    expect(await disputesOf(service, 'sort=deadline', key)).toMatchObject([{ id: third }]);
  });

  test('a window that ends closes the dispute for the subject, verified or not, and says that it lapsed', async () => {
    pass(14 * DAY_MS);
    await sweep();
    const filed = await filedDispute(service, { userId: 'lapsing', isVerified: true });
    await disputed({ userId: 'lapsing' });
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
    expect(await emittedOf(filed.id)).toMatchObject([{ lapsed: true, outcome: 'FOR_USER' }]);
    const ends = (await eventsOf('lapsing')).filter(({ eventType }) =>
      eventType.startsWith('DISPUTE_RESOLVED'),
    );
    expect(ends).toMatchObject([
      { eventType: 'DISPUTE_RESOLVED_FOR_USER', isVerified: true },
      { eventType: 'DISPUTE_RESOLVED_FOR_USER', isVerified: false },
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
    expect(await subjectRead('together', 'risk')).toMatchObject({ level: 'none', signals: [] });
  });

  test('a resolution after the window and before the sweep is a lapse', async () => {
    const { id } = await filedDispute(service, { userId: 'late', isVerified: true });
    pass(14 * DAY_MS);
    expect((await resolve(service, id)).body).toMatchObject({ status: 'RESOLVED_FOR_USER', lapsed: true });
    await sweep();
    expect(await emittedOf(id)).toHaveLength(1);
  });

  test('of fifty resolutions at the same instant one wins, one event is written, one envelope', async () => {
    const { id } = await filedDispute(service, { userId: 'raced', isVerified: true });
    const answers = await Promise.all(
      FIFTY.map((_, index) =>
        untilServed(() => resolve(service, id, undefined, index % 2 ? 'POST' : 'PATCH')),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(49).fill(409)]);
    expect(await eventsOf('raced')).toHaveLength(3);
    expect(await emittedOf(id)).toHaveLength(1);
  });

  test('of fifty filings about one event at the same instant one wins', async () => {
    const eventId = await breach({ userId: 'raced-filing' });
    const answers = await Promise.all(FIFTY.map(() => untilServed(() => file({ eventId }))));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(49).fill(409)]);
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
    await filedDispute(service, { userId: 'sandboxed' }, service.testKey);
    const live = await filedDispute(service, { userId: 'sandboxed' });
    await service.request('DELETE', '/test/data', { key: service.testKey });
    expect(await disputesOf(service, '', service.testKey)).toEqual([]);
    expect(await read(live.id)).toEqual(live);
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

  async function emittedOf(disputeId: string): Promise<object[]> {
    const rows = await service.db.query<{ body: string }>(
      `select body from envelope where type = 'dispute.resolved' and body::json -> 'data' ->> 'disputeId' = $1`,
      [disputeId],
    );
    return rows.map((row) => JSON.parse(row.body).data);
  }
});
