import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import { exportAll, once, outcome, report, reportBatch } from '../intake/eventFixtures.js';
import { agentKit, ELSEWHERE } from './agentFixtures.js';
import { type Alias, ask, link, reportOf } from './linkFixtures.js';
import { agent, confirm, GOOD, ingested, readDeclared, registerAgent } from './subjectFixtures.js';

const DOWNGRADED = [{ code: 'VERIFICATION_DOWNGRADED', message: expect.any(String) }];

describe.each(breadth)('deliveries of agents on %s', (engine) => {
  const agents = agentKit(engine);
  const { fresh, register, post } = agents;
  const deliveriesOf = async (of: Alias) =>
    (await readDeclared(agents.service, of, 'agents')).body.deliveryRecord;

  describe('an agent that the platform runs itself', () => {
    test('is not verified by the platform: in one event, in a batch and in every repeat', async () => {
      const userId = fresh();
      await register({ userId });
      const first = await post(userId);
      expect(first.status).toBe(201);
      expect(first.body.event.isVerified).toBe(false);
      expect(first.body.warnings).toEqual(DOWNGRADED);
      expect((await post(userId, { isVerified: false })).body.warnings).toEqual([]);
      expect((await post(userId, { isVerified: undefined })).body.warnings).toEqual([]);
      const keyed = (path: string, key: string, body: object) => {
        const options = { key: agents.platform.live.key, body, ...once(key) };
        return agents.service.request('POST', path, options);
      };
      const single = outcome({ userId, ...GOOD });
      for (let round = 0; round < 2; round += 1) {
        const { body } = await keyed('/events', `${userId}-single`, single);
        expect([body.event.isVerified, body.warnings]).toEqual([false, DOWNGRADED]);
        const batch = await keyed('/events/batch', `${userId}-batch`, {
          events: [single, { ...single, isVerified: false }],
        });
        const [verified, plain] = batch.body.results;
        expect([verified.warnings, plain.warnings]).toEqual([DOWNGRADED, undefined]);
      }
      const events = await exportAll(agents.service, { key: agents.platform.live.key });
      const own = events.filter((event) => event.userId === userId);
      expect(own.map(({ isVerified }) => isVerified)).toEqual(Array(6).fill(false));
    });

    test('gets the same answer and warning for a repeated item key', async () => {
      const userId = fresh();
      await register({ userId });
      const item = outcome({ userId, ...GOOD, idempotencyKey: `${userId}-item` });
      const options = { key: agents.platform.live.key };
      const first = await reportBatch(agents.service, [item, item], options);
      const again = await reportBatch(agents.service, [item], options);
      const single = await report(agents.service, item, options);
      const [created, repeated] = first.body.results;
      expect(created).toMatchObject({ status: 'created', warnings: DOWNGRADED });
      const skipped = { status: 'skipped', eventId: created.eventId, warnings: DOWNGRADED };
      expect([repeated, again.body.results[0]]).toMatchObject([skipped, skipped]);
      expect(single.body).toMatchObject({
        eventId: created.eventId,
        event: { isVerified: false },
        warnings: DOWNGRADED,
      });
      expect(single.headers.get('idempotent-replay')).toBe('true');
      const other = await report(agents.service, { ...item, isVerified: false }, options);
      expect(other.body.warnings.map(({ code }: { code: string }) => code)).toEqual([
        'IDEMPOTENCY_KEY_REUSED',
      ]);
    });

    test('does not affect other subjects in the same batch', async () => {
      const [mine, theirs, person] = [fresh(), fresh(), fresh()];
      await register({ userId: mine });
      await register({ userId: theirs, ...ELSEWHERE });
      const items = [mine, person, theirs, mine].map((userId) => outcome({ userId, ...GOOD }));
      const { body } = await reportBatch(agents.service, items, { key: agents.platform.live.key });
      const warned = body.results.map(({ warnings }: { warnings?: object }) => warnings !== undefined);
      expect(warned).toEqual([true, false, false, true]);
      await agents.service.settle();
      const verifiedOf = async (userId: string) =>
        (await ask(agents.service, { platform: agents.platform, userId }, 'GET', '/score')).body
          .verifiedEvents;
      expect([await verifiedOf(mine), await verifiedOf(theirs), await verifiedOf(person)]).toEqual([0, 1, 1]);
    });

    test('is verified by the platform once another party runs it, not before', async () => {
      const userId = fresh();
      await register({ userId });
      expect((await post(userId)).body.warnings).toEqual(DOWNGRADED);
      await register({ userId, ...ELSEWHERE });
      expect((await post(userId)).body).toMatchObject({ warnings: [], event: { isVerified: true } });
      await register({ userId, platformIsOperator: true });
      expect((await post(userId)).body.warnings).toEqual(DOWNGRADED);
    });

    test('gets adverse outcomes as unverified, like good ones', async () => {
      const userId = fresh();
      await register({ userId });
      for (const eventType of ['CONTRACT_BREACHED', 'TRANSACTION_DISPUTED']) {
        const { body } = await post(userId, { eventType });
        expect([body.event.isVerified, body.warnings]).toEqual([false, DOWNGRADED]);
      }
    });

    test('is verified by a counterparty, not by a party that an ingest names', async () => {
      const of = { platform: agents.platform, userId: fresh() };
      await register({ userId: of.userId });
      await confirm(agents.service, of, 'customer-1');
      for (const by of ['customer-2', null]) {
        expect((await ingested(agents.service, of, by)).body.results[0].warnings).toEqual(DOWNGRADED);
      }
      await post(of.userId);
      expect(await deliveriesOf(of)).toMatchObject({
        deliveriesRecorded: 4,
        confirmedDeliveries: 1,
        operatorVouched: 3,
        selfAttested: 0,
      });
    });

    test('is projected with events as they would be recorded', async () => {
      const userId = fresh();
      await register({ userId });
      const project = async (of: string, isVerified: boolean) => {
        const body = { events: [{ ...GOOD, isVerified }] };
        return (
          await ask(agents.service, { platform: agents.platform, userId: of }, 'POST', '/score/project', {
            body,
          })
        ).body.projected;
      };
      expect(await project(userId, true)).toEqual(await project(userId, false));
      expect(await project('nobody', true)).not.toEqual(await project('nobody', false));
    });

    test('is handled alike in test mode; the modes are separate, and a reset removes it', async () => {
      const userId = fresh();
      const options = { key: agents.platform.test.key };
      await agents.service.request('POST', '/agents', { ...options, body: { userId } });
      expect((await report(agents.service, outcome({ userId, ...GOOD }), options)).body.warnings).toEqual(
        DOWNGRADED,
      );
      expect((await post(userId)).body.warnings).toEqual([]);
      await agents.service.request('DELETE', '/test/data', options);
      expect((await agents.service.request('GET', `/agents/${userId}`, options)).status).toBe(404);
      expect((await report(agents.service, outcome({ userId, ...GOOD }), options)).body.warnings).toEqual([]);
      const left = await agents.service.db.query('select 1 from declaration_fact where subject_id = $1', [
        subjectIdOf(agents.platform.id, false, userId),
      ]);
      expect(left).toEqual([]);
    });
  });

  describe('the delivery record', () => {
    test('separates confirmed, operator-reported and self-attested deliveries', async () => {
      const operator = {
        name: 'Harbour Robotics Ltd',
        homepage: 'https://robots.example.com/',
        did: 'did:key:z6Mkrobots',
      };
      const of = await agent(agents.service, fresh(), {
        name: 'Bot Seven',
        platformIsOperator: false,
        operator,
      });
      const dueDate = '2026-03-01T12:00:00.000Z';
      await ingested(agents.service, of, 'customer-1', { dueDate, completedAt: '2026-03-01T11:00:00.000Z' });
      await ingested(agents.service, of, 'customer-2', { dueDate, completedAt: '2026-03-01T13:00:00.000Z' });
      await ingested(agents.service, of, 'customer-2', { eventType: 'REVIEW_VERIFIED' });
      await reportOf(agents.service, of, { ...GOOD, eventType: 'TRANSACTION_COMPLETED' });
      const names = [
        'HARBOUR robotics  ltd',
        'https://robots.example.com/',
        'robots.example.com',
        'did:key:z6Mkrobots#key-1',
      ];
      for (const name of names) await ingested(agents.service, of, name, { dueDate, completedAt: dueDate });
      for (const name of ['bot seven', of.userId.toUpperCase()]) await ingested(agents.service, of, name);
      await reportOf(agents.service, of, { ...GOOD, isVerified: false });
      await reportOf(agents.service, of, { ...GOOD, eventType: 'CONTRACT_CANCELLED' });
      await reportOf(agents.service, of, { ...GOOD, eventType: 'CONTRACT_BREACHED' });
      const { body: contested } = await reportOf(agents.service, of, {
        ...GOOD,
        eventType: 'TRANSACTION_DISPUTED',
      });
      expect(await deliveriesOf(of)).toEqual({
        deliveriesRecorded: 11,
        confirmedDeliveries: 4,
        operatorVouched: 4,
        selfAttested: 3,
        failures: 1,
        disputes: 1,
        onTimeRate: 0.5,
        declarationChangedAt: null,
      });
      const list = await agents.service.request('GET', '/disputes', { key: of.platform.live.key });
      const [dispute] = list.body.disputes;
      expect(dispute.eventId).toBe(contested.eventId);
      await agents.service.request('PATCH', `/disputes/${dispute.id}/resolve`, { key: of.platform.live.key });
      expect(await deliveriesOf(of)).toMatchObject({ deliveriesRecorded: 11, failures: 2, disputes: 1 });
    });

    test('keeps the judgement of outcomes reported before a declaration changed', async () => {
      const of = await agent(agents.service, fresh());
      for (let count = 0; count < 4; count += 1) await reportOf(agents.service, of, GOOD);
      await confirm(agents.service, of, 'customer-1');
      await registerAgent(agents.service, of.platform, { userId: of.userId, ...ELSEWHERE });
      await reportOf(agents.service, of, GOOD);
      await registerAgent(agents.service, of.platform, {
        userId: of.userId,
        operator: { name: 'Customer-1' },
      });
      expect(await deliveriesOf(of)).toMatchObject({
        deliveriesRecorded: 6,
        confirmedDeliveries: 2,
        operatorVouched: 4,
        selfAttested: 0,
        declarationChangedAt: expect.stringMatching(/Z$/),
      });
    });

    test('covers all linked platforms; each outcome keeps the declaration of its own platform', async () => {
      const mine = await agent(agents.service, fresh());
      const theirs = await agent(agents.service, fresh(), ELSEWHERE);
      await reportOf(agents.service, mine, GOOD);
      await reportOf(agents.service, theirs, GOOD);
      expect((await link(agents.service, mine, theirs)).status).toBe(201);
      for (const of of [mine, theirs]) {
        expect(await deliveriesOf(of)).toMatchObject({
          deliveriesRecorded: 2,
          confirmedDeliveries: 1,
          operatorVouched: 1,
        });
      }
      const { body } = await reportOf(agents.service, mine, GOOD);
      expect(body.warnings).toEqual(DOWNGRADED);
      expect((await reportOf(agents.service, theirs, GOOD)).body.warnings).toEqual([]);
    });

    test('comes with the score, which has one formula for agents and persons', async () => {
      const of = await agent(agents.service, fresh(), ELSEWHERE);
      await reportOf(agents.service, of, GOOD);
      await agents.service.settle();
      const { score } = (await readDeclared(agents.service, of, 'agents')).body;
      const {
        userId: _,
        behavioralQuality: __,
        ...published
      } = (await ask(agents.service, of, 'GET', '/score')).body;
      expect(score).toEqual(published);
      const person = { platform: of.platform, userId: 'a-person' };
      await reportOf(agents.service, person, GOOD);
      await agents.service.settle();
      expect((await ask(agents.service, person, 'GET', '/score')).body.finalScore).toBe(score.finalScore);
    });
  });
});
