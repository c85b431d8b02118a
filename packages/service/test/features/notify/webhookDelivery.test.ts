import { createHash, createHmac } from 'node:crypto';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { envelopeSchema, isEnvelopeType } from '#domain/envelopes/catalogue.js';
import { DAY_MS } from '#domain/timestamp.js';
import { breadth } from '#harness/engines.js';
import { eventually } from '#harness/eventually.js';
import { type Received, type Receiver, startReceiver } from '#harness/receiver.js';
import { startTestService, type TestService } from '#harness/service.js';
import { noteFailing } from '../../../src/features/notify/webhooks/deliveryStore.js';
import {
  addWebhook,
  attemptsOf,
  newSecret,
  pendingOf,
  type WebhookState,
  webhookState,
  writeImport,
} from './webhookDeliveryFixtures.js';

const SCORE_ONLY = { events: ['score.updated'] };

describe.each(breadth)('webhook deliveries on %s', (engine) => {
  let service: TestService;
  let receivers: Receiver[] = [];
  let offsetMs = 0;
  let subjects = 0;

  beforeAll(async () => {
    service = await startTestService(engine, {
      writesEnvelopes: true,
      clock: { now: () => new Date(Date.now() + offsetMs) },
      env: { WEBHOOK_RETRY_SCHEDULE: '0,0.05,0.1', WEBHOOK_ALLOWED_PRIVATE_CIDRS: '127.0.0.0/8' },
    });
  });
  afterAll(() => service.close());
  afterEach(async () => {
    await service.settle();
    await service.db.execute('delete from webhook');
    await service.db.execute('delete from outbox_queue');
    await Promise.all(receivers.map((receiver) => receiver.close()));
    receivers = [];
  });

  async function receiver(): Promise<Receiver> {
    const started = await startReceiver();
    receivers.push(started);
    return started;
  }

  /** Reports an event of a new subject, which causes an envelope about its first score. */
  async function report(key = service.liveKey): Promise<string> {
    subjects += 1;
    const userId = `worker-${subjects}`;
    const body = { userId, eventType: 'CONTRACT_FULFILLED', stakeLevel: 'HIGH', isVerified: true };
    expect(await service.request('POST', '/events', { key, body })).toMatchObject({ status: 201 });
    return userId;
  }

  const stateOf = (id: string): Promise<WebhookState | undefined> => webhookState(service.db, id);
  const attempts = (id: string) => attemptsOf(service.db, id);
  const attempted = (id: string, count: number) =>
    eventually(async () => (await attempts(id)).length >= count && (await pendingOf(service.db, id)) === 0);

  test('an event arrives as a signed envelope and is in the delivery log', async () => {
    const there = await receiver();
    there.react(() => ({ status: 202, body: 'taken' }));
    const { id, secret } = await addWebhook(service.db, `${there.url}/hooks?a=1`, SCORE_ONLY);
    const userId = await report();
    const [request] = await there.waitFor(1);
    if (!request) throw new Error('nothing came');
    expect(request).toMatchObject({ method: 'POST', path: '/hooks?a=1' });
    const envelope = JSON.parse(request.body);
    expect(envelope).toMatchObject({
      type: 'score.updated',
      livemode: true,
      data: { user: { externalId: userId }, previousScore: null },
    });
    expect(envelopeSchema('score.updated').safeParse(envelope)).toMatchObject({ success: true });
    expectSigned(request, [secret]);
    await attempted(id, 1);
    expect(await attempts(id)).toEqual([
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
    expect(await stateOf(id)).toEqual({ isActive: true, disabledReason: null, failingSince: null });
  });

  test('every sent envelope fits the schema of its type', async () => {
    const there = await receiver();
    await addWebhook(service.db, there.url);
    const userId = await report();
    await service.settle();
    for (const eventType of ['CONTRACT_BREACHED', 'TRANSACTION_COMPLETED', 'CONTRACT_BREACHED']) {
      const body = { userId, eventType, stakeLevel: 'HIGH', isVerified: true };
      await service.request('POST', '/events', { body });
      await service.settle();
    }
    const envelopes = (await there.waitFor(5)).map(({ body }) => JSON.parse(body));
    expect(new Set(envelopes.map(({ type }) => type))).toEqual(
      new Set(['score.updated', 'score.band_changed']),
    );
    for (const envelope of envelopes) {
      if (!isEnvelopeType(envelope.type)) throw new Error(`${envelope.type} is no type`);
      expect(envelopeSchema(envelope.type).safeParse(envelope)).toMatchObject({ success: true });
    }
  });

  test('a failed delivery is retried under the same id with new signatures until it succeeds', async () => {
    const there = await receiver();
    there.react((_request, number) => ({
      status: number < 2 ? 503 : 204,
      body: number < 2 ? 'not now' : '',
    }));
    const { id, secret } = await addWebhook(service.db, there.url, SCORE_ONLY);
    await report();
    const requests = await there.waitFor(3);
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
    expect(new Set(requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(requests.map(({ headers }) => headers.signature)).size).toBe(3);
    for (const request of requests) expectSigned(request, [secret]);
    await attempted(id, 3);
    const log = await attempts(id);
    expect(log.map(({ attempt, status }) => [attempt, status])).toEqual([
      [1, 'failed'],
      [2, 'failed'],
      [3, 'succeeded'],
    ]);
    expect(log.map(({ nextAttemptAt: next }) => next !== null)).toEqual([true, true, false]);
    expect(log[0]).toMatchObject({ responseStatus: 503, responseBody: 'not now', error: null });
    expect(await stateOf(id)).toMatchObject({ isActive: true, failingSince: null });
  });

  test('a delivery ends after the last wait of the schedule', async () => {
    const there = await receiver();
    there.react((_request, number) => (number === 1 ? 'hang up' : { status: 500 }));
    const { id } = await addWebhook(service.db, there.url, SCORE_ONLY);
    await report();
    await attempted(id, 3);
    expect(await attempts(id)).toMatchObject([
      { attempt: 1, status: 'failed' },
      { attempt: 2, status: 'failed' },
      { attempt: 3, status: 'failed', nextAttemptAt: null },
    ]);
    expect((await stateOf(id))?.failingSince).toBeInstanceOf(Date);
  });

  test('a receiver that sends Retry-After is not called earlier', async () => {
    const there = await receiver();
    there.react((_request, number) =>
      number === 0 ? { status: 429, headers: { 'Retry-After': '1' } } : { status: 204 },
    );
    const { id } = await addWebhook(service.db, there.url, SCORE_ONLY);
    await report();
    const [first, second] = await there.waitFor(2);
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(990);
    await attempted(id, 2);
  });

  test('an endpoint that answers 410 is disabled at once, with one entry in the activity log', async () => {
    const there = await receiver();
    there.react(() => ({ status: 410 }));
    const { id } = await addWebhook(service.db, there.url, SCORE_ONLY);
    await service.db.execute(
      `insert into outbox_queue (kind, target_id, envelope_id, platform_id, due_at)
       values ('webhook', $1, gen_random_uuid(), $2, now() + interval '1 day')`,
      [id, service.platformId],
    );
    await report();
    await attempted(id, 1);
    expect(await attempts(id)).toMatchObject([{ responseStatus: 410, nextAttemptAt: null }]);
    expect(await stateOf(id)).toMatchObject({ isActive: false, disabledReason: 'gone' });
    const emitted = await service.db.query(
      'select actor, details, livemode from activity where target = $1',
      [id],
    );
    expect(emitted).toEqual([{ actor: 'service', details: { reason: 'gone' }, livemode: true }]);
    await report();
    await service.settle();
    expect(await pendingOf(service.db, id)).toBe(0);
    expect(there.received).toHaveLength(1);
  });

  test('fewer than ten failed attempts never disable an endpoint', async () => {
    const there = await receiver();
    const { id } = await addWebhook(service.db, there.url, { events: ['import.completed'] });
    const limit = { failingForMs: 5 * DAY_MS, attempts: 10, maxGapMs: 1.1 * DAY_MS };
    const failAt = (at: Date) =>
      service.db.transaction((tx) =>
        noteFailing(tx, [{ webhookId: id, since: at, until: at, attempts: 1, isGone: false }], limit, at),
      );
    for (let day = 0; day < 9; day += 1) await failAt(new Date(day * DAY_MS));
    expect(await stateOf(id)).toMatchObject({ isActive: true, failingSince: new Date(0) });
    await failAt(new Date(9 * DAY_MS));
    expect(await stateOf(id)).toMatchObject({ isActive: false, disabledReason: 'failing' });
  });

  test('a redirect is a failure and is not followed', async () => {
    const [there, elsewhere] = [await receiver(), await receiver()];
    there.react(() => ({ status: 307, headers: { Location: elsewhere.url } }));
    const { id } = await addWebhook(service.db, there.url, SCORE_ONLY);
    await report();
    await attempted(id, 3);
    expect(await attempts(id)).toMatchObject([
      { status: 'failed', responseStatus: 307, error: expect.stringContaining('redirect') },
      {},
      {},
    ]);
    expect(elsewhere.received).toHaveLength(0);
  });

  test('a receiver that hangs does not delay others', async () => {
    const [stuck, good] = [await receiver(), await receiver()];
    stuck.react(() => 'hang');
    await addWebhook(service.db, stuck.url, SCORE_ONLY);
    await addWebhook(service.db, good.url, SCORE_ONLY);
    for (let count = 0; count < 8; count += 1) await report();
    await good.waitFor(8);
    expect(stuck.received.length).toBeLessThanOrEqual(4);
  });

  test('the queue of a deleted or disabled endpoint is dropped', async () => {
    const there = await receiver();
    const { id } = await addWebhook(service.db, there.url, SCORE_ONLY);
    await service.db.transaction(async (tx) => {
      await tx.execute('update webhook set is_active = false');
      await tx.execute(
        `insert into envelope (platform_id, envelope_id, livemode, type, body, created_at)
         values ($1, gen_random_uuid(), true, 'score.updated', '{}', now())`,
        [service.platformId],
      );
      await tx.execute(
        `insert into outbox_queue (kind, target_id, envelope_id, platform_id, due_at)
         select 'webhook', $1, envelope_id, platform_id, now() - interval '1 minute' from envelope where body = '{}'`,
        [id],
      );
    });
    await eventually(async () => (await pendingOf(service.db, id)) === 0);
    expect(await attempts(id)).toEqual([]);
    expect(there.received).toEqual([]);
  });

  test('live and test activity go to endpoints of their own mode', async () => {
    const [live, test] = [await receiver(), await receiver()];
    await addWebhook(service.db, live.url, SCORE_ONLY);
    await addWebhook(service.db, test.url, { ...SCORE_ONLY, livemode: false });
    await report(service.testKey);
    const [request] = await test.waitFor(1);
    expect(JSON.parse(request?.body ?? '{}')).toMatchObject({ livemode: false });
    // Days that passed in other tests can cause envelopes about live subjects.
    for (const { body } of live.received) expect(JSON.parse(body)).toMatchObject({ livemode: true });
  });

  test('a target that the address guard refuses is a failed attempt with the reason', async () => {
    // Nothing else causes an import, while days that passed in other tests change scores.
    const { id } = await addWebhook(service.db, 'https://10.0.0.1/hook', { events: ['import.completed'] });
    await writeImport(service.db, new Date(Date.now() + offsetMs));
    await attempted(id, 3);
    expect(await attempts(id)).toMatchObject([
      { responseStatus: null, responseBody: null, error: expect.stringContaining('not public') },
      {},
      {},
    ]);
  });

  // These move the clock. On a new day the scores are computed again, which sends envelopes, too.
  test('a rotated secret also signs until it expires', async () => {
    const there = await receiver();
    const previous = { secret: newSecret(), endsAt: new Date(Date.now() + offsetMs + DAY_MS) };
    const { secret } = await addWebhook(service.db, there.url, { ...SCORE_ONLY, previous });
    await report();
    const [during] = await there.waitFor(1);
    if (during) expectSigned(during, [secret, previous.secret]);
    offsetMs += 1.1 * DAY_MS;
    await report();
    const [, after] = await there.waitFor(2);
    if (after) expectSigned(after, [secret]);
  });

  test('five days without a success disable an endpoint; a success restarts the count', async () => {
    const there = await receiver();
    there.react(() => ({ status: 500 }));
    // A type that passing days cause by themselves would add more envelopes.
    const tell = () => writeImport(service.db, new Date(Date.now() + offsetMs));
    const { id } = await addWebhook(service.db, there.url, { events: ['import.completed'] });
    await tell();
    await attempted(id, 3);
    offsetMs += DAY_MS;
    there.react(() => ({ status: 204 }));
    await tell();
    await attempted(id, 4);
    expect(await stateOf(id)).toMatchObject({ failingSince: null });
    there.react(() => ({ status: 500 }));
    await tell();
    await attempted(id, 7);
    const since = (await stateOf(id))?.failingSince;
    for (let day = 1; day <= 4; day += 1) {
      offsetMs += DAY_MS;
      await tell();
      await attempted(id, 7 + 3 * day);
    }
    offsetMs += 0.9 * DAY_MS;
    await tell();
    await attempted(id, 22);
    expect(await stateOf(id)).toMatchObject({ isActive: true, failingSince: since });
    offsetMs += 0.2 * DAY_MS;
    await tell();
    await attempted(id, 23);
    expect(await stateOf(id)).toMatchObject({ isActive: false, disabledReason: 'failing' });
    expect(await attempts(id)).toHaveLength(23); // none followed
    const emitted = await service.db.query('select action, details from activity where target = $1', [id]);
    expect(emitted).toEqual([{ action: 'WEBHOOK_DISABLED', details: { reason: 'failing' } }]);
  });

  test('time without attempts does not count as failing, whatever failed before', async () => {
    const there = await receiver();
    there.react(() => ({ status: 500 }));
    const tell = () => writeImport(service.db, new Date(Date.now() + offsetMs));
    const { id } = await addWebhook(service.db, there.url, { events: ['import.completed'] });
    for (let count = 1; count <= 4; count += 1) {
      await tell();
      await attempted(id, 3 * count);
    }
    offsetMs += 6 * DAY_MS; // nothing ran
    await tell();
    await attempted(id, 15);
    expect(await stateOf(id)).toMatchObject({ isActive: true });
    for (let day = 1; day <= 4; day += 1) {
      offsetMs += DAY_MS;
      await tell();
      await attempted(id, 15 + 3 * day);
    }
    expect(await stateOf(id)).toMatchObject({ isActive: true });
    offsetMs += DAY_MS;
    await tell();
    await attempted(id, 28);
    expect(await stateOf(id)).toMatchObject({ isActive: false, disabledReason: 'failing' });
  });
});

/** Checks both HMAC schemes against the raw body, for each secret, newest first. */
function expectSigned({ headers, body }: Received, secrets: readonly string[]): void {
  const timestamp = String(headers['x-service-timestamp']);
  const expected = secrets.map((secret) =>
    createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex'),
  );
  expect(headers['x-service-signature']).toBe(expected.join(','));
  const digest = createHash('sha256').update(body).digest('base64');
  expect(headers['content-digest']).toBe(`sha-256=:${digest}:`);
  expect(headers['content-type']).toBe('application/json');
  expect(headers['webhook-id']).toBe(JSON.parse(body).id);
  expect(String(headers['webhook-signature']).split(' ')).toHaveLength(secrets.length);
  // The library reads the real clock, which these tests do not use, so the timestamp is replaced.
  for (const secret of secrets) {
    const webhook = new StandardWebhook(secret);
    const at = new Date(Number(timestamp) * 1000);
    const own = webhook.sign(String(headers['webhook-id']), at, body);
    expect(String(headers['webhook-signature']).split(' ')).toContain(own);
  }
}
