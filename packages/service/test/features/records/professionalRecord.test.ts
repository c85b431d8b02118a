import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { startTestService, type TestService } from '#harness/service.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import { settledLog } from '../../ledger/log/logDeps.js';
import { decoded, mint, SHARING_BASE, SHARING_ENV, verify } from '../sharing/sharingFixtures.js';
import { type Alias, alias, ask, link, reportOf, scoreOf, unlink } from '../subjects/linkFixtures.js';

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
  const issue = async (of: Alias) => (await ask(service, of, 'POST', '/professional-record/credential')).body;

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

  test('unconfirmed outcomes add neither depth nor tenure, and without outcomes there is no depth', async () => {
    const verifiedByClass = { positive: 0, breach: 0, contested: 0 };
    const none = { verifiedOutcomes: 0, verifiedByClass, verifiedPlatforms: 0, tenure: null };
    const unconfirmed = await someone([done('2001-01-01', self), done('2026-01-01', self)]);
    const shallow = { ...none, confidence: 0, totalOutcomes: 2, verificationDepth: 0 };
    expect(await recordOf(unconfirmed)).toMatchObject(shallow);
    const idle = await someone([done('2026-01-01', { eventType: 'TRANSACTION_CANCELLED' })]);
    const empty = { ...none, finalScore: 20, totalOutcomes: 0, verificationDepth: null };
    expect(await recordOf(idle)).toMatchObject(empty);
  });

  test('has no figures before the first score', async () => {
    const of = await someone([done('2026-01-01')]);
    const subjectId = subjectIdOf(of.platform.id, true, of.userId);
    await service.db.execute('delete from score where subject_id = $1', [subjectId]);
    const { userId, frozen, registeredAt, professionalRecordVersion, ...figures } = await recordOf(of);
    expect([userId, frozen, registeredAt]).toEqual([of.userId, false, NOW.toISOString()]);
    expect(professionalRecordVersion).toBe('1.1');
    expect(new Set(Object.values(figures))).toEqual(new Set([null]));
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

  test('the credential attests the record as its platform reads it', async () => {
    const of = await someone([done('2026-01-01')]);
    const { credential, verifyUrl: id } = await issue(of);
    const { userId: _, ...record } = await recordOf(of);
    const subject = { id, formulaVersion: '5.3', asOf: record.computedAt, record };
    expect(decoded(credential).payload.credentialSubject).toEqual(subject);
  });

  test('the credential has a link that adds it to a LinkedIn profile and points at the shared record', async () => {
    const { shareToken, verifyUrl, linkedin } = await issue(await someone([done('2026-01-01')]));
    const { addToProfileUrl, ...entry } = linkedin;
    const url = new URL(addToProfileUrl);
    const { startTask, ...shown } = Object.fromEntries(url.searchParams);
    expect(url.origin + url.pathname).toBe('https://www.linkedin.com/profile/add');
    expect(addToProfileUrl).not.toContain('+');
    expect(startTask).toBe('CERTIFICATION_NAME');
    expect(verifyUrl).toBe(`${SHARING_BASE}/verify/${shareToken}`);
    expect(entry).toEqual({
      name: 'Verified professional record',
      organizationName: 'Reliability score service',
      issueYear: 2026,
      issueMonth: 11,
      certUrl: verifyUrl,
      certId: shareToken,
    });
    expect(shown).toEqual({ ...entry, issueYear: '2026', issueMonth: '11' });
    expect((await verify(service, shareToken)).status).toBe(200);
  });

  test('a reader of the share token gets it if the subject consented, and without any id', async () => {
    const of = await someone([done('2026-01-01')]);
    await settledLog(service.db); // the place in the log is part of the answer
    const token = await mint(service, of, { includeProfile: true });
    const { userId: _, ...record } = await recordOf(of);
    const profile = await verify(service, token, { query: '?profile=1' });
    expect(profile.body.profile).toEqual(record);
    expect(profile.text).not.toContain(of.userId);
    for (const query of ['', '?profile=0']) {
      expect((await verify(service, token, { query })).body).not.toHaveProperty('profile');
    }
    const headers = { 'If-None-Match': profile.headers.get('etag') ?? '' };
    expect((await verify(service, token, { query: '?profile=1', headers })).status).toBe(304);
    await mint(service, of, { includeProfile: false });
    expect((await verify(service, token, { query: '?profile=1' })).body.profile).toBeNull();
  });
});
