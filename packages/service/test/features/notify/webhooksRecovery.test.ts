import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { type Receiver, startReceiver } from '#harness/receiver.js';
import { startTestService, type TestService } from '#harness/service.js';
import { createIdSource } from '#kit/ids.js';
import { queueMissed } from '../../../src/features/notify/webhooks/recoverDeliveries.js';
import { outcome, report } from '../intake/eventFixtures.js';
import { DAY_MS, movableClock } from '../tenancy/keyFixtures.js';
import { addedPlatform, type OwnPlatform } from '../tenancy/trail.js';
import { addWebhook, delivered, LOOPBACK_ALLOWED, logged } from './webhooksFixtures.js';

const ids = createIdSource();
const LONG_AGO = '2020-01-01T00:00:00.000Z';

describe.each(breadth)('recovery of missed deliveries on %s', (engine) => {
  let service: TestService;
  let receiver: Receiver;
  let own: OwnPlatform;
  const clock = movableClock();

  beforeAll(async () => {
    receiver = await startReceiver();
    // Two attempts without a wait: the second failure is final.
    const env = { ...LOOPBACK_ALLOWED, WEBHOOK_RETRY_SCHEDULE: '0,0' };
    service = await startTestService(engine, { env, clock, writesEnvelopes: true });
  });
  afterAll(async () => {
    await service.close();
    await receiver.close();
  });
  beforeEach(async () => {
    own = await addedPlatform(service);
    receiver.startOver(`/${own.id}`);
  });

  const add = async (more: object = {}): Promise<string> =>
    (await addWebhook(service, { url: `${receiver.url}/${own.id}`, ...more }, { key: own.live.key })).body.id;
  const post = (path: string, body?: object, more = {}) =>
    service.request('POST', `/webhooks/${path}`, { key: own.live.key, body, ...more });
  const change = (id: string, body: object) =>
    service.request('PATCH', `/webhooks/${id}`, { key: own.live.key, body });
  const recover = (id: string, since = LONG_AGO) => post(`${id}/recover`, { since });
  /** Reports an outcome and waits until its envelope is delivered. */
  const happen = async (userId: string, key = own.live.key) => {
    await report(service, outcome({ userId }), { key });
    await service.settle();
  };
  const usersSent = () => receiver.received.map(({ body }) => JSON.parse(body).data.user.externalId);

  test('sends failed deliveries and those missed while inactive, and none that arrived', async () => {
    const id = await add();
    await happen('arrived');
    await delivered(service, id);
    receiver.react(() => ({ status: 500 }));
    await happen('failed');
    await delivered(service, id);
    await change(id, { isActive: false });
    await happen('missed');
    const refused = await recover(id);
    expect([refused.status, refused.body.code]).toEqual([409, 'CONFLICT']);
    expect(refused.body.error).toContain('isActive');
    await change(id, { isActive: true });
    receiver.react(() => ({ status: 204 }));
    receiver.forget();
    const answer = await recover(id);
    expect([answer.status, answer.body]).toEqual([202, { recovered: 2, hasMore: false, nextSince: null }]);
    await delivered(service, id);
    expect(usersSent().sort()).toEqual(['failed', 'missed']);
    expect((await recover(id)).body.recovered).toBe(0);
  });

  test('covers the types, mode and lifetime of the endpoint, and no test deliveries', async () => {
    await happen('before-it-was-made');
    clock.aheadMs += 1000;
    const id = await add({ events: ['score.updated'], isActive: false });
    const neighbour = await add({ events: ['dispute.resolved'] });
    receiver.react(() => ({ status: 500 }));
    await post(`${id}/test`);
    await happen('live');
    await happen('in-test', own.test.key);
    await change(id, { isActive: true });
    receiver.react(() => ({ status: 204 }));
    receiver.forget();
    expect((await recover(neighbour)).body.recovered).toBe(0);
    expect((await recover(id)).body.recovered).toBe(1);
    await delivered(service, id);
    expect(usersSent()).toEqual(['live']);
  });

  test('reaches back to `since`, at most 30 days', async () => {
    const id = await add({ isActive: false });
    const dayAgo = (days: number) => new Date(clock.now().getTime() - days * DAY_MS);
    await service.db.execute('update webhook set created_at = $2 where webhook_id = $1', [id, dayAgo(60)]);
    const ages = [31, 29, 10, 1];
    for (const days of ages) await emitted(days, dayAgo(days));
    await change(id, { isActive: true });
    const recovered = async (since: Date) => {
      receiver.forget();
      const { body } = await recover(id, since.toISOString());
      await delivered(service, id);
      expect(receiver.received).toHaveLength(body.recovered);
      return usersSent();
    };
    expect(await recovered(dayAgo(5))).toEqual(['1 days ago']);
    expect(await recovered(dayAgo(11))).toEqual(['10 days ago']);
    expect(await recovered(dayAgo(59))).toEqual(['29 days ago']);
  });

  test('continues from `nextSince` if one call was not enough, oldest first', async () => {
    const owner = { platformId: own.id, livemode: true };
    const id = await add({ isActive: false });
    const since = clock.now();
    for (let count = 0; count < 5; count += 1) await emitted(count, new Date(since.getTime() + count));
    const types = ['score.updated'] as const;
    const call = (from: Date, maxQueued: number, maxScanned: number) => {
      const what = { webhookId: id, types, since: from, now: clock.now(), maxQueued, maxScanned };
      return service.db.transaction((tx) => queueMissed(tx, owner, what));
    };
    const at = (count: number) => new Date(since.getTime() + count);
    expect(await call(since, 2, 100)).toEqual({ queued: 2, stoppedAt: at(1), hasMore: true });
    expect(await call(at(1), 100, 3)).toEqual({ queued: 2, stoppedAt: at(3), hasMore: true });
    expect(await call(at(3), 100, 3)).toEqual({ queued: 1, stoppedAt: at(4), hasMore: false });
    expect(await call(at(5), 100, 3)).toEqual({ queued: 0, stoppedAt: null, hasMore: false });
  });

  test('does not queue an envelope twice', async () => {
    const id = await add();
    receiver.react(() => ({ status: 503, headers: { 'Retry-After': '3600' } }));
    await happen('waiting');
    await logged(service, id, 1, own.live.key);
    expect((await recover(id)).body.recovered).toBe(0);
    await change(id, { isActive: false });
    await service.db.execute('delete from outbox_queue where target_id = $1', [id]);
    await change(id, { isActive: true });
    const answers = await Promise.all([recover(id), recover(id), recover(id)]);
    expect(answers.map(({ body }) => body.recovered).sort()).toEqual([0, 0, 1]);
  });

  test.each([
    ['a moment in the future', { since: '2999-01-01T00:00:00.000Z' }],
    ['no moment', {}],
    ['a date alone', { since: '2026-01-01' }],
  ])('since %s is refused', async (_, body) => {
    const answer = await post(`${await add()}/recover`, body);
    expect([answer.status, answer.body.code, answer.body.details[0].path]).toEqual([
      400,
      'VALIDATION_ERROR',
      'since',
    ]);
  });

  /** Inserts an envelope of that time. */
  async function emitted(days: number, createdAt: Date): Promise<void> {
    const data = { user: { externalId: `${days} days ago` } };
    await service.db.execute(
      `insert into envelope (platform_id, envelope_id, livemode, type, body, created_at)
       values ($1, $2, true, 'score.updated', $3, $4)`,
      [own.id, ids.at(createdAt), JSON.stringify({ data }), createdAt],
    );
  }
});
