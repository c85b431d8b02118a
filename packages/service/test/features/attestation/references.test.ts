import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { joinTestService, type TestService } from '#harness/service.js';
import { outcome, report } from '../intake/eventFixtures.js';
import { ask, asked, known, reference, respond } from '../subjects/profileFixtures.js';
import { kinds } from './attestationFixtures.js';

const CLAIM = kinds[1].fields.full.claim as Record<string, unknown>;

/** What `attestations.test.ts` does not say of both kinds. */
describe.each(breadth)('references on %s', (engine) => {
  let service: TestService;
  beforeAll(async () => {
    service = await joinTestService(engine);
  });
  afterAll(() => service.close());

  test('an unknown subject is refused, and nothing is stored', async () => {
    const body = reference({ userId: 'of-nobody' });
    for (const key of [service.liveKey, service.testKey]) {
      const { status, body: error } = await service.request('POST', '/references', { key, body });
      expect([status, error.code]).toEqual([404, 'USER_NOT_FOUND']);
      const list = await service.request('GET', '/references?userId=of-nobody', { key });
      expect(list.body.references).toEqual([]);
    }
    await known(service, 'of-nobody', { key: service.testKey });
    expect((await service.request('POST', '/references', { body })).status).toBe(404);
    const registered = { userId: 'registered', business: { legalName: 'Mill Lane Joinery Ltd' } };
    await service.request('POST', '/businesses', { body: registered });
    const about = reference({ userId: 'registered' });
    expect((await service.request('POST', '/references', { body: about })).status).toBe(201);
  });

  test('a claim that ends before its start is refused', async () => {
    const { status, body } = await ask(service, { claim: { ...CLAIM, endDate: '2022-03-31' } });
    expect([status, body.details]).toMatchObject([400, [{ path: 'claim.endDate', code: 'custom' }]]);
  });

  test('a yes records a verified qualification, word for word', async () => {
    const userId = 'vouched-for';
    await report(service, outcome({ userId }));
    const made = await asked(service, { userId, claim: CLAIM });
    const { qualificationId } = (await respond(service, made)).body;
    const { organization, ...claimed } = CLAIM;
    const read = await service.request('GET', `/users/${userId}/qualifications`);
    expect(read.body.qualifications).toEqual([
      {
        ...claimed,
        id: qualificationId,
        userId,
        eventType: 'EMPLOYMENT_VERIFIED',
        issuer: organization,
        issuedAt: null,
        expiresAt: null,
        url: null,
        isVerified: true,
        verifiedBy: 'employer-1',
        referenceId: made.id,
        createdAt: expect.any(String),
      },
    ]);
    const profile = (await service.request('GET', `/users/${userId}/verified-profile`)).body;
    expect(profile.kinds.employment).toEqual({ verified: 1, expired: 0, selfReported: 0 });
  });

  test('no answer changes a score or writes an event', async () => {
    const userId = 'scored';
    await known(service, userId);
    await report(service, outcome({ userId, isVerified: true, completedAt: '2026-01-01T00:00:00Z' }));
    await service.settle();
    const everything = async () => {
      await service.settle();
      const paths = [
        `/users/${userId}/score`,
        `/users/${userId}/timeline`,
        '/users/summary',
        '/events/export',
      ];
      return Promise.all(paths.map(async (path) => (await service.request('GET', path)).body));
    };
    const before = await everything();
    await respond(service, await asked(service, { userId }));
    expect(await everything()).toEqual(before);
  });
});
