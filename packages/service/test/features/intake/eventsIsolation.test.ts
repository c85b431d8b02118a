import { beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { joinTestService } from '#harness/service.js';
import { suiteService } from '#harness/suiteService.js';
import { anotherPlatform, exportAll, outcome, report } from './eventFixtures.js';

describe.each(breadth)('isolation of events on %s', (engine) => {
  const service = suiteService(() => joinTestService(engine));

  test('each platform and each mode has its own events, even under the same userId', async () => {
    const other = await anotherPlatform(service);
    const keys = [service.liveKey, service.testKey, other.liveKey, other.testKey];
    for (const [index, key] of keys.entries()) {
      for (let count = 0; count <= index; count += 1)
        await report(service, outcome({ userId: 'shared' }), { key });
    }
    await service.settle();
    for (const [index, key] of keys.entries()) {
      const events = await exportAll(service, { key });
      expect(events).toHaveLength(index + 1);
      const score = await service.request('GET', '/users/shared/score', { key });
      expect(score.body.totalEvents).toBe(index + 1);
    }
    const livemodes = await Promise.all(
      keys.map(
        async (key) => (await service.request('GET', '/events/export', { key })).body.events[0].livemode,
      ),
    );
    expect(livemodes).toEqual([true, false, true, false]);
  });

  test('a cursor of another platform or mode is refused', async () => {
    const other = await anotherPlatform(service);
    await report(service, outcome({ userId: 'mine' }), { key: other.liveKey });
    await report(service, outcome({ userId: 'mine' }), { key: other.liveKey });
    const { nextCursor } = (await service.request('GET', '/events/export?limit=1', { key: other.liveKey }))
      .body;
    for (const key of [service.liveKey, service.testKey]) {
      const { status, body } = await service.request('GET', `/events/export?cursor=${nextCursor}`, { key });
      expect([status, body.code]).toEqual([400, 'BAD_REQUEST']);
    }
  });
});

describe.each(breadth)('the event table on %s', (engine) => {
  let liveId: string;
  let testId: string;
  const service = suiteService(() => joinTestService(engine));
  beforeAll(async () => {
    liveId = (await report(service, outcome())).body.eventId;
    testId = (await report(service, outcome(), { key: service.testKey })).body.eventId;
    await service.settle();
  });

  test.each([
    ['changed', 'update event set is_verified = true where event_id = $1'],
    ['deleted', 'delete from event where event_id = $1'],
    ['made a test event', 'update event set livemode = false where event_id = $1'],
  ])('a live event cannot be %s, not even by the owner of the database', async (_, text) => {
    await expect(service.db.execute(text, [liveId])).rejects.toMatchObject({
      code: '23001',
      message: expect.stringContaining('append-only'),
    });
    expect(await exportAll(service)).toMatchObject([{ id: liveId, isVerified: false }]);
  });

  test('a statement that would also change live events changes nothing', async () => {
    await expect(service.db.execute('delete from event')).rejects.toMatchObject({ code: '23001' });
    expect(await exportAll(service, { key: service.testKey })).toHaveLength(1);
  });

  test('the ledger cannot be emptied', async () => {
    await expect(service.ledger.execute('truncate event')).rejects.toMatchObject({ code: '23001' });
    await expect(service.ledger.execute('truncate event cascade')).rejects.toMatchObject({ code: '23001' });
    expect(await exportAll(service)).toHaveLength(1);
  });

  test('a test event cannot become a live one', async () => {
    await expect(
      service.db.execute('update event set livemode = true where event_id = $1', [testId]),
    ).rejects.toMatchObject({ code: '23001' });
  });

  test('test events can be deleted', async () => {
    expect(await service.db.execute('delete from event where event_id = $1 and not livemode', [testId])).toBe(
      1,
    );
    expect(await exportAll(service, { key: service.testKey })).toEqual([]);
  });
});
