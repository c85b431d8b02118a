import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { type Receiver, startReceiver } from '#harness/receiver.js';
import { startTestService, type TestService } from '#harness/service.js';
import { movableClock } from '../tenancy/keyFixtures.js';
import { addedPlatform, type OwnPlatform } from '../tenancy/trail.js';
import { addWebhook, LOOPBACK_ALLOWED, logged } from './webhooksFixtures.js';

const HOUR_MS = 3_600_000;

describe.each(breadth)('requests and attempts of webhooks on %s', (engine) => {
  let service: TestService;
  let receiver: Receiver;
  let own: OwnPlatform;
  const clock = movableClock();

  beforeAll(async () => {
    receiver = await startReceiver();
    service = await startTestService(engine, { env: LOOPBACK_ALLOWED, clock });
  });
  afterAll(async () => {
    await service.close();
    await receiver.close();
  });
  beforeEach(async () => {
    own = await addedPlatform(service);
    receiver.startOver(`/${own.id}`);
  });

  const ask = (method: string, path: string, more: object = {}) =>
    service.request(method, `/webhooks${path}`, { key: own.live.key, ...more });
  const add = async () =>
    (await addWebhook(service, { url: `${receiver.url}/${own.id}` }, { key: own.live.key })).body;
  const attempt = async (id: string) => (await ask('POST', `/${id}/test`)).body;

  test('the request of an attempt is what was sent, with a signature that the secret of that time proves', async () => {
    const { id, secret } = await add();
    const delivery = await attempt(id);
    await ask('PATCH', `/${id}`, { body: { url: `${receiver.url}/moved` } });
    await ask('POST', `/${id}/rotate-secret`);
    const { status, body } = await ask('GET', `/${id}/deliveries/${delivery.id}/request`);
    expect(status).toBe(200);
    const [received] = receiver.received;
    expect(body).toMatchObject({ method: 'POST', url: `${receiver.url}/${own.id}`, body: received?.body });
    for (const [name, value] of Object.entries(body.headers)) {
      expect(received?.headers[name.toLowerCase()]).toBe(value);
    }
    const signed = `${body.headers['X-Service-Timestamp']}.${body.body}`;
    expect(body.headers['X-Service-Signature']).toBe(
      createHmac('sha256', secret).update(signed).digest('hex'),
    );
    expect(JSON.stringify(body)).not.toContain(secret);
  });

  test('attempts of the queue keep their request, too, also after a failure', async () => {
    receiver.react(() => ({ status: 500 }));
    const { id } = await add();
    await service.request('POST', '/events', {
      key: own.live.key,
      body: { userId: 'ada', eventType: 'CONTRACT_FULFILLED' },
    });
    await service.settle();
    const [delivery] = await logged(service, id, 1, own.live.key);
    const { body } = await ask('GET', `/${id}/deliveries/${delivery?.id}/request`);
    expect(body.headers['webhook-id']).toBe(delivery?.envelopeId);
    expect(JSON.parse(body.body).id).toBe(delivery?.envelopeId);
  });

  test('a request whose body is gone is refused, and so is one from before requests were stored', async () => {
    const { id } = await add();
    const [first, second] = [await attempt(id), await attempt(id)];
    await service.db.execute(`update envelope set body = '' where envelope_id = $1`, [first.envelopeId]);
    await service.db.execute('update delivery set sent = null where delivery_id = $1', [second.id]);
    for (const delivery of [first, second]) {
      expect(await ask('GET', `/${id}/deliveries/${delivery.id}/request`)).toMatchObject({
        status: 409,
        body: { code: 'PAYLOAD_NOT_RETAINED' },
      });
    }
  });

  test('attempts are counted by hour, for each endpoint of the mode', async () => {
    const [older, newer] = [await add(), await add()];
    clock.aheadMs += HOUR_MS - (clock.now().getTime() % HOUR_MS); // an hour begins
    await attempt(older.id);
    clock.aheadMs += 2 * HOUR_MS;
    await attempt(older.id);
    receiver.react(() => ({ status: 500 }));
    await attempt(older.id);
    const { body } = await ask('GET', '/attempts?hours=3');
    expect(body.endpoints).toEqual([
      { webhookId: newer.id, succeeded: [0, 0, 0], failed: [0, 0, 0] },
      { webhookId: older.id, succeeded: [1, 0, 1], failed: [0, 0, 1] },
    ]);
    expect(Date.parse(body.from) % HOUR_MS).toBe(0);
    expect((await ask('GET', '/attempts')).body.endpoints[1].succeeded).toHaveLength(24);
    const other = await service.request('GET', '/webhooks/attempts', { key: own.test.key });
    expect(other.body.endpoints).toEqual([]);
  });
});
