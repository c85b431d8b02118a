import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { DAY_MS, newPlatform, UNKNOWN_ID } from '../tenancy/keyFixtures.js';
import { alias, ask as askOfAlias, link } from './linkFixtures.js';
import { profileKit, qualification, verified } from './profileFixtures.js';

describe.each(breadth)('the profile on %s', (engine) => {
  const profiles = profileKit(engine);
  const { path, post, get, known } = profiles;

  describe('the verified profile', () => {
    test('counts each kind and lists verified qualifications, current or expired', async () => {
      const userId = await known('profiled');
      const add = async (body: object) => (await post(userId, 'qualifications', body)).body;
      const expiresAt = new Date(profiles.clock.now().getTime() + DAY_MS).toISOString();
      const skill = await add(verified({ title: 'Tiling', expiresAt: '2020-01-01' }));
      const job = await add(
        verified({ eventType: 'EMPLOYMENT_VERIFIED', title: 'Fitter', issuer: 'Joinery', expiresAt }),
      );
      await add(qualification({ title: 'Plumbing' }));
      await add(qualification({ title: 'Wiring', expiresAt: '2020-01-01' }));
      await add(qualification({ eventType: 'EDUCATION_VERIFIED', isVerified: true, verifiedBy: userId }));
      await post(userId, 'projects', { title: 'Private work', url: 'https://work.example' });
      const answer = await get(userId, 'verified-profile');
      expect(answer.status).toBe(200);
      const listed = ({
        id,
        kind,
        eventType,
        title,
        issuer,
        issuedAt,
        expiresAt: end,
        ...rest
      }: typeof job) => ({
        id,
        kind,
        eventType,
        title,
        issuer,
        startDate: null,
        endDate: null,
        issuedAt,
        expiresAt: end,
        url: null,
        verifiedBy: 'trade-school',
        recordedAt: rest.createdAt,
      });
      expect(answer.body).toEqual({
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
        qualifications: [
          { ...listed(job), status: 'current' },
          { ...listed(skill), status: 'expired' },
        ],
        truncated: false,
        projects: 1,
        disclosures: expect.arrayContaining([expect.stringContaining('never moves')]),
      });
      expect(answer.text).not.toMatch(/Plumbing|Wiring|Private work|work\.example/);
      profiles.clock.aheadMs = DAY_MS;
      const later = (await get(userId, 'verified-profile')).body;
      profiles.clock.aheadMs = 0;
      expect(later.total).toEqual({ verified: 2, expired: 2, selfReported: 3 });
      expect(later.qualifications.map(({ status }: { status: string }) => status)).toEqual([
        'expired',
        'expired',
      ]);
    });

    test('of a subject without qualifications has only zeros', async () => {
      const userId = await known('blank');
      const { body } = await get(userId, 'verified-profile');
      expect(body.total).toEqual({ verified: 0, expired: 0, selfReported: 0 });
      expect([body.qualifications, body.projects, body.truncated]).toEqual([[], 0, false]);
    });

    test('lists a hundred at most and counts them all', async () => {
      const userId = await known('well-read');
      for (let round = 0; round < 101; round += 20) {
        const count = Math.min(20, 101 - round);
        await Promise.all(Array.from({ length: count }, () => post(userId, 'qualifications', verified())));
      }
      const { body } = await get(userId, 'verified-profile');
      expect([body.qualifications.length, body.truncated, body.total.verified]).toEqual([100, true, 101]);
    });
  });

  test('an unknown subject has no profile', async () => {
    const calls: [string, string, object?][] = [
      ['POST', 'qualifications', qualification()],
      ['GET', 'qualifications'],
      ['POST', 'projects', { title: 'Work', url: 'https://work.example' }],
      ['GET', 'projects'],
      ['DELETE', `projects/${UNKNOWN_ID}`],
      ['GET', 'verified-profile'],
    ];
    for (const [method, rest, body] of calls) {
      const answer = await profiles.service.request(method, path('of-nobody', rest), { body });
      expect([rest, answer.status, answer.body.code]).toEqual([rest, 404, 'USER_NOT_FOUND']);
    }
  });

  test('a platform sees only its own entries of linked subjects', async () => {
    const [host, joining] = [
      await alias(profiles.service, 'host', [{ isVerified: true }]),
      await alias(profiles.service, 'joining', [{ isVerified: true }]),
    ];
    await askOfAlias(profiles.service, host, 'POST', '/qualifications', {
      body: verified({ title: 'Of the host' }),
    });
    expect((await link(profiles.service, joining, host)).status).toBe(201);
    await askOfAlias(profiles.service, joining, 'POST', '/qualifications', {
      body: verified({ title: 'Own' }),
    });
    const profile = await askOfAlias(profiles.service, joining, 'GET', '/verified-profile');
    expect(profile.body.total.verified).toBe(1);
    expect(profile.text).not.toContain('Of the host');
    const listed = await askOfAlias(profiles.service, host, 'GET', '/qualifications');
    expect(listed.body.qualifications.map(({ title }: { title: string }) => title)).toEqual(['Of the host']);
  });

  test('test subjects have their own profile, which a reset deletes', async () => {
    const platform = await newPlatform(profiles.service);
    const { key } = platform.test;
    await known('twin', platform.live.key);
    await known('twin', key);
    await post('twin', 'qualifications', verified(), { key: platform.live.key });
    await post('twin', 'qualifications', verified({ title: 'Of test' }), { key });
    await post('twin', 'projects', { title: 'Of test', url: 'https://work.example' }, { key });
    expect((await get('twin', 'qualifications', key)).body.qualifications).toHaveLength(1);
    await profiles.service.request('DELETE', '/test/data', { key });
    expect((await get('twin', 'verified-profile', key)).status).toBe(404);
    await known('twin', key);
    expect((await get('twin', 'verified-profile', key)).body).toMatchObject({
      total: { verified: 0, selfReported: 0 },
      projects: 0,
    });
    expect((await get('twin', 'verified-profile', platform.live.key)).body.total.verified).toBe(1);
  });

  test('a reset during a write leaves nothing behind', async () => {
    const platform = await newPlatform(profiles.service);
    const { key } = platform.test;
    for (let round = 0; round < 5; round += 1) {
      await known('tester', key);
      const [recorded, added, reset] = await Promise.all([
        post('tester', 'qualifications', verified(), { key }),
        post('tester', 'projects', { title: 'x', url: 'https://x.example' }, { key }),
        profiles.service.request('DELETE', '/test/data', { key }),
      ]);
      expect([201, 404]).toContain(recorded.status);
      expect([201, 404]).toContain(added.status);
      expect(reset.status).toBe(200);
      for (const table of ['qualification', 'project']) {
        const left = await profiles.service.db.query(`select 1 from ${table} where platform_id = $1`, [
          platform.platformId,
        ]);
        expect(left).toEqual([]);
      }
    }
  });
});
