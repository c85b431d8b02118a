import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { startTestService } from '#harness/service.js';
import { type Alias, link, reportOf } from './linkFixtures.js';
import { confirm, GOOD, givenDeclarer, ingested, readDeclared } from './subjectFixtures.js';

describe.each(breadth)('businesses on %s', (engine) => {
  const declarer = givenDeclarer(engine);
  const { service, fresh, of, business, post, readBusiness, registerAgent } = declarer;
  const register = (identity: object | null, userId = fresh(), more: object = {}) =>
    declarer.registerBusiness({ userId, business: identity, ...more });
  const recordOf = async (declared: Alias) => (await readBusiness(declared, '/record')).body;

  test('a registered business is shown as declared', async () => {
    const userId = fresh();
    const identity = {
      legalName: 'Mill Lane Kitchens Ltd',
      tradingName: 'Mill Lane',
      homepage: 'https://mill-lane.example.com',
      did: 'did:web:mill-lane.example.com',
    };
    const { status, body } = await register(identity, userId);
    expect(status).toBe(201);
    expect(body).toEqual({
      userId,
      subjectType: 'ORGANIZATION',
      business: identity,
      platformIsController: false,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: body.createdAt,
      declarationChangedAt: null,
    });
    expect((await readBusiness(of(userId))).body).toEqual({ ...body, score: null });
    const none = {
      outcomesRecorded: 0,
      onTimeRate: null,
      verificationDepth: null,
      declarationChangedAt: null,
    };
    expect(await recordOf(of(userId))).toMatchObject({ userId, ...none, asOf: body.updatedAt });
    expect(await declarer.inBook(userId)).toMatchObject({ subjectType: 'ORGANIZATION' });
  });

  test.each([
    { legalName: 'A Ltd' },
    { tradingName: 'A' },
    { homepage: 'https://a.example.com' },
    { did: 'did:web:a.example.com' },
  ])('accepts one identity: %j', async (identity) => {
    const { status, body } = await register(identity);
    const none = { legalName: null, tradingName: null, homepage: null, did: null };
    expect([status, body.business]).toEqual([201, { ...none, ...identity }]);
  });

  test.each([
    [{}],
    [{ business: null }],
    [{ business: {} }],
    [{ business: { legalName: null } }],
    [{ business: { legalName: ' ', tradingName: '\u200b' } }],
  ])('refuses a business without an identity: %j', async (more) => {
    const { status, body } = await declarer.registerBusiness({ userId: fresh(), ...more });
    expect([status, body.code]).toEqual([400, 'BUSINESS_IDENTITY_NOT_DECLARED']);
  });

  test.each([
    ['business.homepage', { homepage: 'https://192.168.1.1/' }],
    ['business.did', { did: 'did:web' }],
    ['business.legalName', { legalName: 'a\0b' }],
  ])('refuses an invalid %s: %j', async (path, identity) => {
    const { status, body } = await register(identity);
    expect([status, body.code, body.details?.[0]?.path]).toEqual([400, 'VALIDATION_ERROR', path]);
  });

  test('the id of a person or an agent is taken, and neither has a page or a record', async () => {
    const [person, bot] = [fresh(), fresh()];
    await post(person);
    await registerAgent({ userId: bot });
    for (const userId of [person, bot]) {
      const { status, body } = await register({ legalName: 'A Ltd' }, userId);
      expect([status, body.code]).toEqual([409, 'CONFLICT']);
      for (const end of ['', '/record'])
        expect((await readBusiness(of(userId), end)).body.code).toBe('NOT_FOUND');
    }
    expect((await register({ did: 'did:a:b' }, 'test:firm')).body.code).toBe('RESERVED_EXTERNAL_ID');
  });

  test('the same business can be declared again, but not without an identity', async () => {
    const firm = fresh();
    await register({ legalName: 'A Ltd' }, firm);
    await post(firm);
    const again = await register({ tradingName: 'B' }, firm);
    expect(again).toMatchObject({
      status: 201,
      body: { business: { legalName: 'A Ltd', tradingName: 'B' } },
    });
    expect((await register(null, firm)).body.code).toBe('BUSINESS_IDENTITY_NOT_DECLARED');
  });

  test('a record counts confirmed outcomes and counterparties, once under every spelling', async () => {
    const own = await business(fresh(), {
      business: { legalName: 'Own Ltd', homepage: 'https://own.example.com' },
    });
    const dueDate = '2026-03-01T12:00:00.000Z';
    const late = { dueDate, completedAt: '2026-03-01T13:00:00.000Z' };
    const inTime = { dueDate, completedAt: dueDate };
    await confirm(service, own, 'Acme GmbH', inTime);
    await confirm(service, own, ' ACME gmbh', inTime);
    await ingested(service, own, 'ＡＣＭＥ ＧｍｂＨ', late);
    await ingested(service, own, 'Other');
    await ingested(service, own, 'o\u200bther');
    await reportOf(service, own, GOOD);
    for (let count = 0; count < 5; count += 1) {
      const metadata = { counterpartyRef: `fake${count}`, verifiedBy: 'fake' };
      await reportOf(service, own, { ...GOOD, metadata });
    }
    await ingested(service, own, 'own ltd', inTime);
    await ingested(service, own, 'own.example.com');
    await reportOf(service, own, { ...GOOD, isVerified: false, metadata: { verifiedBy: 'Third' }, ...late });
    const { body: breach } = await reportOf(service, own, { ...GOOD, eventType: 'CONTRACT_BREACHED' });
    const expected = {
      userId: own.userId,
      outcomesRecorded: 15,
      confirmedOutcomes: 12,
      selfAttested: 3,
      failures: 1,
      disputes: 0,
      onTimeRate: 0.6667,
      verificationDepth: 0.8,
      distinctConfirmingCounterparties: 2,
      declarationChangedAt: null,
      asOf: breach.event.createdAt,
    };
    expect(await recordOf(own)).toEqual(expected);
    const { key } = own.platform.live;
    const { body } = await service.request('POST', '/disputes', { key, body: { eventId: breach.eventId } });
    await service.request('PATCH', `/disputes/${body.id}/resolve`, { key });
    expect(await recordOf(own)).toEqual({ ...expected, disputes: 1, asOf: expect.any(String) });
  });

  test('a linked business counts all platforms and shows no id of another', async () => {
    const [one, other] = [await business(fresh()), await business(fresh())];
    await ingested(service, one, 'Acme');
    await ingested(service, other, 'acme ');
    await ingested(service, other, 'Others Ltd');
    expect((await link(service, one, other)).status).toBe(201);
    const counts = { outcomesRecorded: 3, confirmedOutcomes: 3, distinctConfirmingCounterparties: 2 };
    for (const own of [one, other]) {
      const record = await recordOf(own);
      expect(record).toMatchObject({ userId: own.userId, ...counts });
      expect(JSON.stringify(record)).not.toContain(own === one ? other.userId : one.userId);
    }
  });

  test('events recorded during a read are in the next read, in every process', async () => {
    const second = await startTestService(engine, { env: { ROLE: 'api' }, db: service.db });
    const own = await business(fresh());
    for (let round = 1; round <= 3; round += 1) {
      await ingested(service, own, `customer-${round}`);
      for (const process of [service, second]) {
        const { body } = await readDeclared(process, own, 'businesses', '/record');
        expect([body.confirmedOutcomes, body.distinctConfirmingCounterparties]).toEqual([round, round]);
      }
    }
    await second.close();
  });
});
