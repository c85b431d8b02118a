import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { joinTestService, startTestService, type TestService } from '#harness/service.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import { settledLog } from '../../ledger/log/logDeps.js';
import { alias, link, reportOf, scoreOf, unlink } from '../subjects/linkFixtures.js';
import { mint, SHARING_ENV, verify, withdraw } from './sharingFixtures.js';

const good = { eventType: 'CONTRACT_FULFILLED', isVerified: true };
const said = { eventType: 'CONTRACT_FULFILLED' };

describe.each(breadth)('what a share token opens on %s', (engine) => {
  let service: TestService;
  let count = 0;

  beforeAll(async () => {
    service = await joinTestService(engine, SHARING_ENV);
  });
  afterAll(() => service.close());

  const someone = async (events: readonly object[] = [good, said]) => {
    const of = await alias(service, `shown-${++count}`, events);
    await service.settle();
    await settledLog(service.db);
    return of;
  };

  test('has the figures of the score and nothing that identifies the subject', async () => {
    const of = await someone();
    const token = await mint(service, of);
    const { status, headers, body, text } = await verify(service, token);
    const figures = await scoreOf(service, of);
    expect(status).toBe(200);
    expect(body).toEqual({
      token,
      finalScore: figures.finalScore,
      scoreBand: figures.scoreBand,
      confidence: figures.confidence,
      verifiedPlatforms: 1,
      totalEvents: 2,
      verifiedEvents: 1,
      frozen: false,
      formulaVersion: '5.3',
      computedAt: figures.computedAt,
      registeredAt: expect.stringMatching(/Z$/),
      tenureDays: 0,
      concentration: {
        verifiedOutcomes: 1,
        onPlatformWord: 1,
        distinctAttesters: 1,
        largestAttesterOutcomes: 1,
        largestAttesterIsPlatform: true,
        largestAttesterShare: 1,
        herfindahlIndex: 1,
        cappedScore: figures.finalScore,
        cappedScoreBand: figures.scoreBand,
      },
      log: expect.objectContaining({ since: expect.stringMatching(/Z$/) }),
    });
    const { platform, userId } = of;
    const secrets = [userId, platform.id, platform.live.id, subjectIdOf(platform.id, true, userId)];
    for (const secret of secrets) expect(text).not.toContain(secret);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('cache-control')).toBe('public, no-cache');
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  test('follows the score and answers 304 to a current copy', async () => {
    const of = await someone();
    const token = await mint(service, of);
    const first = await verify(service, token);
    const etag = first.headers.get('etag') ?? '';
    const cached = () => verify(service, token, { headers: { 'If-None-Match': etag } });
    const again = await cached();
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
    expect((await verify(service, token, { headers: { 'If-None-Match': '"another"' } })).status).toBe(200);
    await reportOf(service, of, good);
    await service.settle();
    const changed = await cached();
    expect(changed.status).toBe(200);
    expect(changed.body.totalEvents).toBe(3);
    await withdraw(service, of);
    expect((await cached()).status).toBe(404);
  });

  test('has only null figures before the first score', async () => {
    const of = await someone();
    const token = await mint(service, of);
    await service.db.execute('delete from score where subject_id = $1', [
      subjectIdOf(of.platform.id, true, of.userId),
    ]);
    const { body } = await verify(service, token);
    const { token: asked, frozen, registeredAt, tenureDays, ...figures } = body;
    expect([asked, frozen, tenureDays]).toEqual([token, false, 0]);
    expect(registeredAt).toMatch(/Z$/);
    expect(new Set(Object.values(figures))).toEqual(new Set([null]));
  });

  test('counts no platform with self-reported outcomes only as verified', async () => {
    const token = await mint(service, await someone([said, said]));
    expect((await verify(service, token)).body).toMatchObject({ verifiedPlatforms: 0, totalEvents: 2 });
  });

  test('follows the subject into another record', async () => {
    const [one, other, third] = [await someone([good]), await someone([good, good]), await someone([said])];
    const token = await mint(service, one);
    expect((await verify(service, token)).body.totalEvents).toBe(1);
    await link(service, one, other);
    await link(service, third, other);
    await service.settle();
    const linked = { verifiedPlatforms: 2, totalEvents: 4, verifiedEvents: 3 };
    expect((await verify(service, token)).body).toMatchObject(linked);
    const theirs = await mint(service, other);
    const both = await Promise.all([verify(service, token), verify(service, theirs)]);
    for (const { body } of both) expect(body).toMatchObject(linked);
    const parties = { verifiedOutcomes: 3, distinctAttesters: 2, largestAttesterOutcomes: 2 };
    expect((await verify(service, token)).body.concentration).toMatchObject(parties);
    await unlink(service, one);
    await service.settle();
    expect((await verify(service, token)).body).toMatchObject({ verifiedPlatforms: 1, totalEvents: 1 });
    expect((await verify(service, theirs)).body).toMatchObject({ verifiedPlatforms: 1, totalEvents: 3 });
  });

  test('an invalid token gets the same answer as a withdrawn one', async () => {
    const of = await someone();
    const token = await mint(service, of);
    await withdraw(service, of);
    const { requestId: _, ...gone } = (await verify(service, token)).body;
    expect(gone.code).toBe('NOT_FOUND');
    for (const wrong of [`st_${'A'.repeat(32)}`, 'st_', token.slice(0, -1), `${token}A`, 'x', '%E2%82%AC']) {
      const { status, body } = await verify(service, wrong);
      expect(status).toBe(404);
      expect({ ...body, requestId: undefined }).toEqual({ ...gone, requestId: undefined });
    }
  });

  test('concurrent reads each get their own record', async () => {
    const subjects = await Promise.all([1, 2, 3].map((events) => someone(Array(events).fill(good))));
    const tokens = await Promise.all(subjects.map((of) => mint(service, of)));
    const unknown = `st_${'B'.repeat(32)}`;
    const asked = Array.from({ length: 60 }, (_, index) => [...tokens, unknown][index % 4] ?? unknown);
    const answers = await Promise.all(asked.map((token) => verify(service, token)));
    answers.forEach(({ status, body }, index) => {
      const expected = index % 4 === 3 ? [404, undefined] : [200, (index % 4) + 1];
      expect([status, body.totalEvents]).toEqual(expected);
    });
  });

  test('a withdrawal applies in every process immediately', async () => {
    const second = await startTestService(engine, { env: { ...SHARING_ENV, ROLE: 'api' }, db: service.db });
    const of = await someone();
    const token = await mint(service, of);
    expect((await verify(second, token)).status).toBe(200);
    await withdraw(service, of);
    expect((await verify(second, token)).status).toBe(404);
    await second.close();
  });
});
