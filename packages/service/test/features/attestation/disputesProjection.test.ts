import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { startTestService, type TestService } from '#harness/service.js';
import { linkAll } from '../insight/recordFixtures.js';
import { anotherPlatform, outcome, reportBatch } from '../intake/eventFixtures.js';
import { DAY_MS } from '../tenancy/keyFixtures.js';
import { disputesOf, eventOf, filedDispute, resolve } from './disputeFixtures.js';

describe.each(breadth)('the projection of a dispute on %s', (engine) => {
  let service: TestService;
  let now = new Date('2026-03-02T08:00:00.000Z');
  beforeAll(async () => {
    service = await startTestService(engine, {
      env: { VELOCITY_MAX_PER_HOUR: '20' },
      clock: { now: () => now },
    });
  });
  afterAll(() => service.close());

  const project = async (id: string, key?: string) =>
    (await service.request('GET', `/disputes/${id}/projection`, { key })).body;
  const stateOf = async (userId: string) => {
    await service.settle();
    const { body } = await service.request('GET', `/users/${userId}/score`);
    return { score: body.finalScore, band: body.scoreBand };
  };
  const sweep = () => service.request('POST', '/admin/sweeps/disputes', { admin: true });

  /** A record with good and bad outcomes, of which one is disputed. */
  async function givenDispute(userId: string, eventType: string, isVerified: boolean): Promise<string> {
    for (const [index, daysAgo] of [400, 90, 30, 2].entries()) {
      const completedAt = new Date(now.getTime() - daysAgo * DAY_MS).toISOString();
      const stakeLevel = index % 2 ? 'HIGH' : 'LOW';
      await eventOf(service, {
        userId,
        isVerified: index > 0,
        stakeLevel,
        completedAt,
        dueDate: completedAt,
      });
    }
    const completedAt = new Date(now.getTime() - 40 * DAY_MS).toISOString();
    const event = { userId, eventType, isVerified, stakeLevel: 'HIGH', completedAt };
    if (eventType === 'CONTRACT_BREACHED') return (await filedDispute(service, event)).id;
    await eventOf(service, event);
    const [dispute] = await disputesOf(service, `userId=${userId}`);
    return dispute?.id ?? '';
  }

  const CASES = ['CONTRACT_BREACHED', 'TRANSACTION_DISPUTED'].flatMap((eventType) =>
    [true, false].map((isVerified) => ({ eventType, isVerified })),
  );

  test.each(CASES)('is the score after the resolution: %o', async ({ eventType, isVerified }) => {
    const userId = `resolved-${eventType}-${isVerified}`;
    const id = await givenDispute(userId, eventType, isVerified);
    const current = await stateOf(userId);
    const { ends, ...rest } = await project(id);
    expect(rest).toEqual({ disputeId: id, userId });
    expect(ends.map(({ by, outcome }: Record<string, string>) => [by, outcome])).toEqual([
      ['resolution', isVerified ? 'AGAINST_USER' : 'FOR_USER'],
      ['lapse', 'FOR_USER'],
    ]);
    await resolve(service, id);
    const reached = await stateOf(userId);
    expect(ends[0]).toMatchObject({ baseline: 'record', frozen: false, current, projected: reached });
    expect(ends[0].delta.score).toBe(Number((reached.score - current.score).toFixed(2)));
    expect(await project(id)).toEqual({ ...rest, ends: [] });
  });

  test.each(CASES)('is the score after the lapse: %o', async ({ eventType, isVerified }) => {
    const userId = `lapsed-${eventType}-${isVerified}`;
    const id = await givenDispute(userId, eventType, isVerified);
    now = new Date(now.getTime() + 14 * DAY_MS);
    const { ends } = await project(id);
    expect(ends).toMatchObject([{ by: 'lapse', outcome: 'FOR_USER' }]);
    await sweep();
    expect(ends[0].projected).toEqual(await stateOf(userId));
  });

  test('counts the whole record of a linked subject', async () => {
    const other = await anotherPlatform(service);
    const id = await givenDispute('linked', 'CONTRACT_BREACHED', true);
    for (const isVerified of [true, true])
      await eventOf(service, { userId: 'linked', isVerified }, other.liveKey);
    await linkAll(service, 'linked', other.liveKey);
    await service.settle();
    const { ends } = await project(id);
    await resolve(service, id);
    expect(ends[0].projected).toEqual(await stateOf('linked'));
  });

  test('of a frozen score, moves the published one by the same points', async () => {
    const id = await givenDispute('frozen', 'CONTRACT_BREACHED', true);
    const current = await stateOf('frozen');
    const [free] = (await project(id)).ends;
    await reportBatch(
      service,
      Array.from({ length: 20 }, () => outcome({ userId: 'frozen' })),
    );
    await service.settle();
    const [held] = (await project(id)).ends;
    expect(held).toMatchObject({ frozen: true, current });
    expect(Math.sign(held.delta.score)).toBe(Math.sign(free.delta.score));
  });

  test('is unknown to others, and needs the scope of scores', async () => {
    const { id } = await filedDispute(service, { userId: 'private' });
    const other = await anotherPlatform(service);
    expect(await project(id, other.liveKey)).toMatchObject({ code: 'NOT_FOUND' });
    expect(await project(id, service.testKey)).toMatchObject({ code: 'NOT_FOUND' });
    expect(await project('nothing')).toMatchObject({ code: 'NOT_FOUND' });
    const scopes = ['events:write', 'events:read'];
    const { body } = await service.request('POST', '/platform/keys', { body: { scopes } });
    expect(await project(id, body.key)).toMatchObject({ code: 'SCOPE_INSUFFICIENT' });
  });

  test('is refused once the subject is erased', async () => {
    const { id } = await filedDispute(service, { userId: 'erased' });
    await service.request('POST', '/users/erased/erasure');
    expect(await project(id)).toMatchObject({ code: 'SUBJECT_ERASED' });
  });
});
