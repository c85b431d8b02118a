import { verifyCredential } from 'did-jwt-vc';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { startTestService, type TestService } from '#harness/service.js';
import { settledLog } from '../../ledger/log/logDeps.js';
import { type Alias, alias, link, reportOf, unlink } from '../subjects/linkFixtures.js';
import {
  agent,
  business,
  GOOD,
  ingested,
  readDeclared,
  registerAgent,
  registerBusiness,
} from '../subjects/subjectFixtures.js';
import {
  decoded,
  ISSUER_DID,
  mint,
  resolverOf,
  SHARING_BASE,
  SHARING_ENV,
  withdraw,
} from './sharingFixtures.js';

const HOUR_MS = 3_600_000;

describe.each(breadth)('shared records on %s', (engine) => {
  let service: TestService;
  let firm: Alias;
  let bot: Alias;
  let person: Alias;
  /** In the morning: on a new day each score is computed anew, and waits for its place in the log. */
  const clock = { at: new Date('2026-11-21T09:10:00.000Z'), now: () => clock.at };

  beforeAll(async () => {
    service = await startTestService(engine, { env: SHARING_ENV, clock });
    firm = await business(service, 'firm-1', { business: { legalName: 'Mill Lane Ltd' } });
    await ingested(service, firm, 'Acme');
    bot = await agent(service, 'bot-1', { platformIsOperator: false, operator: { name: 'Robotics Ltd' } });
    await ingested(service, bot, 'Acme');
    person = await alias(service, 'person-1', [GOOD]);
    await settledLog(service.db);
  });
  afterAll(() => service.close());

  const read = (token: string, end: string, headers: Record<string, string> = {}) =>
    service.request('GET', `/verify/${token}/${end}`, { key: null, headers });
  const checked = (jwt: string) => {
    const policies = { format: false, now: clock.at.getTime() / 1000 };
    return verifyCredential(jwt, resolverOf(service), { policies });
  };

  test('a business record equals its platform’s read and has a credential with the same content', async () => {
    const token = await mint(service, firm);
    const { status, headers, body, text } = await read(token, 'business-record');
    expect(status).toBe(200);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    const { userId: _, asOf, ...record } = (await readDeclared(service, firm, 'businesses', '/record')).body;
    expect(body).toEqual({
      token,
      subjectType: 'ORGANIZATION',
      record,
      asOf,
      credential: expect.any(String),
      type: 'ServiceBusinessRecordCredential',
      expiresAt: expect.stringMatching(/Z$/),
      verifyUrl: `${SHARING_BASE}/verify/${token}`,
    });
    expect(record).toMatchObject({ confirmedOutcomes: 1, distinctConfirmingCounterparties: 1 });
    const { payload } = decoded(body.credential);
    expect(payload).toMatchObject({
      type: ['VerifiableCredential', 'ServiceBusinessRecordCredential'],
      issuer: ISSUER_DID,
      credentialSubject: { id: body.verifyUrl, record, asOf, formulaVersion: '5.3' },
      credentialStatus: { type: 'BitstringStatusListEntry' },
    });
    expect((await checked(body.credential)).issuer).toBe(ISSUER_DID);
    for (const secret of [firm.userId, 'Mill Lane', 'Acme']) {
      expect(text).not.toContain(secret);
      expect(JSON.stringify(payload)).not.toContain(secret);
    }
  });

  test('delivery receipts of an agent have their own type', async () => {
    for (const [of, type] of [
      [bot, 'ServiceAgentDeliveryCredential'],
      [firm, 'ServiceDeliveryReceiptCredential'],
      [person, 'ServiceDeliveryReceiptCredential'],
    ] as const) {
      const { status, body } = await read(await mint(service, of), 'delivery-receipts');
      expect([status, body.type]).toEqual([200, type]);
      expect(body.record).toMatchObject({
        deliveriesRecorded: 1,
        confirmedDeliveries: 1,
        operatorVouched: 0,
      });
      expect(decoded(body.credential).payload.type).toEqual(['VerifiableCredential', type]);
      await checked(body.credential);
    }
    const { deliveryRecord } = (await readDeclared(service, bot, 'agents')).body;
    expect((await read(await mint(service, bot), 'delivery-receipts')).body.record).toEqual(deliveryRecord);
  });

  test('concurrent requests get one credential', async () => {
    const of = await business(service, 'busy-firm');
    await settledLog(service.db);
    const token = await mint(service, of);
    const answers = await Promise.all(Array.from({ length: 20 }, () => read(token, 'business-record')));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

  test('similar credentials of different records are not mixed up', async () => {
    const all = await Promise.all(
      Array.from({ length: 5 }, (_, index) => business(service, `alike-${index}`)),
    );
    await settledLog(service.db);
    const tokens = await Promise.all(all.map((of) => mint(service, of)));
    const asked = () => Promise.all(tokens.map((token) => read(token, 'business-record')));
    const [first, second] = [await asked(), await asked()];
    expect(second.map(({ text }) => text)).toEqual(first.map(({ text }) => text));
    second.forEach(({ body }, index) => {
      expect(decoded(body.credential).payload.credentialSubject.id).toBe(body.verifyUrl);
      expect(body.token).toBe(tokens[index]);
    });
  });

  test('only a business has a business record', async () => {
    for (const of of [bot, person]) {
      const { status, body } = await read(await mint(service, of), 'business-record');
      expect([status, body.code]).toEqual([404, 'NOT_FOUND']);
    }
  });

  test.each(['delivery-receipts', 'business-record'])(
    '%s: unknown, damaged and withdrawn tokens open nothing',
    async (end) => {
      const of = await business(service, `withdrawn-${end}`);
      const token = await mint(service, of);
      expect((await read(token, end)).status).toBe(200);
      await withdraw(service, of);
      for (const wrong of [token, `st_${'A'.repeat(32)}`, 'x']) {
        const { status, body } = await read(wrong, end);
        expect([status, body.code]).toEqual([404, 'NOT_FOUND']);
      }
    },
  );

  test.each(['delivery-receipts', 'business-record'])(
    '%s: the ETag holds until the hour or the record changes',
    async (end) => {
      clock.at = new Date(Math.ceil(clock.at.getTime() / HOUR_MS) * HOUR_MS);
      const token = await mint(service, firm);
      const first = await read(token, end);
      const cached = () => read(token, end, { 'If-None-Match': first.headers.get('etag') ?? '' });
      expect(first.headers.get('cache-control')).toBe('public, no-cache');
      clock.at = new Date(clock.at.getTime() + HOUR_MS - 1);
      const spared = await cached();
      expect([spared.status, spared.text]).toEqual([304, '']);
      await ingested(service, firm, 'Another');
      const changed = await cached();
      expect(changed.status).toBe(200);
      expect(changed.body.record).not.toEqual(first.body.record);
      const etag = changed.headers.get('etag') ?? '';
      clock.at = new Date(clock.at.getTime() + 1);
      expect((await read(token, end, { 'If-None-Match': etag })).status).toBe(200);
    },
  );

  test('follows the subject into another record', async () => {
    const [one, other] = [await business(service, 'linked-1'), await business(service, 'linked-2')];
    await ingested(service, one, 'Acme');
    await ingested(service, other, 'Other');
    const token = await mint(service, one);
    const confirmed = async () => (await read(token, 'business-record')).body.record.confirmedOutcomes;
    expect(await confirmed()).toBe(1);
    expect((await link(service, one, other)).status).toBe(201);
    expect(await confirmed()).toBe(2);
    await ingested(service, other, 'Third');
    expect(await confirmed()).toBe(3);
    await unlink(service, one);
    expect(await confirmed()).toBe(1);
  });

  test('a changed declaration is in the record at once and applies to later outcomes', async () => {
    const of = await agent(service, 'turncoat', {
      platformIsOperator: false,
      operator: { name: 'Robotics Ltd' },
    });
    await reportOf(service, of, GOOD);
    const token = await mint(service, of);
    const record = async () => (await read(token, 'delivery-receipts')).body.record;
    const before = { confirmedDeliveries: 1, operatorVouched: 0 };
    expect(await record()).toMatchObject({ ...before, declarationChangedAt: null });
    const changed = await registerAgent(service, of.platform, {
      userId: of.userId,
      platformIsOperator: true,
    });
    const { declarationChangedAt } = changed.body;
    expect(declarationChangedAt).toMatch(/Z$/);
    expect(await record()).toMatchObject({ ...before, declarationChangedAt });
    await reportOf(service, of, GOOD);
    expect(await record()).toMatchObject({
      confirmedDeliveries: 1,
      operatorVouched: 1,
      declarationChangedAt,
    });
    const { payload } = decoded((await read(token, 'delivery-receipts')).body.credential);
    expect(payload.credentialSubject.record).toMatchObject({ declarationChangedAt });
  });

  test('a registered subject without events has an empty record', async () => {
    const of = { platform: firm.platform, userId: 'empty-firm' };
    await registerBusiness(service, of.platform, { userId: of.userId, business: { legalName: 'Empty Ltd' } });
    const { status, body } = await read(await mint(service, of), 'business-record');
    expect(status).toBe(200);
    expect(body.record).toMatchObject({ outcomesRecorded: 0, verificationDepth: null, onTimeRate: null });
    await checked(body.credential);
  });
});
