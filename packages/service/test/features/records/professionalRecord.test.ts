import { verifyCredential } from 'did-jwt-vc';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { startTestService, type TestService } from '#harness/service.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import { settledLog } from '../../ledger/log/logDeps.js';
import {
  decoded,
  ISSUER_DID,
  mint,
  resolverOf,
  SHARING_BASE,
  SHARING_ENV,
  verify,
} from '../sharing/sharingFixtures.js';
import {
  type Alias,
  alias,
  ask,
  figuresOf,
  link,
  reportOf,
  scoreOf,
  unlink,
} from '../subjects/linkFixtures.js';

const NOW = new Date('2026-11-21T11:40:00.000Z');

const done = (day: string, more: object = {}) => {
  return { eventType: 'CONTRACT_FULFILLED', isVerified: true, completedAt: `${day}T23:00:00.000Z`, ...more };
};
const self = { isVerified: false };

describe.each(breadth)('professional records on %s', (engine) => {
  let service: TestService;
  let count = 0;

  beforeAll(async () => {
    service = await startTestService(engine, { env: SHARING_ENV, clock: { now: () => NOW } });
  });
  afterAll(() => service.close());

  const someone = async (events: readonly object[]) => {
    const of = await alias(service, `professional-${++count}`, events);
    await service.settle();
    return of;
  };
  const recordOf = async (of: Alias) => (await ask(service, of, 'GET', '/professional-record')).body;
  const issue = (of: Alias, query = '', options: object = {}) =>
    ask(service, of, 'POST', `/professional-record/credential${query}`, options);

  test('a record has its score and the evidence for it', async () => {
    const of = await someone([
      done('2024-05-14'),
      done('2026-02-01', { eventType: 'TRANSACTION_COMPLETED' }),
      done('2026-03-01', { eventType: 'CONTRACT_BREACHED' }),
      done('2026-03-02', { eventType: 'TRANSACTION_DISPUTED' }),
      done('2026-03-03', { eventType: 'TRANSACTION_CANCELLED' }),
      done('2001-01-01', self),
      done('2026-11-20', self),
    ]);
    const { finalScore, scoreBand, confidence, computedAt } = await scoreOf(service, of);
    expect(await recordOf(of)).toEqual({
      userId: of.userId,
      finalScore,
      scoreBand,
      confidence,
      frozen: false,
      verifiedOutcomes: 4,
      verifiedByClass: { positive: 2, breach: 1, contested: 1 },
      totalOutcomes: 6,
      verificationDepth: 0.6667,
      verifiedPlatforms: 1,
      tenure: { firstOutcomeOn: '2024-05-14', lastOutcomeOn: '2026-03-02', days: 657 },
      registeredAt: NOW.toISOString(),
      formulaVersion: '5.3',
      computedAt,
      professionalRecordVersion: '1.1',
    });
  });

  test('unconfirmed outcomes add neither depth nor tenure', async () => {
    const of = await someone([done('2001-01-01', self), done('2026-01-01', self)]);
    expect(await recordOf(of)).toMatchObject({
      confidence: 0,
      verifiedOutcomes: 0,
      verifiedByClass: { positive: 0, breach: 0, contested: 0 },
      totalOutcomes: 2,
      verificationDepth: 0,
      verifiedPlatforms: 0,
      tenure: null,
    });
  });

  test('has no depth without outcomes and no score figures before the first score', async () => {
    const of = await someone([done('2026-01-01', { eventType: 'TRANSACTION_CANCELLED' })]);
    expect(await recordOf(of)).toMatchObject({
      finalScore: 20,
      totalOutcomes: 0,
      verificationDepth: null,
      verifiedPlatforms: 0,
      tenure: null,
    });
    const subjectId = subjectIdOf(of.platform.id, true, of.userId);
    await service.db.execute('delete from score where subject_id = $1', [subjectId]);
    expect(await recordOf(of)).toEqual({
      userId: of.userId,
      finalScore: null,
      scoreBand: null,
      confidence: null,
      frozen: false,
      verifiedOutcomes: null,
      verifiedByClass: null,
      totalOutcomes: null,
      verificationDepth: null,
      verifiedPlatforms: null,
      tenure: null,
      registeredAt: NOW.toISOString(),
      formulaVersion: null,
      computedAt: null,
      professionalRecordVersion: '1.1',
    });
  });

  test('a dispute filing counts until it is closed, then its outcome counts', async () => {
    const of = await someone([done('2026-01-01')]);
    const { body } = await reportOf(service, of, done('2026-02-01', { eventType: 'CONTRACT_BREACHED' }));
    const key = of.platform.live.key;
    const dispute = await service.request('POST', '/disputes', { key, body: { eventId: body.eventId } });
    await service.settle();
    expect((await recordOf(of)).verifiedByClass).toEqual({ positive: 1, breach: 1, contested: 1 });
    const resolved = await service.request('PATCH', `/disputes/${dispute.body.id}/resolve`, { key });
    expect(resolved.status).toBe(200);
    await service.settle();
    expect((await recordOf(of)).verifiedByClass).toEqual({ positive: 1, breach: 2, contested: 0 });
  });

  test('a linked subject shows its whole record and no other id', async () => {
    const [one, other, third] = [
      await someone([done('2026-01-01')]),
      await someone([done('2025-01-01'), done('2026-06-01')]),
      await someone([done('2026-01-01', self)]),
    ];
    await link(service, one, other);
    await link(service, third, other);
    await service.settle();
    const whole = {
      verifiedOutcomes: 3,
      totalOutcomes: 4,
      verificationDepth: 0.75,
      verifiedPlatforms: 2,
      tenure: { firstOutcomeOn: '2025-01-01', lastOutcomeOn: '2026-06-01', days: 516 },
    };
    for (const of of [one, other, third]) {
      const body = await recordOf(of);
      expect(body).toMatchObject({ userId: of.userId, ...whole });
      for (const { platform, userId } of [one, other, third].filter((alias) => alias !== of)) {
        for (const secret of [platform.id, userId]) expect(JSON.stringify(body)).not.toContain(secret);
      }
    }
    await unlink(service, one);
    await service.settle();
    expect(await recordOf(one)).toMatchObject({
      verifiedOutcomes: 1,
      verifiedPlatforms: 1,
      tenure: { days: 0 },
    });
  });

  describe('the credential', () => {
    test.each(['', 'format=vc1'])(
      'verifies in another library with the published key (%s)',
      async (format) => {
        const of = await someone([done('2026-01-01')]);
        const { status, body } = await issue(of, `?ttl=86400&${format}`);
        expect(status).toBe(201);
        const policies = { format: format !== '', now: Math.floor(NOW.getTime() / 1000) };
        const checked = await verifyCredential(body.credential, resolverOf(service), { policies });
        expect(checked.issuer).toBe(ISSUER_DID);
        const { vc = checked.payload } = checked.payload;
        const { userId, ...record } = await recordOf(of);
        expect(vc.type).toEqual(['VerifiableCredential', 'ServiceProfessionalRecordCredential']);
        expect(vc.credentialSubject).toEqual({
          id: body.verifyUrl,
          formulaVersion: '5.3',
          asOf: record.computedAt,
          record,
        });
        expect(JSON.stringify(decoded(body.credential).payload)).not.toContain(userId);
      },
    );

    test('is the same within its hour while the record is unchanged', async () => {
      const of = await someone([done('2026-01-01')]);
      await settledLog(service.db); // from then on the credential has its place in the log
      const first = (await issue(of)).body.credential;
      expect((await issue(of)).body.credential).toBe(first);
      await reportOf(service, of, done('2026-02-01'));
      await service.settle();
      expect((await issue(of)).body.credential).not.toBe(first);
    });

    test('comes with a link that adds it to a LinkedIn profile and points at the shared record', async () => {
      const of = await someone([done('2026-01-01')]);
      const { body } = await issue(of);
      const { addToProfileUrl, ...entry } = body.linkedin;
      const url = new URL(addToProfileUrl);
      expect(url.origin + url.pathname).toBe('https://www.linkedin.com/profile/add');
      expect(addToProfileUrl).not.toContain('+');
      expect(Object.fromEntries(url.searchParams)).toEqual({
        startTask: 'CERTIFICATION_NAME',
        name: 'Verified professional record',
        organizationName: 'Reliability score service',
        issueYear: '2026',
        issueMonth: '11',
        certUrl: `${SHARING_BASE}/verify/${body.shareToken}`,
        certId: body.shareToken,
      });
      expect(entry).toEqual({
        name: url.searchParams.get('name'),
        organizationName: url.searchParams.get('organizationName'),
        issueYear: 2026,
        issueMonth: 11,
        certUrl: body.verifyUrl,
        certId: body.shareToken,
      });
      const [, token = ''] = new URL(entry.certUrl).pathname.split('/verify/');
      expect((await verify(service, token)).status).toBe(200);
    });

    test('belongs to the share token of the subject', async () => {
      const of = await someone([done('2026-01-01')]);
      const token = await mint(service, of);
      expect((await issue(of)).body.shareToken).toBe(token);
      expect((await issue(of, '?ttl=59')).body.code).toBe('VALIDATION_ERROR');
    });

    test('changes no score', async () => {
      const of = await someone([done('2026-01-01')]);
      const before = await figuresOf(service, of);
      await issue(of);
      await recordOf(of);
      await service.settle();
      expect(await figuresOf(service, of)).toEqual(before);
    });
  });

  describe('on the page of a share token', () => {
    test('shows the profile if the subject consented', async () => {
      const of = await someone([done('2026-01-01')]);
      const token = await mint(service, of, { includeProfile: true });
      const { userId: _, ...record } = await recordOf(of);
      const profile = await verify(service, token, { query: '?profile=1' });
      expect(profile.body.profile).toEqual(record);
      expect(profile.text).not.toContain(of.userId);
      expect((await verify(service, token)).body).not.toHaveProperty('profile');
      const headers = { 'If-None-Match': profile.headers.get('etag') ?? '' };
      expect((await verify(service, token, { query: '?profile=1', headers })).status).toBe(304);
      await mint(service, of, { includeProfile: false });
      expect((await verify(service, token, { query: '?profile=1' })).body.profile).toBeNull();
    });
  });
});
