import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { engines, openTestDatabase } from '#harness/engines.js';
import { SOON, soon } from '#harness/eventually.js';
import { endsInTime } from '#kit/inTime.js';
import { mint, movableClock, revoke, rotate } from '../tenancy/keyFixtures.js';
import { idsOf, leasesTaken, streamKit, untilReceived, write, writtenIds } from './streamFixtures.js';

describe.each(engines)('a live stream ends on %s', (engine) => {
  const { start, join, open, cleanups } = streamKit();
  type Joined = Awaited<ReturnType<typeof join>>;

  test.each([
    ['is revoked', ({ service, live }: Joined, id: string) => revoke(service, live.key, id)],
    [
      'is replaced without grace',
      ({ service, live }: Joined, id: string) => rotate(service, live.key, id, { graceHours: 0 }),
    ],
    [
      'loses the scope',
      ({ service, platformId }: Joined, id: string) =>
        service.request('PATCH', `/admin/platforms/${platformId}/keys/${id}`, {
          admin: true,
          body: { scopes: ['scores'] },
        }),
    ],
    [
      'is of a platform that is deactivated',
      ({ service, platformId }: Joined) =>
        service.request('PATCH', `/admin/platforms/${platformId}`, {
          admin: true,
          body: { isActive: false },
        }),
    ],
  ])('at once when its key %s', async (_, takeAway) => {
    const joined = await join(engine);
    const { service, platformId, live } = joined;
    const { id, key } = (await mint(service, live.key, {})).body;
    const stream = await open(service, key);
    expect(stream.status).toBe(200);
    expect((await takeAway(joined, id)).status).toBeLessThan(300);
    await expect.poll(() => stream.isOver, { interval: 10 }).toBe(true);
    await expect.poll(() => leasesTaken(service.db, platformId)).toBe(0);
  });

  test('for one key, and goes on for other keys of the platform', async () => {
    const { service, platformId, live } = await join(engine);
    const { id, key } = (await mint(service, live.key, {})).body;
    const doomed = await open(service, key);
    const other = await open(service, live.key);
    await revoke(service, live.key, id);
    await soon(() => doomed.isOver, true);
    await write(service.db, { platformId });
    await untilReceived(other, 1);
    expect(other.isOver).toBe(false);
    expect(idsOf(doomed)).toEqual([]);
  });

  test('when its key expires', async () => {
    const { service, live } = await join(engine);
    const opened = async (lifeMs: number) => {
      const { id, key } = (await mint(service, live.key, { expiresInDays: 1 })).body;
      await service.db.execute('update api_key set expires_at = $2 where key_id = $1', [
        id,
        new Date(Date.now() + lifeMs),
      ]);
      return open(service, key);
    };
    // On a busy machine a key can expire before its stream is open: the next one lives longer.
    let lifeMs = 700;
    let stream = await opened(lifeMs);
    for (; stream.isOver; stream = await opened(lifeMs)) lifeMs *= 2;
    expect(stream.status).toBe(200);
    await expect.poll(() => stream.isOver).toBe(true);
  });

  test('at the next heartbeat if the end of its key was not announced', async () => {
    const clock = movableClock();
    const { service, live } = await start(engine, { clock, streamHeartbeatMs: 50 });
    const { key } = (await mint(service, live.key, { expiresInDays: 1 })).body;
    const stream = await open(service, key);
    clock.aheadMs = 25 * 60 * 60 * 1000;
    await soon(() => stream.isOver, true);
  });

  test('before it begins if its key was just revoked and is still cached', async () => {
    const { service, platformId, live } = await join(engine);
    const { id, key } = (await mint(service, live.key, {})).body;
    const first = await open(service, key);
    await service.db.execute('update api_key set is_active = false where key_id = $1', [id]);
    const second = await open(service, key);
    expect([first.status, second.status]).toEqual([200, 401]);
    await expect.poll(() => leasesTaken(service.db, platformId)).toBe(1);
  });

  test('for a reader that does not read, before its backlog grows; it resumes without a gap', async () => {
    const { service, platformId, live } = await start(engine, { writesEnvelopes: true });
    const slow = await open(service, live.key);
    const quick = await open(service, live.key);
    slow.pause();
    const metrics = async () => (await service.request('GET', '!/metrics', { key: null })).text;
    let rounds = 0;
    // The connection itself buffers some megabytes.
    for (; !(await metrics()).includes('event_streams_dropped_total 1'); rounds += 1) {
      expect(rounds).toBeLessThan(90);
      await write(service.db, { platformId, count: 10, extraBytes: 20_000 });
      await untilReceived(quick, 10 * (rounds + 1));
    }
    slow.resume();
    await expect.poll(() => slow.isOver).toBe(true);
    expect(slow.wasCutOff).toBe(true);
    const written = await writtenIds(service.db, platformId);
    expect(idsOf(slow)).toEqual(written.slice(0, idsOf(slow).length));
    expect(quick.isOver).toBe(false);
    const again = await open(service, live.key, { lastEventId: slow.parsed.lastEventId });
    await untilReceived(again, written.length - idsOf(slow).length);
    expect([...idsOf(slow), ...idsOf(again)]).toEqual(written);
  });

  test('cleanly when the service stops, without a delay', async () => {
    const database = await openTestDatabase(engine);
    cleanups.push(() => database.close());
    const { service, live, close } = await start(engine, { db: database.db });
    const streams = await Promise.all(Array.from({ length: 5 }, () => open(service, live.key)));
    const silent = await neverRead(service.url, live.key);
    expect(await endsInTime(close(), SOON.timeout)).toBe(true);
    await expect.poll(() => streams.map(({ isOver }) => isOver)).toEqual(Array(5).fill(true));
    expect(streams.some(({ wasCutOff }) => wasCutOff)).toBe(false);
    silent.destroy();
  });
});

/** Opens a stream and never reads it. */
function neverRead(url: string, key: string) {
  return new Promise<ReturnType<typeof request>>((resolve, reject) => {
    const headers = { Authorization: `Bearer ${key}` };
    const opened = request(`${url}/api/v1/events/stream`, { agent: false, headers }, () => resolve(opened));
    opened.on('error', reject).end();
  });
}
