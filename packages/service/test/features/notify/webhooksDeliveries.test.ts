import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { envelopeSchema, envelopeTypes } from '#domain/envelopes/catalogue.js';
import { breadth } from '#harness/engines.js';
import { type Receiver, startReceiver } from '#harness/receiver.js';
import { startTestService, type TestService } from '#harness/service.js';
import { outcome, report } from '../intake/eventFixtures.js';
import { DAY_MS, movableClock } from '../tenancy/keyFixtures.js';
import { addedPlatform, type OwnPlatform, trailOf } from '../tenancy/trail.js';
import { addWebhook, delivered, LOOPBACK_ALLOWED, logged, logOf } from './webhooksFixtures.js';

const LONG_AGO = '2020-01-01T00:00:00.000Z';

describe.each(breadth)('test deliveries, replays and the log on %s', (engine) => {
  let service: TestService;
  let receiver: Receiver;
  let own: OwnPlatform;
  const clock = movableClock();

  beforeAll(async () => {
    receiver = await startReceiver();
    // Two attempts without a wait: the second failure is final.
    const env = { ...LOOPBACK_ALLOWED, WEBHOOK_RETRY_SCHEDULE: '0,0' };
    service = await startTestService(engine, { env, clock });
  });
  afterAll(async () => {
    await service.close();
    await receiver.close();
  });
  beforeEach(async () => {
    own = await addedPlatform(service);
    receiver.startOver(`/${own.id}`);
  });

  const add = async (more: object = {}, key = own.live.key): Promise<string> =>
    (await addWebhook(service, { url: `${receiver.url}/${own.id}`, ...more }, { key })).body.id;
  const post = (path: string, body?: object, key = own.live.key, more = {}) =>
    service.request('POST', `/webhooks/${path}`, { key, body, ...more });
  const change = (id: string, body: object) =>
    service.request('PATCH', `/webhooks/${id}`, { key: own.live.key, body });
  /** Reports an outcome and waits until its envelope is delivered. */
  const happen = async (userId: string, key = own.live.key) => {
    await report(service, outcome({ userId }), { key });
    await service.settle();
  };

  describe('a test delivery', () => {
    test.each(envelopeTypes)('sends a marked, signed and logged example of %s', async (type) => {
      const id = await add({}, own.test.key);
      const answer = await post(`${id}/test`, { type }, own.test.key);
      expect(answer.status).toBe(200);
      const [request] = receiver.received;
      const envelope = JSON.parse(request?.body ?? '');
      expect(envelope).toMatchObject({ type, livemode: false, data: { test: true } });
      expect(envelopeSchema(type).safeParse(envelope).success).toBe(true);
      expect(request?.headers).toMatchObject({
        'webhook-id': envelope.id,
        'x-service-signature': expect.stringMatching(/^[0-9a-f]{64}$/),
        'webhook-signature': expect.stringMatching(/^v1,/),
        'signature-input': expect.stringMatching(/^sig1=/),
      });
      expect(answer.body).toEqual({
        id: expect.any(String),
        webhookId: id,
        envelopeId: envelope.id,
        type,
        status: 'succeeded',
        attempt: 1,
        responseStatus: 204,
        latencyMs: expect.any(Number),
        responseBody: '',
        error: null,
        createdAt: expect.any(String),
        nextAttemptAt: null,
      });
      expect(await logOf(service, id, { key: own.test.key })).toEqual([answer.body]);
    });

    test('has the type score.updated by default, and is live with a live key', async () => {
      const id = await add();
      expect((await post(`${id}/test`)).body.type).toBe('score.updated');
      expect(JSON.parse(receiver.received[0]?.body ?? '').livemode).toBe(true);
      expect((await post(`${id}/test`, { type: 'coffee.made' })).body.code).toBe('VALIDATION_ERROR');
    });

    test('reaches a disabled endpoint, and a failed one is reported and changes nothing', async () => {
      const id = await add({ isActive: false });
      receiver.react(() => ({ status: 410, body: 'gone' }));
      const answer = await post(`${id}/test`);
      expect([answer.status, answer.body]).toMatchObject([
        200,
        { status: 'failed', responseStatus: 410, responseBody: 'gone', nextAttemptAt: null },
      ]);
      expect(answer.body.error).not.toMatch(/inactive|disabled/);
      await change(id, { isActive: true });
      await post(`${id}/test`);
      const [row] = await service.db.query(
        'select is_active, failing_since from webhook where webhook_id = $1',
        [id],
      );
      expect(row).toEqual({ isActive: true, failingSince: null });
      expect(await service.db.query('select 1 from outbox_queue where target_id = $1', [id])).toEqual([]);
    });

    test('of the operator is in the log of the platform', async () => {
      const id = await add();
      const path = `/admin/platforms/${own.id}/webhooks/${id}`;
      const tested = await service.request('POST', `${path}/test`, { admin: true });
      expect(tested.status).toBe(200);
      const replayed = await service.request('POST', `${path}/deliveries/${tested.body.id}/replay`, {
        admin: true,
      });
      expect(replayed.body).toMatchObject({ envelopeId: tested.body.envelopeId, attempt: 2 });
      expect(await logOf(service, id, { key: own.live.key })).toEqual([replayed.body, tested.body]);
      const listed = await service.request('GET', `${path}/deliveries`, { admin: true });
      expect(listed.body).toEqual({ deliveries: [replayed.body, tested.body], nextCursor: null });
    });

    test('one too many at once for a platform is refused with Retry-After', async () => {
      const id = await add();
      let refusals = 0;
      let release = (): void => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      receiver.react(() => held.then(() => ({ status: 204 })));
      const answers = await Promise.all(
        Array.from({ length: 12 }, async () => {
          const answer = await post(`${id}/test`);
          if (answer.status === 429) refusals += 1;
          if (refusals === 4) release();
          return answer;
        }),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([
        ...Array(8).fill(200),
        ...Array(4).fill(429),
      ]);
      const refused = answers.find(({ status }) => status === 429);
      expect(refused?.body.code).toBe('RATE_LIMIT_EXCEEDED');
      expect(refused?.headers.get('retry-after')).toBe('1');
    });
  });

  describe('a replay', () => {
    test('sends the same bytes under the same id with new signatures', async () => {
      const id = await add();
      await happen('replayed');
      await delivered(service, id);
      const [first] = await logOf(service, id, { key: own.live.key });
      clock.aheadMs += 60_000;
      const answer = await post(`${id}/deliveries/${first?.id}/replay`);
      expect([answer.status, answer.body]).toMatchObject([
        200,
        { envelopeId: first?.envelopeId, type: 'score.updated', status: 'succeeded', attempt: 2 },
      ]);
      const [sent, again] = receiver.received;
      expect(again?.body).toBe(sent?.body);
      expect(again?.headers['webhook-id']).toBe(sent?.headers['webhook-id']);
      expect(again?.headers['x-service-signature']).not.toBe(sent?.headers['x-service-signature']);
      expect(await logOf(service, id, { key: own.live.key })).toEqual([answer.body, first]);
      const one = await service.request('GET', `/webhooks/${id}/deliveries/${first?.id}`, {
        key: own.live.key,
      });
      expect(one.body).toEqual(first);
    });

    test('continues the numbers of the attempts, and simultaneous replays get different numbers', async () => {
      const id = await add();
      receiver.react(() => ({ status: 500 }));
      await happen('numbered');
      await delivered(service, id);
      const log = await logOf(service, id, { key: own.live.key });
      expect(log.map(({ attempt }) => attempt)).toEqual([2, 1]);
      const replays = await Promise.all(log.map((row) => post(`${id}/deliveries/${row.id}/replay`)));
      expect(replays.map(({ body }) => body.attempt).sort()).toEqual([3, 4]);
    });

    test('that succeeds ends the retries of the envelope and the count of failing days', async () => {
      const id = await add();
      receiver.react(() => ({ status: 503, headers: { 'Retry-After': '3600' } }));
      await happen('replayed');
      await receiver.waitFor(1);
      const [failed] = await logged(service, id, 1, own.live.key);
      const state = () =>
        service.db.query<{ failing: boolean; waits: boolean }>(
          `select failing_since is not null as failing, exists (
             select 1 from outbox_queue where target_id = webhook_id) as waits from webhook where webhook_id = $1`,
          [id],
        );
      expect(await state()).toEqual([{ failing: true, waits: true }]);
      expect((await post(`${id}/deliveries/${failed?.id}/replay`)).body.status).toBe('failed');
      expect(await state()).toEqual([{ failing: true, waits: true }]);
      receiver.react(() => ({ status: 200 }));
      expect((await post(`${id}/deliveries/${failed?.id}/replay`)).body.status).toBe('succeeded');
      expect(await state()).toEqual([{ failing: false, waits: false }]);
    });

    test('is refused after a reset deleted the test data', async () => {
      const id = await add({}, own.test.key);
      await happen('reset', own.test.key);
      await delivered(service, id);
      const [row] = await logOf(service, id, { key: own.test.key });
      await service.request('DELETE', '/test/data', { key: own.test.key });
      const answer = await post(`${id}/deliveries/${row?.id}/replay`, undefined, own.test.key);
      expect([answer.status, answer.body.code]).toEqual([409, 'PAYLOAD_NOT_RETAINED']);
      expect(await logOf(service, id, { key: own.test.key })).toEqual([row]);
    });
  });

  describe('the log', () => {
    test('can be filtered by status and type', async () => {
      const id = await add();
      await post(`${id}/test`, { type: 'dispute.resolved' });
      receiver.react(() => ({ status: 500 }));
      await post(`${id}/test`, { type: 'dispute.resolved' });
      await post(`${id}/test`);
      const all = await logOf(service, id, { key: own.live.key });
      expect(all).toHaveLength(3);
      for (const [query, isWanted] of [
        ['&status=failed', ({ status }) => status === 'failed'],
        ['&status=succeeded', ({ status }) => status === 'succeeded'],
        ['&type=dispute.resolved', ({ type }) => type === 'dispute.resolved'],
        [
          '&type=dispute.resolved&status=failed',
          (row) => row.type !== 'score.updated' && row.status === 'failed',
        ],
        ['&type=import.completed', () => false],
      ] as [string, (row: (typeof all)[number]) => boolean][]) {
        expect(await logOf(service, id, { key: own.live.key, query, limit: 1 })).toEqual(
          all.filter(isWanted),
        );
      }
    });

    test('neither repeats nor hides an entry to a reader while deliveries go on', async () => {
      const id = await add();
      for (let count = 0; count < 7; count += 1) await post(`${id}/test`);
      const before = await logOf(service, id, { key: own.live.key });
      const walked: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const path = `/webhooks/${id}/deliveries?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`;
        const meanwhile = Promise.all([post(`${id}/test`), happen(`meanwhile-${walked.length}`)]);
        const { body } = await service.request('GET', path, { key: own.live.key });
        // The pages must contain all that was acknowledged before. The first one may contain newer
        // entries.
        walked.push(...body.deliveries.map((row: { id: string }) => row.id));
        cursor = body.nextCursor;
        await meanwhile;
      }
      expect(new Set(walked).size).toBe(walked.length);
      const known = new Set(before.map((row) => row.id));
      expect(walked.filter((row) => known.has(row))).toEqual(before.map((row) => row.id));
      const whole = (await logOf(service, id, { key: own.live.key })).map((row) => row.id);
      expect(walked).toEqual(
        whole.slice(whole.indexOf(walked[0] ?? '')).filter((row) => walked.includes(row)),
      );
    });
  });

  test('test deliveries and replays pass the address guard too', async () => {
    const id = await add();
    await service.db.execute("update webhook set url = 'https://10.0.0.1/' where webhook_id = $1", [id]);
    const { body } = await post(`${id}/test`);
    expect(body).toMatchObject({ status: 'failed', responseStatus: null, responseBody: null });
    expect(body.error).toMatch(/not public/);
    expect(receiver.received).toEqual([]);
  });

  test('a rotated secret also signs for a day, in both headers, the new one first', async () => {
    const id = await add();
    const signatures = async () => {
      receiver.forget();
      await post(`${id}/test`);
      const headers = receiver.received[0]?.headers;
      return [
        String(headers?.['x-service-signature']).split(','),
        String(headers?.['webhook-signature']).split(' '),
      ].map((all) => all.length);
    };
    expect(await signatures()).toEqual([1, 1]);
    await post(`${id}/rotate-secret`);
    expect(await signatures()).toEqual([2, 2]);
    clock.aheadMs += DAY_MS + 1000;
    expect(await signatures()).toEqual([1, 1]);
  });

  test('an endpoint that the service disabled can be enabled, and the activity log has both', async () => {
    const id = await add();
    receiver.react(() => ({ status: 410 }));
    await happen('gone');
    await delivered(service, id);
    const read = async () => (await service.request('GET', `/webhooks/${id}`, { key: own.live.key })).body;
    expect(await read()).toMatchObject({ isActive: false, disabledReason: 'gone' });
    await change(id, { isActive: true });
    expect(await read()).toMatchObject({ isActive: true, disabledReason: null });
    const [back, disabled] = await trailOf(service, own.live.key);
    expect(back).toMatchObject({
      action: 'WEBHOOK_UPDATED',
      details: { isActive: { from: false, to: true } },
    });
    expect(disabled).toMatchObject({
      action: 'WEBHOOK_DISABLED',
      actor: 'service',
      details: { reason: 'gone' },
    });
    receiver.react(() => ({ status: 204 }));
    expect((await post(`${id}/recover`, { since: LONG_AGO })).body.recovered).toBe(1);
  });
});
