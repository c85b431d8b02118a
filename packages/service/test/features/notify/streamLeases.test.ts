import { describe, expect, test } from 'vitest';
import { breadth, hasPostgres } from '#harness/engines.js';
import { groupOfPlatform } from '#harness/service.js';
import { movableClock } from '../tenancy/keyFixtures.js';
import { leasesTaken, streamKit } from './streamFixtures.js';

describe.each(breadth)('the number of open streams on %s', (engine) => {
  const { start, join, open } = streamKit();

  test('is limited by the plan when twenty are opened at once', async () => {
    const { service, platformId, live } = await join(engine, { plan: 'growth' });
    const streams = await Promise.all(Array.from({ length: 20 }, () => open(service, live.key)));
    expect(streams.filter(({ status }) => status === 200)).toHaveLength(10);
    const refused = streams.filter(({ status }) => status !== 200);
    for (const { status, text, headers } of refused) {
      const body = JSON.parse(text);
      expect([status, body.code, body.details]).toEqual([429, 'STREAM_LIMIT_REACHED', { limit: 10 }]);
      expect(body.retryable).toBe(true);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }
    const checked = await service.request('GET', '/events/stream', { key: live.key });
    expect(checked.body.code).toBe('STREAM_LIMIT_REACHED');
    expect(await leasesTaken(service.db, platformId)).toBe(10);
  });

  test('is counted separately for each mode, and falls as soon as a reader leaves', async () => {
    const { service, platformId, live, test: inTest } = await join(engine, { plan: 'starter' });
    const first = await open(service, live.key);
    for (const key of [live.key, inTest.key, inTest.key]) expect((await open(service, key)).status).toBe(200);
    for (const { key } of [live, inTest]) expect((await open(service, key)).status).toBe(429);
    first.close();
    await expect.poll(() => leasesTaken(service.db, platformId), { interval: 10 }).toBe(3);
    expect((await open(service, live.key)).status).toBe(200);
  });

  test('does not count readers that leave while the stream is being opened', async () => {
    const { service, platformId, live } = await join(engine);
    const address = `${service.url}/api/v1/events/stream`;
    const headers = { Authorization: `Bearer ${live.key}` };
    await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const leaving = new AbortController();
        setTimeout(() => leaving.abort(), index);
        await fetch(address, { headers, signal: leaving.signal }).catch(() => {});
      }),
    );
    await expect.poll(() => leasesTaken(service.db, platformId)).toBe(0);
    const metrics = async () => (await service.request('GET', '!/metrics', { key: null })).text;
    await expect.poll(metrics).toContain('event_streams_open 0');
  });

  test('does not count leases of a dead process, and deletes them', async () => {
    const clock = movableClock();
    const options = { clock, streamHeartbeatMs: 50 };
    const { service, platformId, live } = await start(engine, options, { plan: 'starter' });
    const seat = 'insert into stream_lease values (gen_random_uuid(), $1, true, gen_random_uuid(), now())';
    for (let count = 0; count < 2; count += 1) await service.db.execute(seat, [platformId]);
    expect((await open(service, live.key)).status).toBe(429);
    clock.aheadMs = 46_000;
    expect((await open(service, live.key)).status).toBe(200);
    await expect.poll(() => leasesTaken(service.db, platformId)).toBe(1);
  });

  test('counts an old stream, and one whose lease was lost', async () => {
    const clock = movableClock();
    const options = { clock, streamHeartbeatMs: 50 };
    const { service, platformId, live } = await start(engine, options, { plan: 'starter' });
    for (let round = 0; round < 2; round += 1) await open(service, live.key);
    const began = Date.now();
    clock.aheadMs = 60_000;
    // The heartbeat renews the leases.
    const oldest = async () => {
      const [row] = await service.db.query<{ at: Date }>(
        'select min(seen_at) as at from stream_lease where platform_id = $1',
        [platformId],
      );
      return row?.at.getTime() ?? 0;
    };
    await expect.poll(oldest).toBeGreaterThanOrEqual(began + 60_000);
    expect((await open(service, live.key)).status).toBe(429);
    await service.db.execute('delete from stream_lease');
    await expect.poll(() => leasesTaken(service.db, platformId)).toBe(2);
    expect((await open(service, live.key)).status).toBe(429);
  });
});

describe.skipIf(!hasPostgres)('streams in several processes', () => {
  const { startOnOne, open } = streamKit();

  test('share the leases of their platform', async () => {
    const { processes, db } = await startOnOne(['all', 'all'], { plan: 'growth' });
    const [here = expect.unreachable()] = processes;
    const streams = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        open(processes[index % 2]?.service ?? here.service, here.live.key),
      ),
    );
    expect(streams.filter(({ status }) => status === 200)).toHaveLength(10);
    await here.close();
    // The leases of the ended process are free. Their distribution depends on the race.
    const remaining = streams.filter(({ status }, index) => status === 200 && index % 2 === 1);
    const ledger = await groupOfPlatform(db, here.platformId);
    expect(await leasesTaken(ledger, here.platformId)).toBe(remaining.length);
  });
});
