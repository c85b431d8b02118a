import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import { exportAll, once, outcome, report, reportBatch } from '../intake/eventFixtures.js';
import { type Alias, ask, link, reportOf, scoreOf } from './linkFixtures.js';
import {
  confirm,
  DOWNGRADED,
  ELSEWHERE,
  GOOD,
  givenDeclarer,
  ingested,
  registerAgent,
} from './subjectFixtures.js';

describe.each(breadth)('deliveries of agents on %s', (engine) => {
  const declarer = givenDeclarer(engine);
  const { service, platform, fresh, of, agent, post, readAgent } = declarer;
  const deliveriesOf = async (declared: Alias) => (await readAgent(declared)).body.deliveryRecord;
  const isWarned = ({ warnings }: { warnings?: object }) => warnings !== undefined;
  /** An agent that the platform runs itself. */
  const ownAgent = async () => {
    const userId = fresh();
    await declarer.registerAgent({ userId });
    return userId;
  };

  describe('an agent that the platform runs itself', () => {
    test('is not verified by the platform: in one event, in a batch and in every repeat', async () => {
      const userId = await ownAgent();
      const { status, body } = await post(userId);
      expect([status, body.event.isVerified, body.warnings]).toEqual([201, false, DOWNGRADED]);
      for (const isVerified of [false, undefined])
        expect((await post(userId, { isVerified })).body.warnings).toEqual([]);
      const single = outcome({ userId, ...GOOD });
      const { key } = platform.live;
      for (let round = 0; round < 2; round += 1) {
        const one = await report(service, single, { key, ...once(`${userId}-single`) });
        expect([one.body.event.isVerified, one.body.warnings]).toEqual([false, DOWNGRADED]);
        const items = [single, { ...single, isVerified: false }];
        const batch = await reportBatch(service, items, { key, ...once(`${userId}-batch`) });
        const [verified, plain] = batch.body.results;
        expect([verified.warnings, plain.warnings]).toEqual([DOWNGRADED, undefined]);
      }
      const own = (await exportAll(service, { key })).filter((event) => event.userId === userId);
      expect(own.map((event) => event.isVerified)).toEqual(Array(6).fill(false));
    });

    test('gets the same answer and warning for a repeated item key', async () => {
      const userId = await ownAgent();
      const item = outcome({ userId, ...GOOD, idempotencyKey: `${userId}-item` });
      const options = { key: platform.live.key };
      const [created, repeated] = (await reportBatch(service, [item, item], options)).body.results;
      const [again] = (await reportBatch(service, [item], options)).body.results;
      const single = await report(service, item, options);
      const { eventId } = created;
      const warnings = DOWNGRADED;
      expect(created).toMatchObject({ status: 'created', warnings });
      for (const skipped of [repeated, again])
        expect(skipped).toMatchObject({ status: 'skipped', eventId, warnings });
      expect(single.body).toMatchObject({ eventId, event: { isVerified: false }, warnings });
      expect(single.headers.get('idempotent-replay')).toBe('true');
      const other = await report(service, { ...item, isVerified: false }, options);
      expect(other.body.warnings).toMatchObject([{ code: 'IDEMPOTENCY_KEY_REUSED' }]);
    });

    test('does not affect other subjects in the same batch', async () => {
      const [mine, theirs, person] = [await ownAgent(), fresh(), fresh()];
      await declarer.registerAgent({ userId: theirs, ...ELSEWHERE });
      const items = [mine, person, theirs, mine].map((userId) => outcome({ userId, ...GOOD }));
      const { body } = await reportBatch(service, items, { key: platform.live.key });
      expect(body.results.map(isWarned)).toEqual([true, false, false, true]);
      await service.settle();
      for (const [userId, verifiedEvents] of [
        [mine, 0],
        [theirs, 1],
        [person, 1],
      ] as const)
        expect(await scoreOf(service, of(userId))).toMatchObject({ verifiedEvents });
    });

    test('is verified by the platform once another party runs it, not before', async () => {
      const userId = await ownAgent();
      expect((await post(userId)).body.warnings).toEqual(DOWNGRADED);
      await declarer.registerAgent({ userId, ...ELSEWHERE });
      expect((await post(userId)).body).toMatchObject({ warnings: [], event: { isVerified: true } });
      await declarer.registerAgent({ userId, platformIsOperator: true });
      expect((await post(userId)).body.warnings).toEqual(DOWNGRADED);
    });

    test('gets adverse outcomes as unverified, like good ones', async () => {
      const userId = await ownAgent();
      for (const eventType of ['CONTRACT_BREACHED', 'TRANSACTION_DISPUTED']) {
        const { body } = await post(userId, { eventType });
        expect([body.event.isVerified, body.warnings]).toEqual([false, DOWNGRADED]);
      }
    });

    test('is projected with events as they would be recorded', async () => {
      const own = await ownAgent();
      const project = async (userId: string, isVerified: boolean) => {
        const body = { events: [{ ...GOOD, isVerified }] };
        return (await ask(service, of(userId), 'POST', '/score/project', { body })).body.projected;
      };
      expect(await project(own, true)).toEqual(await project(own, false));
      expect(await project('nobody', true)).not.toEqual(await project('nobody', false));
    });

    test('is handled alike in test mode; the modes are separate, and a reset removes it', async () => {
      const userId = fresh();
      const options = platform.test;
      const warningsInTest = async () => (await post(userId, {}, options.key)).body.warnings;
      await service.request('POST', '/agents', { key: options.key, body: { userId } });
      expect(await warningsInTest()).toEqual(DOWNGRADED);
      expect((await post(userId)).body.warnings).toEqual([]);
      await service.request('DELETE', '/test/data', { key: options.key });
      expect((await service.request('GET', `/agents/${userId}`, { key: options.key })).status).toBe(404);
      expect(await warningsInTest()).toEqual([]);
      const left = 'select 1 from declaration_fact where subject_id = $1';
      expect(await service.db.query(left, [subjectIdOf(platform.id, false, userId)])).toEqual([]);
    });
  });

  describe('the delivery record', () => {
    test('separates confirmed, operator-reported and self-attested deliveries', async () => {
      const operator = {
        name: 'Harbour Robotics Ltd',
        homepage: 'https://robots.example.com/',
        did: 'did:key:z6Mkrobots',
      };
      const bot = await agent(fresh(), { name: 'Bot Seven', platformIsOperator: false, operator });
      const dueDate = '2026-03-01T12:00:00.000Z';
      await ingested(service, bot, 'customer-1', { dueDate, completedAt: '2026-03-01T11:00:00.000Z' });
      await ingested(service, bot, 'customer-2', { dueDate, completedAt: '2026-03-01T13:00:00.000Z' });
      await ingested(service, bot, 'customer-2', { eventType: 'REVIEW_VERIFIED' });
      await reportOf(service, bot, { ...GOOD, eventType: 'TRANSACTION_COMPLETED' });
      const names = [
        'HARBOUR robotics  ltd',
        'https://robots.example.com/',
        'robots.example.com',
        'did:key:z6Mkrobots#key-1',
      ];
      for (const name of names) await ingested(service, bot, name, { dueDate, completedAt: dueDate });
      for (const name of ['bot seven', bot.userId.toUpperCase()]) await ingested(service, bot, name);
      await reportOf(service, bot, { ...GOOD, isVerified: false });
      for (const eventType of ['CONTRACT_CANCELLED', 'CONTRACT_BREACHED', 'TRANSACTION_DISPUTED'])
        await reportOf(service, bot, { ...GOOD, eventType });
      expect(await deliveriesOf(bot)).toEqual({
        deliveriesRecorded: 11,
        confirmedDeliveries: 4,
        operatorVouched: 4,
        selfAttested: 3,
        failures: 1,
        disputes: 1,
        onTimeRate: 0.5,
        declarationChangedAt: null,
      });
      const { key } = bot.platform.live;
      const [dispute] = (await service.request('GET', '/disputes', { key })).body.disputes;
      await service.request('PATCH', `/disputes/${dispute.id}/resolve`, { key });
      expect(await deliveriesOf(bot)).toMatchObject({ deliveriesRecorded: 11, failures: 2, disputes: 1 });
    });

    test('keeps the judgement of outcomes reported before a declaration changed', async () => {
      const bot = await agent(fresh());
      const declare = (more: object) => registerAgent(service, bot.platform, { userId: bot.userId, ...more });
      for (let count = 0; count < 4; count += 1) await reportOf(service, bot, GOOD);
      await confirm(service, bot, 'customer-1');
      await declare(ELSEWHERE);
      await reportOf(service, bot, GOOD);
      await declare({ operator: { name: 'Customer-1' } });
      expect(await deliveriesOf(bot)).toMatchObject({
        deliveriesRecorded: 6,
        confirmedDeliveries: 2,
        operatorVouched: 4,
        selfAttested: 0,
        declarationChangedAt: expect.stringMatching(/Z$/),
      });
    });

    test('covers all linked platforms; each outcome keeps the declaration of its own platform', async () => {
      const [mine, theirs] = [await agent(fresh()), await agent(fresh(), ELSEWHERE)];
      for (const bot of [mine, theirs]) await reportOf(service, bot, GOOD);
      expect((await link(service, mine, theirs)).status).toBe(201);
      const counts = { deliveriesRecorded: 2, confirmedDeliveries: 1, operatorVouched: 1 };
      for (const bot of [mine, theirs]) expect(await deliveriesOf(bot)).toMatchObject(counts);
      expect((await reportOf(service, mine, GOOD)).body.warnings).toEqual(DOWNGRADED);
      expect((await reportOf(service, theirs, GOOD)).body.warnings).toEqual([]);
    });

    test('comes with the score, which has one formula for agents and persons', async () => {
      const bot = await agent(fresh(), ELSEWHERE);
      const person = { platform: bot.platform, userId: 'a-person' };
      for (const each of [bot, person]) await reportOf(service, each, GOOD);
      await service.settle();
      const { score } = (await readAgent(bot)).body;
      const { userId: _, behavioralQuality: __, ...published } = await scoreOf(service, bot);
      expect(score).toEqual(published);
      expect((await scoreOf(service, person)).finalScore).toBe(score.finalScore);
    });
  });
});
