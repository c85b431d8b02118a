import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { joinTestService, type TestService } from '#harness/service.js';
import { alias, link } from '../subjects/linkFixtures.js';
import { newPlatform } from '../tenancy/keyFixtures.js';
import { emitted, reported } from './watchFixtures.js';

const shareAbove = { metric: 'largest_attester_share', direction: 'above', threshold: 0.8 };
const shareBelow = { metric: 'largest_attester_share', direction: 'below', threshold: 0.8 };
const kept = { eventType: 'CONTRACT_FULFILLED', isVerified: true };
const partiesAbove = { metric: 'distinct_attesters', direction: 'above', threshold: 2 };

describe.each(breadth)('a policy on who confirms, on %s', (engine) => {
  let service: TestService;
  beforeAll(async () => {
    service = await joinTestService(engine);
  });
  afterAll(() => service.close());

  /** A platform with these policies. */
  async function watching(...conditions: object[]) {
    const { platformId, live } = await newPlatform(service);
    const { key } = live;
    for (const condition of conditions) {
      const body = { name: 'Who confirms', condition };
      expect((await service.request('POST', '/policies', { key, body })).status).toBe(201);
    }
    const fields = ['userId', 'eventType', 'isVerified', 'verifiedBy'];
    const mapping = Object.fromEntries(fields.map((name) => [name, { path: name }]));
    return {
      key,
      async confirm(userId: string, attesters: readonly string[]) {
        const records = attesters.map((verifiedBy) => ({ ...kept, userId, verifiedBy }));
        const answer = await service.request('POST', '/ingest', { key, body: { records, mapping } });
        expect(answer.body.createdCount).toBe(attesters.length);
        await service.settle();
      },
      crossings: async () =>
        (await emitted(service, platformId, 'policy.threshold_crossed')).map(
          ({ subject, metric, observed }) => [
            subject.externalId,
            metric,
            observed.previous,
            observed.current,
          ],
        ),
    };
  }

  test('fires once when one party passes the share, and again on the way back', async () => {
    const { confirm, crossings } = await watching(shareAbove, shareBelow);
    await confirm('worker', ['a', 'b', 'c', 'd', 'e']);
    expect(await crossings()).toEqual([]);
    await confirm('worker', Array(20).fill(' A '));
    await confirm('worker', ['a']);
    expect(await crossings()).toEqual([['worker', 'largest_attester_share', 0.2, 0.84]]);
    await confirm('worker', ['f', 'g']);
    expect((await crossings()).slice(1)).toEqual([['worker', 'largest_attester_share', 0.8462, 0.7857]]);
  });

  test('fires on a first batch, but not on a first confirmation, which has the share 1', async () => {
    const { confirm, crossings } = await watching(shareAbove);
    await confirm('first', ['a']);
    expect(await crossings()).toEqual([]);
    await confirm('batch', ['a', 'a', 'a', 'a', 'a']);
    expect(await crossings()).toEqual([['batch', 'largest_attester_share', 0, 1]]);
  });

  test('counts the platform as one party, and an unverified outcome for none', async () => {
    const { key, confirm, crossings } = await watching(partiesAbove);
    await confirm('worker', ['a', 'b']);
    await reported(service, key, 'worker', 3, { isVerified: false });
    expect(await crossings()).toEqual([]);
    await reported(service, key, 'worker', 3);
    expect(await crossings()).toEqual([['worker', 'distinct_attesters', 2, 3]]);
  });

  test('counts the parties of the whole record, also when another platform joins it', async () => {
    const one = await alias(service, `linked-1-${engine}`, [kept]);
    const other = await alias(service, `linked-2-${engine}`, [kept]);
    const body = { name: 'Who confirms', condition: { ...partiesAbove, threshold: 1 } };
    const made = await service.request('POST', '/policies', { key: one.platform.live.key, body });
    expect(made.status).toBe(201);
    await service.settle();
    await link(service, one, other);
    await service.settle();
    const fired = await emitted(service, one.platform.id, 'policy.threshold_crossed');
    expect(fired.map(({ observed }) => observed)).toEqual([{ previous: 1, current: 2 }]);
  });

  test('has no preview, which is said', async () => {
    const { key } = await watching();
    const answer = await service.request('POST', '/policies/preview', {
      key,
      body: { condition: shareAbove },
    });
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.body.details).toMatchObject([
      { path: 'condition.metric', message: expect.stringContaining('no preview') },
    ]);
  });
});
