import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { subjectIdOf } from '../../../src/ledger/subjectId.js';
import { breadth } from '../../harness/engines.js';
import { joinTestService, type TestService } from '../../harness/service.js';
import { exportAll, once, outcome, report, reportBatch } from '../intake/eventFixtures.js';
import { addedPlatform, type OwnPlatform } from '../tenancy/trail.js';
import { type Alias, ask, link, reportOf } from './linkFixtures.js';
import { agent, confirm, GOOD, ingested, registerAgent, registerBusiness, shown } from './subjectFixtures.js';

const ELSEWHERE = { platformIsOperator: false, operator: { name: 'Harbour Robotics Ltd' } };
const DOWNGRADED = [{ code: 'VERIFICATION_DOWNGRADED', message: expect.any(String) }];

describe.each(breadth)('agents on %s', (engine) => {
  let service: TestService;
  let platform: OwnPlatform;
  let count = 0;

  beforeAll(async () => {
    service = await joinTestService(engine);
    platform = await addedPlatform(service, 'Operator of agents');
  });
  afterAll(() => service.close());

  const fresh = () => `agent-${++count}`;
  const register = (body: object) => registerAgent(service, platform, body);
  const deliveriesOf = async (of: Alias) => (await shown(service, of, 'agents')).body.deliveryRecord;
  const post = (userId: string, more: object = {}, options: object = {}) =>
    report(service, outcome({ userId, ...GOOD, ...more }), { key: platform.live.key, ...options });

  describe('registered', () => {
    test('an agent is shown as it was declared, without a score, and stands in the book', async () => {
      const userId = fresh();
      const operator = {
        name: 'Harbour Robotics',
        homepage: 'https://robots.example.com/',
        did: 'did:web:robots.example.com',
      };
      const declared = {
        name: 'Courier bot',
        description: 'Brings parcels.',
        platformIsOperator: false,
        operator,
      };
      const { status, body } = await register({ userId, ...declared });
      expect(status).toBe(201);
      const facts = { userId, subjectType: 'AGENT', ...declared };
      expect(body).toEqual({
        ...facts,
        createdAt: expect.stringMatching(/Z$/),
        updatedAt: body.createdAt,
        declarationChangedAt: null,
      });
      const read = await shown(service, { platform, userId }, 'agents');
      expect(read.status).toBe(200);
      expect(read.body).toEqual({
        ...body,
        score: null,
        deliveryRecord: {
          deliveriesRecorded: 0,
          confirmedDeliveries: 0,
          operatorVouched: 0,
          selfAttested: 0,
          failures: 0,
          disputes: 0,
          onTimeRate: null,
          declarationChangedAt: null,
        },
      });
      const { body: book } = await service.request(
        'GET',
        '/users?subjectType=AGENT&sort=externalId&limit=1000',
        {
          key: platform.live.key,
        },
      );
      expect(book.users.find((row: { externalId: string }) => row.externalId === userId)).toMatchObject({
        subjectType: 'AGENT',
        finalScore: null,
        eventCount: 0,
      });
    });

    test('with an id alone it is run by the platform', async () => {
      const userId = fresh();
      const { status, body } = await register({ userId });
      expect([status, body.platformIsOperator]).toEqual([201, true]);
      expect(body).toMatchObject({
        name: null,
        description: null,
        operator: { name: null, homepage: null, did: null },
      });
    });

    test('again, what is left out keeps its value and null takes it back; nothing flips by omission', async () => {
      const userId = fresh();
      const operator = { name: 'Harbour Robotics', homepage: 'https://robots.example.com/', did: null };
      const first = await register({
        userId,
        name: 'Old',
        description: 'Old',
        platformIsOperator: false,
        operator,
      });
      const second = await register({ userId, name: 'New', operator: { homepage: null } });
      expect(second.status).toBe(201);
      const declared = { name: 'New', description: 'Old', platformIsOperator: false };
      const changedAt = second.body.declarationChangedAt;
      expect(second.body).toEqual({
        userId,
        subjectType: 'AGENT',
        ...declared,
        operator: { name: 'Harbour Robotics', homepage: null, did: null },
        createdAt: first.body.createdAt,
        updatedAt: changedAt,
        declarationChangedAt: expect.stringMatching(/Z$/),
      });
      const read = (await shown(service, { platform, userId }, 'agents')).body;
      expect(read).toMatchObject({ ...second.body, deliveryRecord: { declarationChangedAt: changedAt } });
      for (const body of [{ userId }, { userId, ...declared }, { userId, name: ' \u200b', operator: {} }]) {
        expect((await register(body)).body).toEqual(second.body);
      }
      const unnamed = await register({ userId, operator: { name: null } });
      expect([unnamed.status, unnamed.body.code]).toEqual([400, 'OPERATOR_NOT_DECLARED']);
    });

    test('each declaration is an entry of the activity log, and the same again is none', async () => {
      const userId = fresh();
      for (const more of [{}, { platformIsOperator: true }, ELSEWHERE, ELSEWHERE])
        await register({ userId, ...more });
      const { body } = await service.request('GET', '/activity?limit=100', { key: platform.live.key });
      const ofAgent = body.activity.filter(
        (entry: { details: { userId?: string } }) => entry.details?.userId === userId,
      );
      expect(
        ofAgent.map(({ action, details }: { action: string; details: object }) => [action, details]),
      ).toEqual([
        [
          'DECLARATION_CHANGED',
          {
            userId,
            declaration: 2,
            changes: {
              platformIsOperator: { from: true, to: false },
              'operator.name': { from: null, to: 'Harbour Robotics Ltd' },
            },
          },
        ],
        [
          'SUBJECT_DECLARED',
          { userId, declaration: 1, changes: { platformIsOperator: { from: null, to: true } } },
        ],
      ]);
      const [row] = await service.db.query<{ count: number }>(
        'select count(*)::integer as count from declaration_fact where subject_id = $1',
        [subjectIdOf(platform.id, true, userId)],
      );
      expect(row?.count).toBe(2);
    });

    test('the database takes back no live declaration', async () => {
      const userId = fresh();
      await register({ userId });
      const subjectId = subjectIdOf(platform.id, true, userId);
      for (const change of ['update declaration_fact set is_own = false', 'delete from declaration_fact']) {
        await expect(service.db.execute(`${change} where subject_id = $1`, [subjectId])).rejects.toThrow(
          /append-only/,
        );
      }
    });

    test('once under an Idempotency-Key', async () => {
      const userId = fresh();
      const call = (body: object) =>
        service.request('POST', '/agents', { key: platform.live.key, body, ...once('agent-once-1') });
      const first = await call({ userId, name: 'Bot' });
      const again = await call({ userId, name: 'Bot' });
      expect(again.body).toEqual(first.body);
      expect(again.headers.get('idempotent-replay')).toBe('true');
      expect((await call({ userId, name: 'Other' })).body.code).toBe('IDEMPOTENCY_KEY_REUSED');
    });
  });

  describe('refused', () => {
    test.each([
      [{}],
      [{ operator: null }],
      [{ operator: {} }],
      [{ operator: { name: ' \u200b\t' } }],
      [{ operator: { name: null, homepage: null, did: null } }],
      [{ operator: { homepage: 'https://robots.example.com', did: 'did:web:robots.example.com' } }],
    ])('is one run by somebody else whom nobody names: %j', async (more) => {
      const { status, body } = await register({ userId: fresh(), platformIsOperator: false, ...more });
      expect([status, body.code]).toEqual([400, 'OPERATOR_NOT_DECLARED']);
    });

    test.each([
      ['userId', { userId: '' }],
      ['userId', { userId: '..' }],
      ['name', { name: 'n'.repeat(256) }],
      ['description', { description: 'd'.repeat(2001) }],
      ['platformIsOperator', { platformIsOperator: 'yes' }],
      ['operator.homepage', { operator: { homepage: 'http://robots.example.com' } }],
      ['operator.homepage', { operator: { homepage: 'javascript:alert(1)' } }],
      ['operator.homepage', { operator: { homepage: '' } }],
      ['operator.homepage', { operator: { homepage: 'https://user:pw@robots.example.com' } }],
      ['operator.homepage', { operator: { homepage: 'https://127.0.0.1/' } }],
      ['operator.homepage', { operator: { homepage: 'https://0x7f.1/' } }],
      ['operator.homepage', { operator: { homepage: 'https://[::ffff:10.0.0.1]/' } }],
      ['operator.homepage', { operator: { homepage: 'https://localhost/' } }],
      ['operator.homepage', { operator: { homepage: 'https://a.example.com\\@b.example.com' } }],
      ['operator.homepage', { operator: { homepage: `https://a.example.com/${'x'.repeat(2048)}` } }],
      ['operator.did', { operator: { did: 'web:robots.example.com' } }],
      ['operator.did', { operator: { did: 'did:WEB:robots' } }],
      ['operator.did', { operator: { did: 'did:web:' } }],
      ['operator.did', { operator: { did: 'did:web:a b' } }],
      ['operator.did', { operator: { did: 'did:web:a%2' } }],
    ])('is a %s that cannot be: %j', async (path, more) => {
      const { status, body } = await register({ userId: fresh(), ...more });
      expect([status, body.code, body.details?.[0]?.path]).toEqual([400, 'VALIDATION_ERROR', path]);
    });

    test.each([
      'did:web:robots.example.com%3A8443:fleet:7',
      'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK',
      'did:example:a::b',
    ])('is no DID such as %s', async (did) => {
      expect((await register({ userId: fresh(), operator: { did } })).status).toBe(201);
    });

    test('is the id of a person, of a business, and one that is reserved; what stands stays as it was', async () => {
      const [person, firm] = [fresh(), fresh()];
      await post(person);
      await registerBusiness(service, platform, { userId: firm, business: { legalName: 'Firm Ltd' } });
      for (const userId of [person, firm]) {
        const { status, body } = await register({ userId });
        expect([status, body.code]).toEqual([409, 'CONFLICT']);
        expect((await shown(service, { platform, userId }, 'agents')).status).toBe(404);
      }
      expect((await post(person)).body.warnings).toEqual([]);
      expect((await shown(service, { platform, userId: firm }, 'businesses')).status).toBe(200);
      expect((await register({ userId: 'test:7' })).body.code).toBe('RESERVED_EXTERNAL_ID');
      const inTest = { key: platform.test.key, body: { userId: 'test:7' } };
      expect((await service.request('POST', '/agents', inTest)).status).toBe(201);
    });

    test('is a plan without agents, except in test mode; reading is open', async () => {
      const body = { name: 'Small', plan: 'growth' };
      const { keys } = (await service.request('POST', '/admin/platforms', { admin: true, body })).body;
      const call = (key: string) => service.request('POST', '/agents', { key, body: { userId: 'bot' } });
      const refused = await call(keys.live.key);
      expect([refused.status, refused.body.code]).toEqual([402, 'PLAN_REQUIRED']);
      expect(refused.body.details).toEqual({
        feature: 'agents',
        currentTier: 'growth',
        requiredPlan: 'enterprise',
      });
      expect((await call(keys.test.key)).status).toBe(201);
      expect((await service.request('GET', '/agents/bot', { key: keys.test.key })).status).toBe(200);
    });

    test('nobody is an agent until registered', async () => {
      const userId = fresh();
      await post(userId);
      for (const id of [userId, 'nobody']) {
        const { status, body } = await shown(service, { platform, userId: id }, 'agents');
        expect([status, body.code]).toEqual([404, 'NOT_FOUND']);
      }
    });
  });

  describe('run by the platform itself', () => {
    test('has nothing verified on its word: in one event, in a batch, and in every repeat', async () => {
      const userId = fresh();
      await register({ userId });
      const first = await post(userId);
      expect(first.status).toBe(201);
      expect(first.body.event.isVerified).toBe(false);
      expect(first.body.warnings).toEqual(DOWNGRADED);
      expect((await post(userId, { isVerified: false })).body.warnings).toEqual([]);
      expect((await post(userId, { isVerified: undefined })).body.warnings).toEqual([]);
      const keyed = (path: string, key: string, body: object) => {
        const options = { key: platform.live.key, body, ...once(key) };
        return service.request('POST', path, options);
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
      const events = await exportAll(service, { key: platform.live.key });
      const own = events.filter((event) => event.userId === userId);
      expect(own.map(({ isVerified }) => isVerified)).toEqual(Array(6).fill(false));
    });

    test('item keys repeat the answer, warning and all', async () => {
      const userId = fresh();
      await register({ userId });
      const item = outcome({ userId, ...GOOD, idempotencyKey: `${userId}-item` });
      const options = { key: platform.live.key };
      const first = await reportBatch(service, [item, item], options);
      const again = await reportBatch(service, [item], options);
      const single = await report(service, item, options);
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
      const other = await report(service, { ...item, isVerified: false }, options);
      expect(other.body.warnings.map(({ code }: { code: string }) => code)).toEqual([
        'IDEMPOTENCY_KEY_REUSED',
      ]);
    });

    test('neighbours in the same batch keep what they were told', async () => {
      const [mine, theirs, person] = [fresh(), fresh(), fresh()];
      await register({ userId: mine });
      await register({ userId: theirs, ...ELSEWHERE });
      const items = [mine, person, theirs, mine].map((userId) => outcome({ userId, ...GOOD }));
      const { body } = await reportBatch(service, items, { key: platform.live.key });
      const warned = body.results.map(({ warnings }: { warnings?: object }) => warnings !== undefined);
      expect(warned).toEqual([true, false, false, true]);
      await service.settle();
      const verifiedOf = async (userId: string) =>
        (await ask(service, { platform, userId }, 'GET', '/score')).body.verifiedEvents;
      expect([await verifiedOf(mine), await verifiedOf(theirs), await verifiedOf(person)]).toEqual([0, 1, 1]);
    });

    test('what the platform says counts from the moment that it no longer runs it, and not before', async () => {
      const userId = fresh();
      await register({ userId });
      expect((await post(userId)).body.warnings).toEqual(DOWNGRADED);
      await register({ userId, ...ELSEWHERE });
      expect((await post(userId)).body).toMatchObject({ warnings: [], event: { isVerified: true } });
      await register({ userId, platformIsOperator: true });
      expect((await post(userId)).body.warnings).toEqual(DOWNGRADED);
    });

    test('an adverse outcome is no more verified than a good one', async () => {
      const userId = fresh();
      await register({ userId });
      for (const eventType of ['CONTRACT_BREACHED', 'TRANSACTION_DISPUTED']) {
        const { body } = await post(userId, { eventType });
        expect([body.event.isVerified, body.warnings]).toEqual([false, DOWNGRADED]);
      }
    });

    test('a counterparty can still confirm, and nobody whom an ingest names', async () => {
      const of = { platform, userId: fresh() };
      await register({ userId: of.userId });
      await confirm(service, of, 'customer-1');
      for (const by of ['customer-2', null]) {
        expect((await ingested(service, of, by)).body.results[0].warnings).toEqual(DOWNGRADED);
      }
      await post(of.userId);
      expect(await deliveriesOf(of)).toMatchObject({
        deliveriesRecorded: 4,
        confirmedDeliveries: 1,
        operatorVouched: 3,
        selfAttested: 0,
      });
    });

    test('a projection takes events as they would be recorded', async () => {
      const userId = fresh();
      await register({ userId });
      const project = async (of: string, isVerified: boolean) => {
        const body = { events: [{ ...GOOD, isVerified }] };
        return (await ask(service, { platform, userId: of }, 'POST', '/score/project', { body })).body
          .projected;
      };
      expect(await project(userId, true)).toEqual(await project(userId, false));
      expect(await project('nobody', true)).not.toEqual(await project('nobody', false));
    });

    test('in test mode, too; the modes are apart, and a reset forgets it', async () => {
      const userId = fresh();
      const options = { key: platform.test.key };
      await service.request('POST', '/agents', { ...options, body: { userId } });
      expect((await report(service, outcome({ userId, ...GOOD }), options)).body.warnings).toEqual(
        DOWNGRADED,
      );
      expect((await post(userId)).body.warnings).toEqual([]);
      await service.request('DELETE', '/test/data', options);
      expect((await service.request('GET', `/agents/${userId}`, options)).status).toBe(404);
      expect((await report(service, outcome({ userId, ...GOOD }), options)).body.warnings).toEqual([]);
      const left = await service.db.query('select 1 from declaration_fact where subject_id = $1', [
        subjectIdOf(platform.id, false, userId),
      ]);
      expect(left).toEqual([]);
    });
  });

  describe('the delivery record', () => {
    test('tells apart on whose word deliveries rest', async () => {
      const operator = {
        name: 'Harbour Robotics Ltd',
        homepage: 'https://robots.example.com/',
        did: 'did:key:z6Mkrobots',
      };
      const of = await agent(service, fresh(), { name: 'Bot Seven', platformIsOperator: false, operator });
      const dueDate = '2026-03-01T12:00:00.000Z';
      await ingested(service, of, 'customer-1', { dueDate, completedAt: '2026-03-01T11:00:00.000Z' });
      await ingested(service, of, 'customer-2', { dueDate, completedAt: '2026-03-01T13:00:00.000Z' });
      await ingested(service, of, 'customer-2', { eventType: 'REVIEW_VERIFIED' });
      await reportOf(service, of, { ...GOOD, eventType: 'TRANSACTION_COMPLETED' });
      const names = [
        'HARBOUR robotics  ltd',
        'https://robots.example.com/',
        'robots.example.com',
        'did:key:z6Mkrobots#key-1',
      ];
      for (const name of names) await ingested(service, of, name, { dueDate, completedAt: dueDate });
      for (const name of ['bot seven', of.userId.toUpperCase()]) await ingested(service, of, name);
      await reportOf(service, of, { ...GOOD, isVerified: false });
      await reportOf(service, of, { ...GOOD, eventType: 'CONTRACT_CANCELLED' });
      await reportOf(service, of, { ...GOOD, eventType: 'CONTRACT_BREACHED' });
      const { body: contested } = await reportOf(service, of, { ...GOOD, eventType: 'TRANSACTION_DISPUTED' });
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
      const list = await service.request('GET', '/disputes', { key: of.platform.live.key });
      const [dispute] = list.body.disputes;
      expect(dispute.eventId).toBe(contested.eventId);
      await service.request('PATCH', `/disputes/${dispute.id}/resolve`, { key: of.platform.live.key });
      expect(await deliveriesOf(of)).toMatchObject({ deliveriesRecorded: 11, failures: 2, disputes: 1 });
    });

    test('what was reported before a declaration changed stays as it was judged', async () => {
      const of = await agent(service, fresh());
      for (let count = 0; count < 4; count += 1) await reportOf(service, of, GOOD);
      await confirm(service, of, 'customer-1');
      await registerAgent(service, of.platform, { userId: of.userId, ...ELSEWHERE });
      await reportOf(service, of, GOOD);
      await registerAgent(service, of.platform, { userId: of.userId, operator: { name: 'Customer-1' } });
      expect(await deliveriesOf(of)).toMatchObject({
        deliveriesRecorded: 6,
        confirmedDeliveries: 2,
        operatorVouched: 4,
        selfAttested: 0,
        declarationChangedAt: expect.stringMatching(/Z$/),
      });
    });

    test('is of all platforms that the agent is linked across; each keeps its own word', async () => {
      const mine = await agent(service, fresh());
      const theirs = await agent(service, fresh(), ELSEWHERE);
      await reportOf(service, mine, GOOD);
      await reportOf(service, theirs, GOOD);
      expect((await link(service, mine, theirs)).status).toBe(201);
      for (const of of [mine, theirs]) {
        expect(await deliveriesOf(of)).toMatchObject({
          deliveriesRecorded: 2,
          confirmedDeliveries: 1,
          operatorVouched: 1,
        });
      }
      const { body } = await reportOf(service, mine, GOOD);
      expect(body.warnings).toEqual(DOWNGRADED);
      expect((await reportOf(service, theirs, GOOD)).body.warnings).toEqual([]);
    });

    test('comes with the score, which has one formula for all', async () => {
      const of = await agent(service, fresh(), ELSEWHERE);
      await reportOf(service, of, GOOD);
      await service.settle();
      const { score } = (await shown(service, of, 'agents')).body;
      const {
        userId: _,
        behavioralQuality: __,
        ...published
      } = (await ask(service, of, 'GET', '/score')).body;
      expect(score).toEqual(published);
      const person = { platform: of.platform, userId: 'a-person' };
      await reportOf(service, person, GOOD);
      await service.settle();
      expect((await ask(service, person, 'GET', '/score')).body.finalScore).toBe(score.finalScore);
    });
  });
});
