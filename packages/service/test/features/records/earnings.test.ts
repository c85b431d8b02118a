import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { startTestService, type TestService } from '#harness/service.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import { decoded, SHARING_ENV } from '../sharing/sharingFixtures.js';
import { type Alias, alias, ask, figuresOf, link, reportOf, unlink } from '../subjects/linkFixtures.js';
import { trailOf } from '../tenancy/trail.js';

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
  const issue = (of: Alias, query: string) => ask(service, of, 'POST', `/earnings/credential${query}`);

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
    const share = (attestedGross: number, eventCount: number) => ({
      platform: 1,
      self: true,
      attestedGross,
      eventCount,
    });
    const common = {
      userId: of.userId,
      window: { from: '2026-09-01T00:00:00.000Z', to: NOW.toISOString(), months: 3 },
      currency: null,
      earningsVersion: '1.0',
      disclosures: DISCLOSURES,
    };
    expect(body).toEqual({
      ...common,
      attested: { gross: 150.3, eventCount: 3 },
      months: [
        { month: '2026-09', attestedGross: 100.3, eventCount: 2, platforms: [share(100.3, 2)] },
        { month: '2026-10', attestedGross: 0, eventCount: 0, platforms: [] },
        { month: '2026-11', attestedGross: 50, eventCount: 1, platforms: [share(50, 1)] },
      ],
      platforms: [{ ...share(150.3, 3), name: `Platform of ${of.userId}`, trustTier: 'STARTER' }],
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
    });
    expect((await earnings(of, '/summary?months=3')).body).toEqual({
      ...common,
      trailing12mVerifiedTotal: 1150.3,
      medianMonthly: 75.15,
      verifiedShare: 0.6823,
      volatility: 0.3347,
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
    const gross: [string, number][] = body.months.map(
      ({ month, attestedGross }: { month: string; attestedGross: number }) => [month, attestedGross],
    );
    expect(gross.filter(([, value]) => value > 0)).toEqual([
      ['2026-05', 24],
      ['2026-07', 1],
      ['2026-11', 38],
    ]);
  });

  test('a window may be empty and end at the earliest date', async () => {
    const of = await someone([paid(5, '2026-11-02'), paid(9, '1970-01-01')]);
    for (const [query, gross] of [
      ['?to=0001-01-01', 0],
      ['?to=1970-01-01&months=2', 9],
      ['?from=1990-01-01&to=1999-12-31', 0],
      ['?from=2026-11-02T12:00:00Z&to=2026-11-02T12:00:00Z', 5],
      ['?from=2026-11-02T12:00:00.001Z', 0],
      ['?to=2026-11-02T11:59:59.999Z', 0],
    ]) {
      expect([query, (await earnings(of, String(query))).body.attested.gross]).toEqual([query, gross]);
    }
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
    const [mine, theirs] = [
      { platform: 1, self: true, attestedGross: 10, eventCount: 1 },
      { platform: 2, self: false, attestedGross: 60, eventCount: 2 },
    ];
    expect(body.platforms).toEqual([
      { ...mine, name: `Platform of ${one.userId}`, trustTier: 'STARTER' },
      { ...theirs, name: null, trustTier: 'STARTER' },
    ]);
    expect(body.months[1].platforms).toEqual([mine, { ...theirs, attestedGross: 20, eventCount: 1 }]);
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

  test('all three operations refuse a window that is none, and the credential mints no token', async () => {
    const of = await someone([paid(1, '2026-11-02')]);
    for (const query of ['?months=0', '?from=2026-12-01', '?to=x']) {
      for (const read of [earnings(of, query), earnings(of, `/summary${query}`), issue(of, query)]) {
        const { status, body } = await read;
        expect([status, body.details]).toMatchObject([400, [{ path: query.slice(1, query.indexOf('=')) }]]);
      }
    }
    const { key } = of.platform.live;
    expect(await trailOf(service, key, '&action=SHARE_TOKEN_MINTED')).toEqual([]);
  });

  test('never change a score: neither values nor reads', async () => {
    const rich = await someone([paid(1e15, '2026-11-02'), paid(0.01, '2026-10-02')]);
    const poor = await someone([paid(null, '2026-11-02'), paid(0, '2026-10-02')]);
    await service.settle();
    expect((await earnings(rich)).body.attested.gross).toBe(1e15 + 0.01);
    expect(await figuresOf(service, rich)).toEqual(await figuresOf(service, poor));
  });

  test('their credential attests the window and names neither the subject nor a platform', async () => {
    const [of, other] = [await someone([paid(10, '2026-11-02')]), await someone([paid(20, '2026-10-03')])];
    await link(service, of, other);
    const { status, body } = await issue(of, '?months=2');
    expect(status).toBe(201);
    const { payload } = decoded(body.credential);
    const { userId: _, months, platforms, ...rest } = (await earnings(of, '?months=2')).body;
    const published = platforms.map(({ self: _, name: __, ...share }: Record<string, unknown>) => share);
    const { record, asOf } = payload.credentialSubject;
    expect(asOf).toBe(NOW.toISOString());
    expect(record).toMatchObject({ ...rest, platforms: published });
    expect(record.months).toHaveLength(months.length);
    for (const { platform, userId } of [of, other]) {
      const ids = [platform.id, userId, subjectIdOf(platform.id, true, userId)];
      for (const secret of [...ids, '"self"', '"name"'])
        expect(JSON.stringify(payload)).not.toContain(secret);
    }
  });
});
