import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { newPlatform, UNKNOWN_ID } from '../tenancy/keyFixtures.js';
import { idsOf, pause, streamKit, untilReceived, untilSettled, write, writtenIds } from './streamFixtures.js';

describe.each(breadth)('a live stream on %s', (engine) => {
  const { join, open } = streamKit();

  test('sends every envelope once and in the same order to all, however the writers overlap', async () => {
    const { service, platformId, live } = await join(engine);
    const streams = [await open(service, live.key), await open(service, live.key)];
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let step = 0; step < 20; step += 1) {
        const [count, holdMs] = [1 + ((writer + 3 * step) % 4), (7 * writer + 5 * step) % 12];
        await write(service.db, { platformId, count, holdMs });
      }
    });
    await Promise.all(writers);
    const written = await writtenIds(service.db, platformId);
    for (const stream of streams) await untilReceived(stream, written.length);
    for (const stream of streams) expect(idsOf(stream)).toEqual(written);
  });

  test('resumes after any break without a gap or a duplicate, during further writes', async () => {
    const { service, platformId, live } = await join(engine);
    let stream = await open(service, live.key);
    let isWriting = true;
    const writers = [1, 2, 3].map(async (count) => {
      for (let step = 0; isWriting; step += 1) {
        await write(service.db, { platformId, count, holdMs: (count * step) % 5 });
        await pause((2 * step) % 7);
      }
    });
    const received: string[] = [];
    for (let cut = 0; cut < 12; cut += 1) {
      await untilReceived(stream, 1 + ((7 * cut) % 25));
      stream.close();
      received.push(...idsOf(stream));
      const { lastEventId } = stream.parsed;
      await pause((17 * cut) % 60);
      stream = await open(service, live.key, { lastEventId });
    }
    isWriting = false;
    await Promise.all(writers);
    const written = await writtenIds(service.db, platformId);
    await expect.poll(() => received.length + idsOf(stream).length).toBe(written.length);
    expect([...received, ...idsOf(stream)]).toEqual(written);
    expect(stream.parsed.events.filter(({ type }) => type === 'reset')).toEqual([]);
  });

  test('can be resumed before its first event', async () => {
    const { service, platformId, live } = await join(engine);
    await write(service.db, { platformId, count: 3 });
    await untilSettled(service.db);
    const first = await open(service, live.key);
    first.close();
    expect(first.parsed.events).toEqual([]);
    await write(service.db, { platformId, count: 2 });
    const second = await open(service, live.key, { lastEventId: first.parsed.lastEventId });
    await untilReceived(second, 2);
    expect(idsOf(second)).toEqual((await writtenIds(service.db, platformId)).slice(3));
  });

  test('keeps its id across a reconnection without events', async () => {
    const { service, platformId, live } = await join(engine);
    await write(service.db, { platformId });
    const [lastEventId = ''] = await writtenIds(service.db, platformId);
    const stream = await open(service, live.key, { lastEventId });
    expect(stream.parsed).toMatchObject({ lastEventId, events: [] });
  });

  test('resumes with the requested types', async () => {
    const { service, platformId, live } = await join(engine);
    await write(service.db, { platformId });
    await write(service.db, { platformId, type: 'import.completed' });
    await write(service.db, { platformId });
    const [lastEventId = ''] = await writtenIds(service.db, platformId);
    const stream = await open(service, live.key, { lastEventId, types: 'import.completed' });
    await write(service.db, { platformId, type: 'import.completed' });
    await untilReceived(stream, 2);
    const written = await writtenIds(service.db, platformId);
    expect(idsOf(stream)).toEqual([written[1], written[3]]);
  });

  test('resumes at most 1000 envelopes of its platform and mode, and all that are kept for a backfill', async () => {
    const { service, platformId, live } = await join(engine);
    for (let round = 0; round < 10; round += 1) {
      await write(service.db, { platformId, count: 100 });
      await write(service.db, { platformId, count: 20, livemode: false });
    }
    const [oldest = ''] = await writtenIds(service.db, platformId);
    const whole = await open(service, live.key, { lastEventId: oldest });
    await untilReceived(whole, 999);
    expect(idsOf(whole)).toEqual((await writtenIds(service.db, platformId)).slice(1));
    await write(service.db, { platformId });
    await untilReceived(whole, 1000);
    const late = await open(service, live.key, { lastEventId: oldest });
    expect(late.parsed.events.map(({ type, data }) => [type, JSON.parse(data)])).toEqual([
      ['reset', { reason: 'too_old' }],
    ]);
    expect(late.parsed.lastEventId).toBe(idsOf(whole).at(-1));
    await write(service.db, { platformId });
    await untilReceived(late, 1);
    const written = await writtenIds(service.db, platformId);
    expect(idsOf(late)).toEqual([written.at(-1)]);
    const backfill = await open(service, live.key, { lastEventId: oldest, backfill: 'true' });
    await untilReceived(backfill, written.length - 1);
    expect(idsOf(backfill)).toEqual(written.slice(1));
  });

  test.each([
    ['is none', 'yesterday', 'not_an_id'],
    ['is of no envelope', UNKNOWN_ID, 'unknown_id'],
  ])('begins with a reset if the id %s, and then goes on', async (_, lastEventId, reason) => {
    const { service, platformId, live } = await join(engine);
    await write(service.db, { platformId });
    await untilSettled(service.db);
    const stream = await open(service, live.key, { lastEventId });
    expect(stream.parsed.events).toMatchObject([{ type: 'reset', data: JSON.stringify({ reason }) }]);
    await write(service.db, { platformId });
    await untilReceived(stream, 1);
    expect(idsOf(stream)).toEqual((await writtenIds(service.db, platformId)).slice(1));
  });

  test('does not know the ids of another platform, of the other mode or of test deliveries', async () => {
    const { service, platformId, live } = await join(engine);
    const other = await newPlatform(service);
    await write(service.db, { platformId: other.platformId });
    await write(service.db, { platformId, livemode: false });
    await write(service.db, { platformId });
    const ids = [
      ...(await writtenIds(service.db, other.platformId)),
      ...(await writtenIds(service.db, platformId, false)),
      ...(await writtenIds(service.db, platformId)),
    ];
    await service.db.execute('update envelope set only_target = $1 where envelope_id = $2', [
      UNKNOWN_ID,
      ids[2],
    ]);
    await untilSettled(service.db);
    for (const lastEventId of ids) {
      const { parsed } = await open(service, live.key, { lastEventId });
      expect(parsed.events).toMatchObject([{ type: 'reset', data: '{"reason":"unknown_id"}' }]);
    }
  });

  test('resumes envelopes from before the database moved to another server', async () => {
    const { service, platformId, live } = await join(engine);
    await write(service.db, { platformId, count: 3 });
    await service.db.execute("update envelope set xid = '0' where platform_id = $1", [platformId]);
    await write(service.db, { platformId });
    const written = await writtenIds(service.db, platformId);
    const stream = await open(service, live.key, { lastEventId: written[0] ?? '' });
    await untilReceived(stream, 3);
    expect(idsOf(stream)).toEqual(written.slice(1));
  });
});
