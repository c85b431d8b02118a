import { createHash, createHmac } from 'node:crypto';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { envelopeSchema } from '#domain/envelopes/catalogue.js';
import { breadth } from '#harness/engines.js';
import type { Reaction } from '#harness/receiver.js';
import { noteFailing } from '../../../src/features/notify/webhooks/deliveryStore.js';
import { DAY_MS, HOUR_MS } from '../tenancy/keyFixtures.js';
import { trailOf } from '../tenancy/trail.js';
import { write } from './streamFixtures.js';
import { addWebhook, failingSince, logged, webhookBench } from './webhooksFixtures.js';

const LATER: Reaction = { status: 503, body: 'not now', headers: { 'Retry-After': '3600' } };

describe.each(breadth)('webhook deliveries on %s', (engine) => {
  const bench = webhookBench(engine, { WEBHOOK_RETRY_SCHEDULE: '0,0.05,0.1' });
  const { ask, add, happen, delivered, log, clock } = bench;
  const read = async (id: string) => (await ask('GET', id)).body;

  test('an event arrives as a signed envelope and is in the delivery log', async () => {
    const { receiver, own, service } = bench;
    receiver.react(() => ({ status: 202, body: 'taken' }));
    const url = `${receiver.url}/${own.id}`;
    const { id, secret } = (await addWebhook(service, { url }, { key: own.live.key })).body;
    await happen('worker');
    await delivered(id);
    const [{ method, headers, body } = expect.unreachable()] = receiver.received;
    expect(method).toBe('POST');
    const envelope = JSON.parse(body);
    expect(envelopeSchema('score.updated').parse(envelope)).toEqual(envelope);
    expect(envelope).toMatchObject({
      livemode: true,
      data: { user: { externalId: 'worker' }, previousScore: null },
    });
    const signed = `${headers['x-service-timestamp']}.${body}`;
    const digest = createHash('sha256').update(body).digest('base64');
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'content-digest': `sha-256=:${digest}:`,
      'x-service-signature': createHmac('sha256', secret).update(signed).digest('hex'),
      'webhook-id': envelope.id,
    });
    new StandardWebhook(secret).verify(body, headers as Record<string, string>);
    expect(await log(id)).toEqual([
      expect.objectContaining({
        envelopeId: envelope.id,
        type: 'score.updated',
        status: 'succeeded',
        attempt: 1,
        responseStatus: 202,
        responseBody: 'taken',
        error: null,
        nextAttemptAt: null,
      }),
    ]);
    expect(await failingSince(service, id)).toBeNull();
  });

  test('a failed delivery is retried under the same id with new signatures until it succeeds', async () => {
    const answers: Reaction[] = [{ status: 500 }, { status: 500 }];
    bench.receiver.react(() => answers.shift() ?? { status: 204 });
    const id = await add();
    await happen('worker');
    await delivered(id);
    const distinct = (values: unknown[]) => new Set(values).size;
    const { received } = bench.receiver;
    expect(distinct(received.map(({ body }) => body))).toBe(1);
    expect(distinct(received.map(({ headers }) => headers['webhook-id']))).toBe(1);
    expect(distinct(received.map(({ headers }) => headers.signature))).toBe(3);
    const attempts = (await log(id)).map(({ attempt, status }) => [attempt, status]);
    expect(attempts).toEqual([
      [3, 'succeeded'],
      [2, 'failed'],
      [1, 'failed'],
    ]);
    expect(await failingSince(bench.service, id)).toBeNull();
  });

  test.each<[string, Reaction, object]>([
    ['an error', { status: 500, body: 'no' }, { responseStatus: 500, responseBody: 'no', error: null }],
    [
      'a redirect, which is not followed',
      { status: 307, headers: { Location: '/elsewhere' } },
      { responseStatus: 307, error: expect.stringContaining('redirect') },
    ],
    ['nothing', 'hang up', { responseStatus: null, responseBody: null, error: expect.any(String) }],
  ])(
    'a receiver that answers with %s is called until the last wait of the schedule',
    async (_, reaction, shown) => {
      bench.receiver.react(() => reaction);
      const id = await add();
      await happen('worker');
      await delivered(id);
      expect(await log(id)).toMatchObject([
        { ...shown, status: 'failed', attempt: 3, nextAttemptAt: null },
        { ...shown, status: 'failed', attempt: 2, nextAttemptAt: expect.any(String) },
        { ...shown, status: 'failed', attempt: 1, nextAttemptAt: expect.any(String) },
      ]);
      expect(await failingSince(bench.service, id)).toBeInstanceOf(Date);
    },
  );

  test('a receiver that sends Retry-After is not called earlier', async () => {
    bench.receiver.react(() => LATER);
    const id = await add();
    await happen('worker');
    const [first = expect.unreachable()] = await logged(bench.service, id, 1, bench.own.live.key);
    const waitMs = Date.parse(first.nextAttemptAt ?? '') - Date.parse(first.createdAt);
    expect(waitMs).toBeGreaterThanOrEqual(HOUR_MS);
    clock.aheadMs += waitMs;
    bench.receiver.react(() => ({ status: 204 }));
    await delivered(id);
    expect(bench.receiver.received).toHaveLength(2);
  });

  test('an endpoint that answers 410 is disabled at once with its queue, and can be enabled', async () => {
    bench.receiver.react(() => LATER);
    const id = await add();
    await happen('waiting');
    await logged(bench.service, id, 1, bench.own.live.key);
    bench.receiver.react(() => ({ status: 410 }));
    await happen('gone');
    await delivered(id);
    expect((await log(id))[0]).toMatchObject({ responseStatus: 410, nextAttemptAt: null });
    expect(await read(id)).toMatchObject({ isActive: false, disabledReason: 'gone' });
    await happen('missed');
    expect(bench.receiver.received).toHaveLength(2);
    const enabled = await ask('PATCH', id, { isActive: true });
    expect(enabled.body).toMatchObject({ isActive: true, disabledReason: null });
  });

  test.each(['DELETE', 'PATCH'])('what waits for an endpoint is dropped by %s', async (method) => {
    bench.receiver.react(() => LATER);
    const id = await add();
    await happen('worker');
    await logged(bench.service, id, 1, bench.own.live.key);
    await ask(method, id, method === 'PATCH' ? { isActive: false } : undefined);
    clock.aheadMs += 2 * HOUR_MS;
    await delivered(id);
    expect(bench.receiver.received).toHaveLength(1);
  });

  test('live and test activity go to endpoints of their own mode', async () => {
    const { live, test: inTest } = bench.own;
    const [ofLive, ofTest] = [await add(), await add({}, inTest.key)];
    await happen('worker', inTest.key);
    await delivered(ofTest);
    expect(bench.receiver.received.map(({ body }) => JSON.parse(body).livemode)).toEqual([false]);
    expect(await log(ofLive, live.key)).toEqual([]);
  });

  describe('an endpoint that fails', () => {
    /** After each number of days something happens, a type that passing days do not cause. */
    const happens = async (id: string, ...gaps: number[]) => {
      for (const days of gaps) {
        clock.aheadMs += days * DAY_MS;
        await write(bench.service.db, { platformId: bench.own.id, type: 'import.completed' });
        await delivered(id);
      }
    };
    const ofImports = () => add({ events: ['import.completed'] });

    test('is disabled after five days without a success, which restarts the count', async () => {
      bench.receiver.react(() => ({ status: 500 }));
      const id = await ofImports();
      await happens(id, 0);
      bench.receiver.react(() => ({ status: 204 }));
      await happens(id, 1);
      bench.receiver.react(() => ({ status: 500 }));
      await happens(id, 0, 1, 1, 1, 1, 0.9);
      expect(await read(id)).toMatchObject({ isActive: true });
      await happens(id, 0.2);
      expect(await read(id)).toMatchObject({ isActive: false, disabledReason: 'failing' });
      expect(await log(id)).toHaveLength(3 + 1 + 6 * 3 + 1);
      const [disabled] = await trailOf(bench.service, bench.own.live.key);
      expect(disabled).toMatchObject({ action: 'WEBHOOK_DISABLED', details: { reason: 'failing' } });
    });

    test('is not disabled for time without attempts, whatever failed before', async () => {
      bench.receiver.react(() => ({ status: 500 }));
      const id = await ofImports();
      await happens(id, 0, 0, 0, 0, 6, 1, 1, 1, 1);
      expect(await read(id)).toMatchObject({ isActive: true });
      await happens(id, 1);
      expect(await read(id)).toMatchObject({ isActive: false, disabledReason: 'failing' });
    });

    test('is not disabled for fewer than ten attempts', async () => {
      const id = await ofImports();
      const limit = { failingForMs: 5 * DAY_MS, attempts: 10, maxGapMs: 1.1 * DAY_MS };
      const failAt = (at: Date) =>
        bench.service.db.transaction((tx) =>
          noteFailing(tx, [{ webhookId: id, since: at, until: at, attempts: 1, isGone: false }], limit, at),
        );
      for (let day = 0; day < 9; day += 1) await failAt(new Date(day * DAY_MS));
      expect(await read(id)).toMatchObject({ isActive: true });
      expect(await failingSince(bench.service, id)).toEqual(new Date(0));
      await failAt(new Date(9 * DAY_MS));
      expect(await read(id)).toMatchObject({ isActive: false, disabledReason: 'failing' });
    });
  });
});
