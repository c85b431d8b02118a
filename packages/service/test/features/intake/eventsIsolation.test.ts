import { beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { givenSharedService } from '#harness/givenService.js';
import { anotherPlatform, exportAll, outcome, report, reportBatch } from './eventFixtures.js';

describe.each(breadth)('isolation of events on %s', (engine) => {
  const service = givenSharedService(engine);

  test('each platform and each mode has its own events, even under the same userId', async () => {
    const other = await anotherPlatform(service);
    const keys = [service.liveKey, service.testKey, other.liveKey, other.testKey];
    for (const [index, key] of keys.entries()) {
      const events = Array(index + 1).fill(outcome({ userId: 'shared' }));
      await reportBatch(service, events, { key });
    }
    await service.settle();
    for (const [index, key] of keys.entries()) {
      const events = await exportAll(service, { key });
      expect(events).toMatchObject(Array(index + 1).fill({ userId: 'shared', livemode: index % 2 === 0 }));
      const score = await service.request('GET', '/users/shared/score', { key });
      expect(score.body.totalEvents).toBe(index + 1);
    }
  });
});

describe.each(breadth)('the event table on %s', (engine) => {
  const service = givenSharedService(engine);
  let liveId: string;
  beforeAll(async () => {
    liveId = (await report(service, outcome())).body.eventId;
    await report(service, outcome(), { key: service.testKey });
  });

  test.each([
    ['changed', 'update event set is_verified = true where livemode'],
    ['deleted', 'delete from event where livemode'],
    ['made a test event', 'update event set livemode = false where livemode'],
    ['deleted together with test events', 'delete from event'],
    ['made of a test event', 'update event set livemode = true where not livemode'],
  ])('a live event cannot be %s, not even by the owner of the database', async (_, text) => {
    const refusal = { code: '23001', message: expect.stringContaining('append-only') };
    await expect(service.db.execute(text)).rejects.toMatchObject(refusal);
    expect(await exportAll(service)).toMatchObject([{ id: liveId, isVerified: false }]);
    expect(await exportAll(service, { key: service.testKey })).toHaveLength(1);
  });

  test('the ledger cannot be emptied', async () => {
    for (const text of ['truncate event', 'truncate event cascade'])
      await expect(service.ledger.execute(text)).rejects.toMatchObject({ code: '23001' });
    expect(await exportAll(service)).toHaveLength(1);
  });
});
