import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { createIdSource } from '#kit/ids.js';
import { queueMissed } from '../../../src/features/notify/webhooks/recoverDeliveries.js';
import { DAY_MS } from '../tenancy/keyFixtures.js';
import { logged, webhookBench } from './webhooksFixtures.js';

const ids = createIdSource();
const LONG_AGO = '2020-01-01T00:00:00.000Z';

describe.each(breadth)('recovery of missed deliveries on %s', (engine) => {
  // Two attempts without a wait: the second failure is final.
  const bench = webhookBench(engine, { WEBHOOK_RETRY_SCHEDULE: '0,0' }, { writesEnvelopes: true });
  const { ask, add, happen, delivered, clock } = bench;
  const change = (id: string, body: object) => ask('PATCH', id, body);
  const recover = (id: string, since = LONG_AGO) => ask('POST', `${id}/recover`, { since });
  const usersSent = () => bench.receiver.received.map(({ body }) => JSON.parse(body).data.user.externalId);

  test('sends failed deliveries and those missed while inactive, and none that arrived', async () => {
    const id = await add();
    await happen('arrived');
    await delivered(id);
    bench.receiver.react(() => ({ status: 500 }));
    await happen('failed');
    await delivered(id);
    await change(id, { isActive: false });
    await happen('missed');
    const refused = await recover(id);
    expect([refused.status, refused.body.code]).toEqual([409, 'CONFLICT']);
    expect(refused.body.error).toContain('isActive');
    await change(id, { isActive: true });
    bench.receiver.react(() => ({ status: 204 }));
    bench.receiver.forget();
    const answer = await recover(id);
    expect([answer.status, answer.body]).toEqual([202, { recovered: 2, hasMore: false, nextSince: null }]);
    await delivered(id);
    expect(usersSent().sort()).toEqual(['failed', 'missed']);
    expect((await recover(id)).body.recovered).toBe(0);
  });

  test('covers the types, mode and lifetime of the endpoint, and no test deliveries', async () => {
    await happen('before-it-was-made');
    clock.aheadMs += 1000;
    const id = await add({ events: ['score.updated'], isActive: false });
    const neighbour = await add({ events: ['dispute.resolved'] });
    bench.receiver.react(() => ({ status: 500 }));
    await ask('POST', `${id}/test`);
    await happen('live');
    await happen('in-test', bench.own.test.key);
    await change(id, { isActive: true });
    bench.receiver.react(() => ({ status: 204 }));
    bench.receiver.forget();
    expect((await recover(neighbour)).body.recovered).toBe(0);
    expect((await recover(id)).body.recovered).toBe(1);
    await delivered(id);
    expect(usersSent()).toEqual(['live']);
  });

  test('reaches back to `since`, at most 30 days', async () => {
    const id = await add({ isActive: false });
    const dayAgo = (days: number) => new Date(clock.now().getTime() - days * DAY_MS);
    await bench.service.db.execute('update webhook set created_at = $2 where webhook_id = $1', [
      id,
      dayAgo(60),
    ]);
    const ages = [31, 29, 10, 1];
    for (const days of ages) await emitted(days, dayAgo(days));
    await change(id, { isActive: true });
    const recovered = async (since: Date) => {
      bench.receiver.forget();
      const { body } = await recover(id, since.toISOString());
      await delivered(id);
      expect(bench.receiver.received).toHaveLength(body.recovered);
      return usersSent();
    };
    expect(await recovered(dayAgo(5))).toEqual(['1 days ago']);
    expect(await recovered(dayAgo(11))).toEqual(['10 days ago']);
    expect(await recovered(dayAgo(59))).toEqual(['29 days ago']);
  });

  test('continues from `nextSince` if one call was not enough, oldest first', async () => {
    const owner = { platformId: bench.own.id, livemode: true };
    const id = await add({ isActive: false });
    const since = clock.now();
    for (let count = 0; count < 5; count += 1) await emitted(count, new Date(since.getTime() + count));
    const types = ['score.updated'] as const;
    const call = (from: Date, maxQueued: number, maxScanned: number) => {
      const what = { webhookId: id, types, since: from, now: clock.now(), maxQueued, maxScanned };
      return bench.service.db.transaction((tx) => queueMissed(tx, owner, what));
    };
    const at = (count: number) => new Date(since.getTime() + count);
    expect(await call(since, 2, 100)).toEqual({ queued: 2, stoppedAt: at(1), hasMore: true });
    expect(await call(at(1), 100, 3)).toEqual({ queued: 2, stoppedAt: at(3), hasMore: true });
    expect(await call(at(3), 100, 3)).toEqual({ queued: 1, stoppedAt: at(4), hasMore: false });
    expect(await call(at(5), 100, 3)).toEqual({ queued: 0, stoppedAt: null, hasMore: false });
  });

  test('does not queue an envelope twice', async () => {
    const id = await add();
    bench.receiver.react(() => ({ status: 503, headers: { 'Retry-After': '3600' } }));
    await happen('waiting');
    await logged(bench.service, id, 1, bench.own.live.key);
    expect((await recover(id)).body.recovered).toBe(0);
    await change(id, { isActive: false });
    await bench.service.db.execute('delete from outbox_queue where target_id = $1', [id]);
    await change(id, { isActive: true });
    const answers = await Promise.all([recover(id), recover(id), recover(id)]);
    expect(answers.map(({ body }) => body.recovered).sort()).toEqual([0, 0, 1]);
  });

  test('since a moment in the future is refused', async () => {
    const answer = await recover(await add(), '2999-01-01T00:00:00.000Z');
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', details: [{ path: 'since' }] },
    });
  });

  /** Inserts an envelope of that time. */
  async function emitted(days: number, createdAt: Date): Promise<void> {
    const data = { user: { externalId: `${days} days ago` } };
    await bench.service.db.execute(
      `insert into envelope (platform_id, envelope_id, livemode, type, body, created_at)
       values ($1, $2, true, 'score.updated', $3, $4)`,
      [bench.own.id, ids.at(createdAt), JSON.stringify({ data }), createdAt],
    );
  }
});
