import { verifyCredential } from 'did-jwt-vc';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { startTestService, type TestService } from '#harness/service.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import { outcome, report } from '../intake/eventFixtures.js';
import {
  decoded,
  ISSUER_DID,
  mint,
  resolverOf,
  SHARING_BASE,
  SHARING_ENV,
  verify,
  withdraw,
} from '../sharing/sharingFixtures.js';
import { type Alias, alias, ask, figuresOf, link, reportOf, unlink } from '../subjects/linkFixtures.js';

const NOW = new Date('2026-11-21T11:40:00.000Z');
const DISCLOSURES = expect.arrayContaining([expect.stringContaining('Not an income verification')]);

const paid = (transactionValue: number | null, day: string, more: object = {}) => {
  const completedAt = `${day}T12:00:00.000Z`;
  return { eventType: 'CONTRACT_FULFILLED', isVerified: true, transactionValue, completedAt, ...more };
};

describe.each(breadth)('earnings on %s', (engine) => {
  let service: TestService;
  let count = 0;

  beforeAll(async () => {
    service = await startTestService(engine, { env: SHARING_ENV, clock: { now: () => NOW } });
  });
  afterAll(() => service.close());

  const someone = (events: readonly object[]) => alias(service, `earner-${++count}`, events);
  const earnings = (of: Alias, query = '') => ask(service, of, 'GET', `/earnings${query}`);
  const issue = (of: Alias, query = '', options: object = {}) =>
    ask(service, of, 'POST', `/earnings/credential${query}`, options);

  test('verified positive outcomes count in the month they happened; all others are listed separately', async () => {
    const of = await someone([
      paid(100.1, '2026-09-30'),
      paid(0.2, '2026-09-01', { eventType: 'TRANSACTION_COMPLETED' }),
      paid(50, '2026-11-02', { eventType: 'REVIEW_VERIFIED' }),
      paid(null, '2026-11-02'),
      paid(70, '2026-10-05', { isVerified: false }),
      paid(30, '2026-10-06', { eventType: 'TRANSACTION_DISPUTED' }),
      paid(11, '2026-10-07', { eventType: 'TRANSACTION_CANCELLED' }),
      paid(12, '2026-10-07', { eventType: 'CONTRACT_BREACHED' }),
      paid(1000, '2026-08-31'),
    ]);
    const { status, body } = await earnings(of, '?months=3');
    expect(status).toBe(200);
    const own = { platform: 1, self: true };
    expect(body).toEqual({
      userId: of.userId,
      window: { from: '2026-09-01T00:00:00.000Z', to: NOW.toISOString(), months: 3 },
      currency: null,
      attested: { gross: 150.3, eventCount: 3 },
      months: [
        {
          month: '2026-09',
          attestedGross: 100.3,
          eventCount: 2,
          platforms: [{ ...own, attestedGross: 100.3, eventCount: 2 }],
        },
        { month: '2026-10', attestedGross: 0, eventCount: 0, platforms: [] },
        {
          month: '2026-11',
          attestedGross: 50,
          eventCount: 1,
          platforms: [{ ...own, attestedGross: 50, eventCount: 1 }],
        },
      ],
      platforms: [
        {
          ...own,
          name: `Platform of ${of.userId}`,
          trustTier: 'STARTER',
          attestedGross: 150.3,
          eventCount: 3,
        },
      ],
      stability: {
        monthsWithEarnings: 2,
        medianMonthly: 75.15,
        meanMonthly: 75.15,
        coefficientOfVariation: 0.3347,
        longestConsecutiveMonths: 1,
        trailing12mTotal: 1150.3,
      },
      unverifiedReported: { gross: 70, eventCount: 1 },
      excluded: { gross: 30, eventCount: 1 },
      coverage: { selfReportedShare: 0.3177, verifiedWithoutValue: 1 },
      earningsVersion: '1.0',
      disclosures: DISCLOSURES,
    });
    expect((await earnings(of, '/summary?months=3')).body).toEqual({
      userId: of.userId,
      window: body.window,
      currency: null,
      trailing12mVerifiedTotal: 1150.3,
      medianMonthly: 75.15,
      verifiedShare: 0.6823,
      volatility: 0.3347,
      earningsVersion: '1.0',
      disclosures: body.disclosures,
    });
  });

  test('an unknown figure is null and never estimated', async () => {
    const of = await someone([paid(null, '2026-11-02')]);
    const { body } = await earnings(of);
    expect(body.months).toHaveLength(12);
    expect(body.platforms).toEqual([]);
    expect(body.stability).toEqual({
      monthsWithEarnings: 0,
      medianMonthly: null,
      meanMonthly: null,
      coefficientOfVariation: null,
      longestConsecutiveMonths: 0,
      trailing12mTotal: 0,
    });
    expect(body.coverage).toEqual({ selfReportedShare: null, verifiedWithoutValue: 1 });
    expect((await earnings(of, '/summary')).body).toMatchObject({
      currency: null,
      medianMonthly: null,
      verifiedShare: null,
      volatility: null,
    });
  });

  test('an outcome happens when completed, else when due, and never after its report', async () => {
    const value = { eventType: 'CONTRACT_FULFILLED', isVerified: true };
    const of = await someone([
      { ...value, transactionValue: 1, dueDate: '2026-07-01T00:00:00.000Z' },
      { ...value, transactionValue: 2, dueDate: '2027-01-01T00:00:00.000Z' },
      { ...value, transactionValue: 4, completedAt: '2026-11-21T11:44:00.000Z' },
      { ...value, transactionValue: 8, completedAt: '2026-05-31T23:59:59.999Z' },
      { ...value, transactionValue: 16, completedAt: '2026-06-01T01:30:00+02:00' },
      { ...value, transactionValue: 32 },
    ]);
    const { body } = await earnings(of);
    const found = body.months.map(({ month, attestedGross }: Record<string, unknown>) => [
      month,
      attestedGross,
    ]);
    expect(found.filter(([, gross]: [string, number]) => gross > 0)).toEqual([
      ['2026-05', 24],
      ['2026-07', 1],
      ['2026-11', 38],
    ]);
  });

  test('a window may be empty and end at the earliest date', async () => {
    const of = await someone([paid(5, '2026-11-02'), paid(9, '1970-01-01')]);
    const grossOf = async (query: string) => (await earnings(of, query)).body.attested.gross;
    expect(await grossOf('?to=0001-01-01')).toBe(0);
    expect(await grossOf('?to=1970-01-01&months=2')).toBe(9);
    expect(await grossOf('?from=1990-01-01&to=1999-12-31')).toBe(0);
    expect(await grossOf('?from=2026-11-02T12:00:00Z&to=2026-11-02T12:00:00Z')).toBe(5);
    expect(await grossOf('?from=2026-11-02T12:00:00.001Z')).toBe(0);
    expect(await grossOf('?to=2026-11-02T11:59:59.999Z')).toBe(0);
  });

  test('a contested breach is a disputed outcome', async () => {
    const of = await someone([paid(5, '2026-11-02')]);
    const breach = await reportOf(service, of, paid(80, '2026-11-03', { eventType: 'CONTRACT_BREACHED' }));
    expect((await earnings(of)).body.excluded).toEqual({ gross: 0, eventCount: 0 });
    const body = { eventId: breach.body.eventId };
    await service.request('POST', '/disputes', { key: of.platform.live.key, body });
    const after = (await earnings(of)).body;
    expect(after.excluded).toEqual({ gross: 80, eventCount: 1 });
    expect(after.attested).toEqual({ gross: 5, eventCount: 1 });
  });

  test('a linked subject shows the earnings of its whole record without naming other platforms', async () => {
    const [one, other, third] = [
      await someone([paid(10, '2026-11-02')]),
      await someone([paid(20, '2026-11-03'), paid(40, '2026-10-03')]),
      await someone([paid(500, '2026-11-03', { isVerified: false })]),
    ];
    await link(service, one, other);
    await link(service, third, other);
    const { body, text } = await earnings(one, '?months=2');
    expect(body.platforms).toEqual([
      {
        platform: 1,
        self: true,
        name: `Platform of ${one.userId}`,
        trustTier: 'STARTER',
        attestedGross: 10,
        eventCount: 1,
      },
      { platform: 2, self: false, name: null, trustTier: 'STARTER', attestedGross: 60, eventCount: 2 },
    ]);
    expect(body.months[1].platforms).toEqual([
      { platform: 1, self: true, attestedGross: 10, eventCount: 1 },
      { platform: 2, self: false, attestedGross: 20, eventCount: 1 },
    ]);
    expect(body.unverifiedReported).toEqual({ gross: 500, eventCount: 1 });
    for (const { platform, userId } of [other, third]) {
      for (const secret of [platform.id, userId, subjectIdOf(platform.id, true, userId)])
        expect(text).not.toContain(secret);
    }
    expect((await earnings(third, '?months=2')).body).toMatchObject({
      attested: { gross: 70, eventCount: 3 },
      platforms: [
        { platform: 1, self: false, name: null },
        { platform: 2, self: false, name: null },
      ],
    });
    await unlink(service, one);
    expect((await earnings(one)).body.attested).toEqual({ gross: 10, eventCount: 1 });
    expect((await earnings(other)).body.attested).toEqual({ gross: 60, eventCount: 2 });
  });

  test.each(['?months=0', '?months=121', '?months=x', '?from=2026-12-01', '?to=x', '?from=2000-01-01'])(
    'all three operations refuse the window %s',
    async (query) => {
      const of = await someone([paid(1, '2026-11-02')]);
      const answers = [
        await earnings(of, query),
        await earnings(of, `/summary${query}`),
        await issue(of, query),
      ];
      for (const { status, body } of answers) {
        expect([status, body.code]).toEqual([400, 'VALIDATION_ERROR']);
        expect(body.details).toEqual([expect.objectContaining({ path: query.slice(1, query.indexOf('=')) })]);
      }
      expect(await mintedFor(of)).toBe(0);
    },
  );

  test('work in test mode', async () => {
    const key = service.testKey;
    await report(service, outcome({ userId: 'in-test', ...paid(7, '2026-11-02') }), { key });
    const { body } = await service.request('GET', '/users/in-test/earnings', { key });
    expect(body.attested).toEqual({ gross: 7, eventCount: 1 });
  });

  test('never change a score: neither values, nor reads, nor a credential', async () => {
    const rich = await someone([paid(1e15, '2026-11-02'), paid(0.01, '2026-10-02')]);
    const poor = await someone([paid(null, '2026-11-02'), paid(0, '2026-10-02')]);
    await service.settle();
    const before = await figuresOf(service, rich);
    expect(before).toEqual(await figuresOf(service, poor));
    expect((await earnings(rich)).body.attested.gross).toBe(1e15 + 0.01);
    await issue(rich);
    await service.settle();
    expect(await figuresOf(service, rich)).toEqual(before);
  });

  describe('their credential', () => {
    test('attests the window and names neither the subject nor a platform', async () => {
      const [of, other] = [await someone([paid(10, '2026-11-02')]), await someone([paid(20, '2026-10-03')])];
      await link(service, of, other);
      const { status, body } = await issue(of, '?months=2');
      expect(status).toBe(201);
      expect(body).toEqual({
        credential: expect.any(String),
        type: 'ServiceEarningsCredential',
        expiresAt: '2026-11-22T12:00:00.000Z',
        shareToken: await mint(service, of),
        verifyUrl: `${SHARING_BASE}/verify/${body.shareToken}`,
      });
      const { payload } = decoded(body.credential);
      expect(payload.type).toEqual(['VerifiableCredential', 'ServiceEarningsCredential']);
      const { userId: _, months, platforms, ...rest } = (await earnings(of, '?months=2')).body;
      const published = platforms.map(({ self: _, name: __, ...share }: Record<string, unknown>) => share);
      const { record, ...subject } = payload.credentialSubject;
      expect(subject).toEqual({ id: body.verifyUrl, formulaVersion: '5.3', asOf: NOW.toISOString() });
      expect(record).toMatchObject({ ...rest, platforms: published });
      expect(record.months).toHaveLength(months.length);
      const said = JSON.stringify(payload);
      for (const { platform, userId } of [of, other]) {
        for (const secret of [
          platform.id,
          userId,
          subjectIdOf(platform.id, true, userId),
          '"self"',
          '"name"',
        ])
          expect(said).not.toContain(secret);
      }
    });

    test.each(['', 'format=vc1'])(
      'verifies in another library with the published key (%s)',
      async (format) => {
        const of = await someone([paid(10, '2026-11-02')]);
        const { credential } = (await issue(of, `?ttl=7776000&${format}`)).body;
        const policies = { format: format !== '', now: Math.floor(NOW.getTime() / 1000) };
        const checked = await verifyCredential(credential, resolverOf(service), { policies });
        expect(checked.issuer).toBe(ISSUER_DID);
        const { vc = checked.payload } = checked.payload;
        expect(vc.credentialSubject).toMatchObject({ record: { attested: { gross: 10 }, currency: null } });
      },
    );

    test('belongs to the share token of the subject and is revoked with it', async () => {
      const of = await someone([paid(10, '2026-11-02')]);
      const [first, second] = [(await issue(of)).body, (await issue(of, '?months=1')).body];
      expect(second.shareToken).toBe(first.shareToken);
      expect((await verify(service, first.shareToken)).status).toBe(200);
      const statusOf = (body: { credential: string }) => decoded(body.credential).payload.credentialStatus;
      expect(statusOf(second)).toEqual(statusOf(first));
      await withdraw(service, of);
      expect((await verify(service, first.shareToken)).status).toBe(404);
      expect(statusOf((await issue(of)).body)).not.toEqual(statusOf(first));
    });

    test('lasts from a minute to ninety days', async () => {
      const of = await someone([paid(10, '2026-11-02')]);
      const statuses = await Promise.all(
        ['59', '60', '7776000', '7776001', '1e3', ''].map(
          async (ttl) => (await issue(of, `?ttl=${ttl}`)).status,
        ),
      );
      expect(statuses).toEqual([400, 201, 201, 400, 400, 400]);
      expect((await issue(of, '?format=pdf')).body.code).toBe('VALIDATION_ERROR');
    });
  });

  async function mintedFor({ platform, userId }: Alias): Promise<number> {
    const subjectId = subjectIdOf(platform.id, true, userId);
    const rows = await service.db.query('select 1 from share_token where subject_id = $1', [subjectId]);
    return rows.length;
  }
});
