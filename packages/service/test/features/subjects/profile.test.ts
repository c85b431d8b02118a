import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import { outcome, report } from '../intake/eventFixtures.js';
import { DAY_MS, movableClock, newPlatform, UNKNOWN_ID } from '../tenancy/keyFixtures.js';
import { qualification, verified } from './profileFixtures.js';

const WORK = { title: 'Private work', url: 'https://work.example' };

describe.each(breadth)('the profile on %s', (engine) => {
  const clock = movableClock();
  const service = givenService(engine, { clock });
  const path = (userId: string, rest: string) => `/users/${encodeURIComponent(userId)}/${rest}`;
  const post = (userId: string, rest: string, body: unknown, key?: string) =>
    service.request('POST', path(userId, rest), { key, body });
  const get = (userId: string, rest: string, key?: string) =>
    service.request('GET', path(userId, rest), { key });
  const profileOf = async (userId: string, key?: string) => (await get(userId, 'verified-profile', key)).body;
  /** Creates the subject with an event. */
  const known = async (userId: string, key?: string) => {
    await report(service, outcome({ userId }), { key });
    return userId;
  };

  describe('a qualification', () => {
    test('is recorded and listed as it was reported', async () => {
      const userId = await known('Qualified #1');
      const reported = {
        eventType: 'CERTIFICATION_VERIFIED',
        title: 'Gas safety engineer',
        issuer: 'Northern Trades Board',
        issuedAt: '2025-06-01',
        expiresAt: '2028-06-01T12:00:00+02:00',
        url: 'https://register.example/engineers/20817?x="<b>',
        isVerified: true,
        verifiedBy: 'northern-trades-board',
      };
      const ignored = { score: 100, id: UNKNOWN_ID, referenceId: UNKNOWN_ID };
      const answer = await post(userId, 'qualifications', { ...reported, ...ignored });
      expect(answer.status).toBe(201);
      const { warnings, ...recorded } = answer.body;
      expect(warnings).toEqual([]);
      expect(recorded).toEqual({
        ...reported,
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        userId,
        kind: 'certification',
        description: null,
        startDate: null,
        endDate: null,
        issuedAt: '2025-06-01T00:00:00.000Z',
        expiresAt: '2028-06-01T10:00:00.000Z',
        referenceId: null,
        createdAt: expect.any(String),
      });
      expect(recorded.id).not.toBe(UNKNOWN_ID);
      const page = { qualifications: [recorded], nextCursor: null };
      expect((await get(userId, 'qualifications')).body).toEqual(page);
    });

    test.each([
      ['EDUCATION_VERIFIED', 'education'],
      ['SKILL_VERIFIED', 'skill'],
      ['EMPLOYMENT_VERIFIED', 'employment'],
    ])(
      'may be of type %s, and is self-reported by default, even if a verifier is named',
      async (eventType, kind) => {
        const userId = await known('of-each-type');
        for (const more of [{}, { verifiedBy: 'somebody' }, { isVerified: false, verifiedBy: 'somebody' }]) {
          const { body } = await post(userId, 'qualifications', qualification({ eventType, ...more }));
          expect(body).toMatchObject({ kind, isVerified: false, warnings: [] });
        }
      },
    );

    test('is downgraded with a warning if nobody verifies it', async () => {
      const userId = await known('unproven');
      const warnings = [{ code: 'VERIFICATION_DOWNGRADED', message: expect.any(String) }];
      for (const verifiedBy of [undefined, null, ' \t ']) {
        const { body } = await post(userId, 'qualifications', verified({ verifiedBy }));
        expect(body).toMatchObject({ isVerified: false, verifiedBy: verifiedBy ?? null, warnings });
      }
    });

    test.each([
      [{ title: 'a\u0000b' }, 'title', 'invalid_format'],
      [{ issuedAt: '2025-02-30' }, 'issuedAt', 'invalid_format'],
      [{ issuedAt: '2025-06-01T10:00:00' }, 'issuedAt', 'invalid_format'],
      [{ issuedAt: '2025-06-02', expiresAt: '2025-06-01' }, 'expiresAt', 'custom'],
      [{ url: 'javascript:alert(1)' }, 'url', 'invalid_format'],
    ])('is refused: %j', async (more, at, code) => {
      const answer = await post(await known('refused'), 'qualifications', qualification(more));
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path: at, code }] });
    });

    test('accepts null for unknown values', async () => {
      const nulls = { issuer: null, issuedAt: null, expiresAt: null, url: null };
      const body = qualification({ ...nulls, isVerified: null });
      const answer = await post(await known('of-nulls'), 'qualifications', body);
      expect(answer.body).toMatchObject({ ...nulls, isVerified: false });
    });

    test('changes no score, no total and no part of the ledger, and neither does a project', async () => {
      const userId = await known('unmoved');
      await report(service, outcome({ userId, isVerified: true, completedAt: '2026-01-01T00:00:00Z' }));
      await service.settle();
      const reads = ['score', 'score/history', 'score/explain', 'score/components', 'reliability']
        .concat(['timeline', 'platforms', 'risk'])
        .map((read) => `/users/${userId}/${read}`)
        .concat(['/users?limit=100', '/users/summary', '/events/export', '/analytics/events']);
      const everything = async () => {
        const answers = await Promise.all(reads.map((read) => service.request('GET', read)));
        return answers.map(({ status, body }) => [status, body]);
      };
      const before = await everything();
      for (const eventType of ['EDUCATION_VERIFIED', 'EMPLOYMENT_VERIFIED'])
        for (const title of ['1', '2', '3', '4', '5'])
          await post(userId, 'qualifications', verified({ eventType, title }));
      await post(userId, 'projects', WORK);
      await service.settle();
      expect(await everything()).toEqual(before);
    });
  });

  describe('a project', () => {
    test('is added, listed and deleted', async () => {
      const userId = await known('projector');
      const body = {
        title: 'Kitchens of 2025',
        url: 'http://portfolio.example:8080/kitchens#top',
        description: '<script>alert(1)</script>',
        startedAt: '2025-01-15',
        completedAt: '2025-11-30T10:00:00Z',
      };
      const made = await post(userId, 'projects', body);
      expect(made.status).toBe(201);
      expect(made.body).toEqual({
        id: expect.any(String),
        userId,
        ...body,
        startedAt: '2025-01-15T00:00:00.000Z',
        completedAt: '2025-11-30T10:00:00.000Z',
        createdAt: expect.any(String),
      });
      expect((await get(userId, 'projects')).body).toEqual({ projects: [made.body], nextCursor: null });
      const remove = () => service.request('DELETE', path(userId, `projects/${made.body.id}`));
      expect(await remove()).toMatchObject({ status: 204, text: '' });
      expect(await remove()).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
      expect((await get(userId, 'projects')).body.projects).toEqual([]);
    });

    test.each(['javascript:alert(1)', ' https://portfolio.example', 'https://portfolio.example/a\nb'])(
      'is refused with the link %j',
      async (url) => {
        const { status, body } = await post(await known('refused'), 'projects', { ...WORK, url });
        expect([status, body.details]).toMatchObject([400, [{ path: 'url', code: 'invalid_format' }]]);
      },
    );

    test('is refused if it ended before it began', async () => {
      const dates = { startedAt: '2025-06-02', completedAt: '2025-06-01' };
      const { status, body } = await post(await known('refused'), 'projects', { ...WORK, ...dates });
      expect([status, body.details]).toMatchObject([400, [{ path: 'completedAt', code: 'custom' }]]);
    });
  });

  describe('the verified profile', () => {
    test('counts each kind and lists verified qualifications, current or expired', async () => {
      const userId = await known('profiled');
      const add = async (body: object) => (await post(userId, 'qualifications', body)).body;
      const expiresAt = new Date(clock.now().getTime() + DAY_MS).toISOString();
      const job = { eventType: 'EMPLOYMENT_VERIFIED', title: 'Fitter', issuer: 'Joinery', expiresAt };
      const skilled = await add(verified({ title: 'Tiling', expiresAt: '2020-01-01' }));
      const employed = await add(verified(job));
      await add(qualification({ title: 'Plumbing' }));
      await add(qualification({ title: 'Wiring', expiresAt: '2020-01-01' }));
      await add(verified({ eventType: 'EDUCATION_VERIFIED', verifiedBy: userId }));
      await post(userId, 'projects', WORK);
      const { body, text } = await get(userId, 'verified-profile');
      const listed = (recorded: typeof skilled, status: string) => {
        const { userId: _, warnings, isVerified, description, referenceId, createdAt, ...rest } = recorded;
        return { ...rest, recordedAt: createdAt, status };
      };
      expect(body).toEqual({
        userId,
        verifiedProfileVersion: '1.0',
        asOf: expect.any(String),
        total: { verified: 2, expired: 1, selfReported: 3 },
        kinds: {
          employment: { verified: 1, expired: 0, selfReported: 0 },
          education: { verified: 0, expired: 0, selfReported: 1 },
          certification: { verified: 0, expired: 0, selfReported: 0 },
          skill: { verified: 1, expired: 1, selfReported: 2 },
        },
        qualifications: [listed(employed, 'current'), listed(skilled, 'expired')],
        truncated: false,
        projects: 1,
        disclosures: expect.arrayContaining([expect.stringContaining('never moves')]),
      });
      expect(text).not.toMatch(/Plumbing|Wiring|Private work|work\.example/);
      clock.aheadMs = DAY_MS;
      const later = await profileOf(userId);
      clock.aheadMs = 0;
      expect(later.total).toEqual({ verified: 2, expired: 2, selfReported: 3 });
      expect(later.qualifications).toMatchObject([{ status: 'expired' }, { status: 'expired' }]);
    });

    test('of a subject without qualifications has only zeros', async () => {
      const total = { verified: 0, expired: 0, selfReported: 0 };
      const expected = { total, qualifications: [], projects: 0, truncated: false };
      expect(await profileOf(await known('blank'))).toMatchObject(expected);
    });

    test('lists a hundred at most and counts them all', async () => {
      const userId = await known('well-read');
      for (let round = 0; round < 101; round += 20) {
        const count = Math.min(20, 101 - round);
        await Promise.all(Array.from({ length: count }, () => post(userId, 'qualifications', verified())));
      }
      const { qualifications, ...rest } = await profileOf(userId);
      expect(qualifications).toHaveLength(100);
      expect(rest).toMatchObject({ truncated: true, total: { verified: 101 } });
    });
  });

  test('test subjects have their own profile, which a reset deletes', async () => {
    const { live, test: inTest } = await newPlatform(service);
    const { key } = inTest;
    for (const each of [live.key, key]) {
      await known('twin', each);
      await post('twin', 'qualifications', verified(), each);
    }
    await post('twin', 'projects', WORK, key);
    await service.request('DELETE', '/test/data', { key });
    expect((await profileOf('twin', key)).code).toBe('USER_NOT_FOUND');
    await known('twin', key);
    const none = { total: { verified: 0, selfReported: 0 }, projects: 0 };
    expect(await profileOf('twin', key)).toMatchObject(none);
    expect((await profileOf('twin', live.key)).total.verified).toBe(1);
  });

  test('a reset during a write leaves nothing behind', async () => {
    const platform = await newPlatform(service);
    const { key } = platform.test;
    for (let round = 0; round < 5; round += 1) {
      await known('tester', key);
      const [recorded, added, reset] = await Promise.all([
        post('tester', 'qualifications', verified(), key),
        post('tester', 'projects', WORK, key),
        service.request('DELETE', '/test/data', { key }),
      ]);
      expect([201, 404]).toContain(recorded.status);
      expect([201, 404]).toContain(added.status);
      expect(reset.status).toBe(200);
      const left = await service.db.query(
        `select platform_id from qualification where platform_id = $1
         union all select platform_id from project where platform_id = $1`,
        [platform.platformId],
      );
      expect(left).toEqual([]);
    }
  });
});
