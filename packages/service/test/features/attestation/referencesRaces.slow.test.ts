import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engines } from '#harness/engines.js';
import { startTestService, type TestService } from '#harness/service.js';
import { untilServed } from '#harness/untilServed.js';
import { asked, respond } from '../subjects/profileFixtures.js';
import { HOUR_MS, movableClock, newPlatform } from '../tenancy/keyFixtures.js';

describe.each(engines)('simultaneous acts on references, on %s', (engine) => {
  let service: TestService;
  const clock = movableClock();
  const read = async (id: string) => (await service.request('GET', `/references/${id}`)).body;
  const recorded = async (referenceId: string) =>
    (await service.db.query('select 1 from qualification where reference_id = $1', [referenceId])).length;

  beforeAll(async () => {
    service = await startTestService(engine, { clock });
  });
  afterAll(() => service.close());

  test.each([
    ['confirmations', () => 'confirm', 1],
    ['refusals', () => 'decline', 0],
  ])('of fifty %s exactly one counts', async (_, decisionAt, qualifications) => {
    const made = await asked(service);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => untilServed(() => respond(service, made, decisionAt()))),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused).toHaveLength(49);
    expect(new Set(refused.map(({ body }) => body.code))).toEqual(new Set(['REFERENCE_NOT_PENDING']));
    expect(await recorded(made.id)).toBe(qualifications);
  });

  test('of fifty answers that disagree one counts, and it is the stored one', async () => {
    for (let round = 0; round < 3; round += 1) {
      const made = await asked(service);
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          untilServed(() => respond(service, made, (index + round) % 2 ? 'confirm' : 'decline')),
        ),
      );
      const won = answers.filter(({ status }) => status === 200);
      expect(won).toHaveLength(1);
      const { status } = await read(made.id);
      expect(status).toBe(won[0]?.body.status);
      expect(await recorded(made.id)).toBe(status === 'CONFIRMED' ? 1 : 0);
    }
  });

  test('a reference cancelled while it is answered is one of the two', async () => {
    for (let round = 0; round < 10; round += 1) {
      const made = await asked(service);
      const calls = [
        () => respond(service, made),
        () => service.request('POST', `/references/${made.id}/cancel`),
      ];
      if (round % 2) calls.reverse();
      const answers = await Promise.all(calls.map((call) => call()));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      const { status } = await read(made.id);
      expect(['CONFIRMED', 'CANCELLED']).toContain(status);
      expect(await recorded(made.id)).toBe(status === 'CONFIRMED' ? 1 : 0);
    }
  });

  test('a reference swept while it is answered is one of the two', async () => {
    for (let round = 0; round < 10; round += 1) {
      const made = await asked(service, { expiresInHours: 1 });
      // The answer comes within the window, the sweep right after it.
      const answering = respond(service, made);
      clock.aheadMs = 1.01 * HOUR_MS;
      const sweeping = service.request('POST', '/admin/sweeps/expiry', { admin: true });
      const [answer] = await Promise.all([answering, sweeping]);
      const { status } = await read(made.id);
      clock.aheadMs = 0;
      expect([answer.status, status]).toEqual(answer.status === 200 ? [200, 'CONFIRMED'] : [409, 'EXPIRED']);
      expect(await recorded(made.id)).toBe(answer.status === 200 ? 1 : 0);
    }
  });

  test('a reset of test data during answers leaves no qualification', async () => {
    const { test: inTest, platformId } = await newPlatform(service);
    const { key } = inTest;
    for (let round = 0; round < 5; round += 1) {
      const made = await asked(service, { userId: 'newcomer' }, { key });
      const known = await asked(service, { userId: 'known' }, { key });
      await respond(service, known);
      const body = { eventType: 'SKILL_VERIFIED', title: 'Tiling' };
      const [answer, added] = await Promise.all([
        respond(service, made),
        service.request('POST', '/users/known/qualifications', { key, body }),
        service.request('DELETE', '/test/data', { key }),
      ]);
      expect([200, 401]).toContain(answer.status);
      expect([201, 404]).toContain(added.status);
      for (const table of ['reference_request', 'witness_token', 'qualification']) {
        const left = await service.db.query(`select 1 from ${table} where platform_id = $1`, [platformId]);
        expect([table, left.length]).toEqual([table, 0]);
      }
    }
  });
});
