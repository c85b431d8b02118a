import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { joinTestService, startTestService, type TestService } from '#harness/service.js';
import { outcome, report } from '../intake/eventFixtures.js';
import { addedPlatform, type OwnPlatform } from '../tenancy/trail.js';
import { type Alias, link, reportOf } from './linkFixtures.js';
import {
  business,
  confirm,
  GOOD,
  ingested,
  readDeclared,
  registerAgent,
  registerBusiness,
} from './subjectFixtures.js';

const EMPTY = {
  outcomesRecorded: 0,
  confirmedOutcomes: 0,
  selfAttested: 0,
  failures: 0,
  disputes: 0,
  onTimeRate: null,
  verificationDepth: null,
  distinctConfirmingCounterparties: 0,
  declarationChangedAt: null,
};

describe.each(breadth)('businesses on %s', (engine) => {
  let service: TestService;
  let platform: OwnPlatform;
  let count = 0;

  beforeAll(async () => {
    service = await joinTestService(engine);
    platform = await addedPlatform(service, 'Market place');
  });
  afterAll(() => service.close());

  const fresh = () => `firm-${++count}`;
  const register = (body: object) => registerBusiness(service, platform, body);
  const recordOf = (of: Alias) => readDeclared(service, of, 'businesses', '/record');

  test('a registered business is shown as declared', async () => {
    const userId = fresh();
    const identity = {
      legalName: 'Mill Lane Kitchens Ltd',
      tradingName: 'Mill Lane',
      homepage: 'https://mill-lane.example.com',
      did: 'did:web:mill-lane.example.com',
    };
    const { status, body } = await register({ userId, business: identity });
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
    const read = await readDeclared(service, { platform, userId }, 'businesses');
    expect(read.body).toEqual({ ...body, score: null });
    const record = await recordOf({ platform, userId });
    expect(record.body).toEqual({ userId, ...EMPTY, asOf: body.updatedAt });
    const { body: book } = await service.request('GET', '/users?subjectType=ORGANIZATION&sort=externalId', {
      key: platform.live.key,
    });
    expect(book.users.map((row: { externalId: string }) => row.externalId)).toContain(userId);
  });

  test.each([
    [{ legalName: 'A Ltd' }],
    [{ tradingName: 'A' }],
    [{ homepage: 'https://a.example.com' }],
    [{ did: 'did:web:a.example.com' }],
  ])('accepts one identity: %j', async (identity) => {
    const { status, body } = await register({ userId: fresh(), business: identity });
    expect(status).toBe(201);
    expect(body.business).toEqual({
      legalName: null,
      tradingName: null,
      homepage: null,
      did: null,
      ...identity,
    });
  });

  test.each([
    [{}],
    [{ business: null }],
    [{ business: {} }],
    [{ business: { legalName: null } }],
    [{ business: { legalName: ' ', tradingName: '\u200b' } }],
  ])('refuses a business without an identity: %j', async (more) => {
    const { status, body } = await register({ userId: fresh(), ...more });
    expect([status, body.code]).toEqual([400, 'BUSINESS_IDENTITY_NOT_DECLARED']);
  });

  test.each([
    ['business.homepage', { homepage: 'http://a.example.com' }],
    ['business.homepage', { homepage: 'https://192.168.1.1/' }],
    ['business.did', { did: 'did:web' }],
    ['business.legalName', { legalName: 'n'.repeat(256) }],
    ['business.legalName', { legalName: 'a\0b' }],
  ])('refuses an invalid %s: %j', async (path, identity) => {
    const { status, body } = await register({ userId: fresh(), business: identity });
    expect([status, body.code, body.details?.[0]?.path]).toEqual([400, 'VALIDATION_ERROR', path]);
  });

  test('the id of a person or an agent is taken; the same business can be declared again', async () => {
    const [person, bot, firm] = [fresh(), fresh(), fresh()];
    await report(service, outcome({ userId: person }), { key: platform.live.key });
    await registerAgent(service, platform, { userId: bot });
    for (const userId of [person, bot]) {
      const { status, body } = await register({ userId, business: { legalName: 'A Ltd' } });
      expect([status, body.code]).toEqual([409, 'CONFLICT']);
    }
    await register({ userId: firm, business: { legalName: 'A Ltd' } });
    await report(service, outcome({ userId: firm }), { key: platform.live.key });
    const again = await register({ userId: firm, business: { tradingName: 'B' } });
    expect([again.status, again.body.business]).toMatchObject([
      201,
      { legalName: 'A Ltd', tradingName: 'B' },
    ]);
    const emptied = await register({ userId: firm, business: null });
    expect([emptied.status, emptied.body.code]).toEqual([400, 'BUSINESS_IDENTITY_NOT_DECLARED']);
    expect((await register({ userId: 'test:firm', business: { did: 'did:a:b' } })).body.code).toBe(
      'RESERVED_EXTERNAL_ID',
    );
  });

  test('a subject that is not a business has neither a page nor a record', async () => {
    const [person, bot] = [fresh(), fresh()];
    await report(service, outcome({ userId: person }), { key: platform.live.key });
    await registerAgent(service, platform, { userId: bot });
    for (const userId of [person, bot, 'nobody']) {
      for (const end of ['', '/record']) {
        const { status, body } = await readDeclared(service, { platform, userId }, 'businesses', end);
        expect([status, body.code]).toEqual([404, 'NOT_FOUND']);
      }
    }
  });

  test('only a business that the platform controls has its verification reduced', async () => {
    const [theirs, mine] = [fresh(), fresh()];
    await register({ userId: theirs, business: { legalName: 'A Ltd' } });
    await register({ userId: mine, business: { legalName: 'B Ltd' }, platformIsController: true });
    const post = (userId: string) =>
      report(service, outcome({ userId, ...GOOD }), { key: platform.live.key });
    expect((await post(theirs)).body).toMatchObject({ warnings: [], event: { isVerified: true } });
    const reduced = (await post(mine)).body;
    expect(reduced.event.isVerified).toBe(false);
    expect(reduced.warnings).toMatchObject([{ code: 'VERIFICATION_DOWNGRADED' }]);
    expect((await recordOf({ platform, userId: theirs })).body.confirmedOutcomes).toBe(1);
    expect((await recordOf({ platform, userId: mine })).body).toMatchObject({
      confirmedOutcomes: 0,
      selfAttested: 1,
    });
  });

  test('a record counts confirmed outcomes and counterparties, once under every spelling', async () => {
    const of = await business(service, fresh(), {
      business: { legalName: 'Own Ltd', homepage: 'https://own.example.com' },
    });
    const dueDate = '2026-03-01T12:00:00.000Z';
    const late = { dueDate, completedAt: '2026-03-01T13:00:00.000Z' };
    const inTime = { dueDate, completedAt: dueDate };
    await confirm(service, of, 'Acme GmbH', inTime);
    await confirm(service, of, ' ACME gmbh', inTime);
    await ingested(service, of, 'ＡＣＭＥ ＧｍｂＨ', late);
    await ingested(service, of, 'Other');
    await ingested(service, of, 'o\u200bther');
    await reportOf(service, of, GOOD);
    for (let count = 0; count < 5; count += 1) {
      await reportOf(service, of, {
        ...GOOD,
        metadata: { counterpartyRef: `fake${count}`, verifiedBy: 'fake' },
      });
    }
    await ingested(service, of, 'own ltd', inTime);
    await ingested(service, of, 'own.example.com');
    await reportOf(service, of, { ...GOOD, isVerified: false, metadata: { verifiedBy: 'Third' }, ...late });
    const { body: breach } = await reportOf(service, of, {
      eventType: 'CONTRACT_BREACHED',
      isVerified: true,
    });
    const expected = {
      userId: of.userId,
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
    expect((await recordOf(of)).body).toEqual(expected);
    const filed = await service.request('POST', '/disputes', {
      key: of.platform.live.key,
      body: { eventId: breach.eventId },
    });
    await service.request('PATCH', `/disputes/${filed.body.id}/resolve`, { key: of.platform.live.key });
    expect((await recordOf(of)).body).toEqual({ ...expected, disputes: 1, asOf: expect.any(String) });
  });

  test('a linked business counts all platforms and shows no id of another', async () => {
    const [one, other] = [await business(service, fresh()), await business(service, fresh())];
    await ingested(service, one, 'Acme');
    await ingested(service, other, 'acme ');
    await ingested(service, other, 'Others Ltd');
    expect((await link(service, one, other)).status).toBe(201);
    for (const of of [one, other]) {
      const { body, text } = await recordOf(of);
      expect(body).toMatchObject({
        userId: of.userId,
        outcomesRecorded: 3,
        confirmedOutcomes: 3,
        distinctConfirmingCounterparties: 2,
      });
      expect(text).not.toContain(of === one ? other.userId : one.userId);
    }
  });

  test('events recorded during a read are in the next read, in every process', async () => {
    const second = await startTestService(engine, { env: { ROLE: 'api' }, db: service.db });
    const of = await business(service, fresh());
    for (let round = 1; round <= 3; round += 1) {
      await ingested(service, of, `customer-${round}`);
      for (const process of [service, second]) {
        const { body } = await readDeclared(process, of, 'businesses', '/record');
        expect([body.confirmedOutcomes, body.distinctConfirmingCounterparties]).toEqual([round, round]);
      }
    }
    await second.close();
  });
});
