import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { startTestService, type TestService } from '#harness/service.js';
import { createIdSource } from '#kit/ids.js';
import { SLICE_ROWS } from '#ledger/sweep.js';
import { removeOldDeliveries } from '../../../src/features/notify/webhooks/deliveryStore.js';
import { DAY_MS, newPlatform, UNKNOWN_ID } from '../tenancy/keyFixtures.js';

const ids = createIdSource();

describe.each(breadth)('retention of deliveries on %s', (engine) => {
  let service: TestService;
  let platformId: string;

  beforeAll(async () => {
    service = await startTestService(engine, { writesEnvelopes: true });
    ({ platformId } = await newPlatform(service));
  });
  afterAll(() => service.close());

  /** Inserts `count` of each, one per millisecond from then on. */
  async function written(daysAgo: number, count: number): Promise<void> {
    const start = Date.now() - daysAgo * DAY_MS;
    const at = Array.from({ length: count }, (_, index) => new Date(start + index));
    const rows = [platformId, at.map((time) => ids.at(time)), at];
    await service.db.execute(
      `insert into envelope (platform_id, envelope_id, livemode, type, body, created_at)
       select $1, id, true, 'score.updated', '{}', at from unnest($2::uuid[], $3::timestamptz[]) as t (id, at)`,
      rows,
    );
    await service.db.execute(
      `insert into delivery (platform_id, delivery_id, webhook_id, envelope_id, type, status, attempt, latency_ms, created_at)
       select $1, id, '${UNKNOWN_ID}', id, 'score.updated', 'succeeded', 1, 5, at
       from unnest($2::uuid[], $3::timestamptz[]) as t (id, at)`,
      rows,
    );
  }

  const left = async () => {
    const [row] = await service.db.query<{ envelopes: number; deliveries: number }>(
      'select (select count(*) from envelope) as envelopes, (select count(*) from delivery) as deliveries',
    );
    return row;
  };

  test('the sweep deletes payloads after 30 days and the log after 60, in slices, and nothing younger', async () => {
    await written(61, SLICE_ROWS + 5);
    await written(59, 2);
    await written(31, 2);
    await written(29, 3);
    const path = '/admin/sweeps/retention';
    const { body } = await service.request('POST', path, { admin: true });
    expect(body).toEqual({ name: 'retention', affected: 2 * (SLICE_ROWS + 5) + 4 });
    expect(await left()).toEqual({ envelopes: 3, deliveries: 7 });
    expect((await service.request('POST', path, { admin: true })).body.affected).toBe(0);
  });

  test('a sweep that is asked to end does so after its slice', async () => {
    const before = await left();
    await written(61, 10);
    const affected = await removeOldDeliveries(service.db)(new Date(), AbortSignal.abort());
    expect(affected).toBe(0);
    await removeOldDeliveries(service.db)(new Date(), new AbortController().signal);
    expect(await left()).toEqual(before);
  });
});
