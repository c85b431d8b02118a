import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { DAY_MS, HOUR_MS } from '../tenancy/keyFixtures.js';
import {
  addWebhook,
  type DeliveryResponse,
  failingSince,
  logged,
  logOf,
  webhookBench,
} from './webhooksFixtures.js';

describe.each(breadth)('test deliveries, replays and the log on %s', (engine) => {
  // Two attempts without a wait: the second failure is final.
  const bench = webhookBench(engine, { WEBHOOK_RETRY_SCHEDULE: '0,0' });
  const { ask, add, happen, delivered, log, clock } = bench;
  const send = (id: string, body?: object, key?: string) => ask('POST', `${id}/test`, body, key);
  const replay = (id: string, deliveryId = '', key?: string) =>
    ask('POST', `${id}/deliveries/${deliveryId}/replay`, undefined, key);

  describe('a test delivery', () => {
    test('sends a marked, signed and logged example, of score.updated by default', async () => {
      const { test: inTest } = bench.own;
      const id = await add({}, inTest.key);
      const answer = await send(id, undefined, inTest.key);
      expect(answer.status).toBe(200);
      const [request] = bench.receiver.received;
      const envelope = JSON.parse(request?.body ?? '');
      expect(envelope).toMatchObject({ type: 'score.updated', livemode: false, data: { test: true } });
      expect(request?.headers['webhook-id']).toBe(envelope.id);
      expect(answer.body).toEqual({
        id: expect.any(String),
        webhookId: id,
        envelopeId: envelope.id,
        type: 'score.updated',
        userId: null,
        status: 'succeeded',
        attempt: 1,
        responseStatus: 204,
        latencyMs: expect.any(Number),
        responseBody: '',
        error: null,
        createdAt: expect.any(String),
        nextAttemptAt: null,
      });
      expect(await log(id, inTest.key)).toEqual([answer.body]);
    });

    test('reaches a disabled endpoint, and a failed one is reported and changes nothing', async () => {
      const id = await add({ isActive: false });
      bench.receiver.react(() => ({ status: 410, body: 'gone' }));
      const answer = await send(id);
      expect([answer.status, answer.body]).toMatchObject([
        200,
        { status: 'failed', responseStatus: 410, responseBody: 'gone', nextAttemptAt: null },
      ]);
      expect(answer.body.error).not.toMatch(/inactive|disabled/);
      await ask('PATCH', id, { isActive: true });
      await send(id);
      expect((await ask('GET', id)).body.isActive).toBe(true);
      expect(await failingSince(bench.service, id)).toBeNull();
      expect(bench.receiver.received).toHaveLength(2);
    });

    test('one too many at once for a platform is refused with Retry-After', async () => {
      const id = await add();
      let refusals = 0;
      let release = (): void => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      bench.receiver.react(() => held.then(() => ({ status: 204 })));
      const answers = await Promise.all(
        Array.from({ length: 12 }, async () => {
          const answer = await send(id);
          if (answer.status === 429) refusals += 1;
          if (refusals === 4) release();
          return answer;
        }),
      );
      const refused = answers.filter(({ status }) => status !== 200);
      expect(refused).toHaveLength(4);
      for (const { status, body, headers } of refused)
        expect([status, body.code, headers.get('retry-after')]).toEqual([429, 'RATE_LIMIT_EXCEEDED', '1']);
    });

    test('passes the address guard', async () => {
      const id = await add();
      const url = 'https://10.0.0.1/';
      await bench.service.db.execute('update webhook set url = $2 where webhook_id = $1', [id, url]);
      const { body } = await send(id);
      expect(body).toMatchObject({ status: 'failed', responseStatus: null, responseBody: null });
      expect(body.error).toMatch(/not public/);
      expect(bench.receiver.received).toEqual([]);
    });
  });

  describe('a replay', () => {
    test('sends the same bytes under the same id with new signatures', async () => {
      const id = await add();
      await happen('replayed');
      await delivered(id);
      const [first] = await log(id);
      clock.aheadMs += 60_000;
      const answer = await replay(id, first?.id);
      expect([answer.status, answer.body]).toMatchObject([
        200,
        { envelopeId: first?.envelopeId, type: 'score.updated', status: 'succeeded', attempt: 2 },
      ]);
      const [sent, again] = bench.receiver.received;
      expect(again?.body).toBe(sent?.body);
      expect(again?.headers['webhook-id']).toBe(sent?.headers['webhook-id']);
      expect(again?.headers['x-service-signature']).not.toBe(sent?.headers['x-service-signature']);
      expect(await log(id)).toEqual([answer.body, first]);
      expect((await ask('GET', `${id}/deliveries/${first?.id}`)).body).toEqual(first);
    });

    test('continues the numbers of the attempts, and simultaneous replays get different numbers', async () => {
      const id = await add();
      bench.receiver.react(() => ({ status: 500 }));
      await happen('numbered');
      await delivered(id);
      const replays = await Promise.all((await log(id)).map((row) => replay(id, row.id)));
      expect(replays.map(({ body }) => body.attempt).sort()).toEqual([3, 4]);
    });

    test('that succeeds ends the retries of the envelope and the count of failing days', async () => {
      const id = await add();
      bench.receiver.react(() => ({ status: 503, headers: { 'Retry-After': '3600' } }));
      await happen('replayed');
      const [failed] = await logged(bench.service, id, 1, bench.own.live.key);
      expect((await replay(id, failed?.id)).body.status).toBe('failed');
      const since = await failingSince(bench.service, id);
      expect(since).toBeInstanceOf(Date);
      expect((await ask('GET', id)).body.failingSince).toBe(since?.toISOString());
      bench.receiver.react(() => ({ status: 200 }));
      expect((await replay(id, failed?.id)).body.status).toBe('succeeded');
      expect(await failingSince(bench.service, id)).toBeNull();
      expect((await ask('GET', id)).body.failingSince).toBeNull();
      await delivered(id);
      expect(bench.receiver.received).toHaveLength(3);
    });

    test('is refused after a reset deleted the test data', async () => {
      const { key } = bench.own.test;
      const id = await add({}, key);
      await happen('reset', key);
      await delivered(id);
      const [row] = await log(id, key);
      await bench.service.request('DELETE', '/test/data', { key });
      const answer = await replay(id, row?.id, key);
      expect([answer.status, answer.body.code]).toEqual([409, 'PAYLOAD_NOT_RETAINED']);
      expect(row?.userId).toBe('reset');
      expect(await log(id, key)).toEqual([{ ...row, userId: null }]);
    });
  });

  describe('the log', () => {
    test('can be filtered by status and type', async () => {
      const id = await add();
      await send(id, { type: 'dispute.resolved' });
      bench.receiver.react(() => ({ status: 500 }));
      await send(id, { type: 'dispute.resolved' });
      await send(id);
      const all = await log(id);
      expect(all).toHaveLength(3);
      const isFailed = ({ status }: DeliveryResponse) => status === 'failed';
      const isOfDispute = ({ type }: DeliveryResponse) => type === 'dispute.resolved';
      for (const [query, wanted] of [
        ['&status=failed', all.filter(isFailed)],
        ['&status=succeeded', all.filter((row) => !isFailed(row))],
        ['&type=dispute.resolved', all.filter(isOfDispute)],
        ['&type=dispute.resolved&status=failed', all.filter(isOfDispute).filter(isFailed)],
        ['&type=import.completed', []],
      ] as const) {
        expect(await logOf(bench.service, id, { key: bench.own.live.key, query, limit: 1 })).toEqual(wanted);
      }
    });

    test('names the subject of each attempt, and is searched by it, by ids, type, error and answer', async () => {
      const id = await add();
      await happen('Olga-1');
      await happen('bob');
      await delivered(id);
      bench.receiver.react(() => ({ status: 503, body: 'Too Busy_%' }));
      await send(id);
      const all = await log(id);
      expect(all.map(({ userId }) => userId)).toEqual([null, 'bob', 'Olga-1']);
      const [test, bob, olga] = all;
      for (const [q, wanted] of [
        ['OLGA', [olga]],
        [olga?.envelopeId, [olga]],
        [bob?.id, [bob]],
        ['score.updated', all],
        ['busy_%', [test]],
        ['y%y', []],
        ['nobody', []],
      ] as const) {
        const query = `&q=${encodeURIComponent(q ?? '')}`;
        const found = await logOf(bench.service, id, { key: bench.own.live.key, query, limit: 1 });
        expect(found, q).toEqual(wanted);
      }
      // Its digits may stand in an id, too.
      const unavailable = await logOf(bench.service, id, { key: bench.own.live.key, query: '&q=503' });
      expect(unavailable).toContainEqual(test);
      const failed = await logOf(bench.service, id, { key: bench.own.live.key, query: '&q=a&status=failed' });
      expect(failed).toEqual([test]);
    });

    test('is searched to its end, page by page, however long it is', async () => {
      const id = await add();
      await happen('needle');
      await delivered(id);
      const [needle] = await log(id);
      // Newer ones, more than a page looks through.
      await bench.service.db.execute(
        `insert into delivery (platform_id, delivery_id, webhook_id, envelope_id, type, status, attempt, latency_ms, created_at)
         select platform_id, ('ffffffff-ffff-7fff-bfff-' || lpad(to_hex(number), 12, '0'))::uuid, webhook_id,
           envelope_id, type, 'succeeded', 2, 1, created_at
         from delivery cross join generate_series(1, 5001) as number where delivery_id = $1`,
        [needle?.id],
      );
      await bench.service.db.execute(`update envelope set subject_id = null where envelope_id = $1`, [
        needle?.envelopeId,
      ]);
      await bench.service.db.execute(`update delivery set error = 'the needle' where delivery_id = $1`, [
        needle?.id,
      ]);
      const first = (await ask('GET', `${id}/deliveries?q=needle`)).body;
      expect(first).toEqual({ deliveries: [], nextCursor: expect.any(String) });
      const second = (await ask('GET', `${id}/deliveries?q=needle&cursor=${first.nextCursor}`)).body;
      expect(second).toEqual({
        deliveries: [{ ...needle, userId: null, error: 'the needle' }],
        nextCursor: null,
      });
    });

    test('neither repeats nor hides an entry to a reader while deliveries go on', async () => {
      const id = await add();
      for (let count = 0; count < 7; count += 1) await send(id);
      const idsOf = (rows: { id: string }[]) => rows.map((row) => row.id);
      const before = idsOf(await log(id));
      const walked: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const query = cursor === '' ? '' : `&cursor=${cursor}`;
        const meanwhile = Promise.all([send(id), happen(`meanwhile-${walked.length}`)]);
        const { body } = await ask('GET', `${id}/deliveries?limit=2${query}`);
        // The pages must contain all that was acknowledged before. The first one may contain newer
        // entries.
        walked.push(...idsOf(body.deliveries));
        cursor = body.nextCursor;
        await meanwhile;
      }
      expect(new Set(walked).size).toBe(walked.length);
      expect(walked.filter((row) => before.includes(row))).toEqual(before);
      const whole = idsOf(await log(id));
      const since = whole.slice(whole.indexOf(walked[0] ?? ''));
      expect(walked).toEqual(since.filter((row) => walked.includes(row)));
    });
  });

  test('a rotated secret also signs for a day, in both headers', async () => {
    const id = await add();
    const signatures = async () => {
      bench.receiver.forget();
      await send(id);
      const headers = bench.receiver.received[0]?.headers;
      return [
        String(headers?.['x-service-signature']).split(',').length,
        String(headers?.['webhook-signature']).split(' ').length,
      ];
    };
    expect(await signatures()).toEqual([1, 1]);
    await ask('POST', `${id}/rotate-secret`);
    expect(await signatures()).toEqual([2, 2]);
    clock.aheadMs += DAY_MS + 1000;
    expect(await signatures()).toEqual([1, 1]);
  });

  describe('the request of an attempt', () => {
    const requestOf = (id: string, deliveryId = '') => ask('GET', `${id}/deliveries/${deliveryId}/request`);

    test('is what was sent, with a signature that the secret of that time proves', async () => {
      const url = `${bench.receiver.url}/${bench.own.id}`;
      const { id, secret } = (await addWebhook(bench.service, { url }, bench.own.live)).body;
      const delivery = (await send(id)).body;
      await ask('PATCH', id, { url: `${bench.receiver.url}/moved` });
      await ask('POST', `${id}/rotate-secret`);
      const { status, body } = await requestOf(id, delivery.id);
      expect(status).toBe(200);
      const [received] = bench.receiver.received;
      expect(body).toMatchObject({ method: 'POST', url, body: received?.body });
      for (const [name, value] of Object.entries(body.headers)) {
        expect(received?.headers[name.toLowerCase()]).toBe(value);
      }
      const signed = `${body.headers['X-Service-Timestamp']}.${body.body}`;
      const signature = createHmac('sha256', secret).update(signed).digest('hex');
      expect(body.headers['X-Service-Signature']).toBe(signature);
      expect(JSON.stringify(body)).not.toContain(secret);
    });

    test('is kept of those of the queue, too, also after a failure', async () => {
      bench.receiver.react(() => ({ status: 500 }));
      const id = await add();
      await happen('ada');
      const [delivery] = await logged(bench.service, id, 1, bench.own.live.key);
      const { body } = await requestOf(id, delivery?.id);
      expect(body.headers['webhook-id']).toBe(delivery?.envelopeId);
      expect(JSON.parse(body.body).id).toBe(delivery?.envelopeId);
    });

    test('is refused, as its replay, if its body is gone, or if it is from before requests were stored', async () => {
      const { db } = bench.service;
      const id = await add();
      const [blank, swept, older] = [(await send(id)).body, (await send(id)).body, (await send(id)).body];
      await db.execute(`update envelope set body = '' where envelope_id = $1`, [blank.envelopeId]);
      await db.execute('delete from envelope where envelope_id = $1', [swept.envelopeId]);
      await db.execute('update delivery set sent = null where delivery_id = $1', [older.id]);
      const refused = { status: 409, body: { code: 'PAYLOAD_NOT_RETAINED' } };
      for (const each of [blank, swept, older]) expect(await requestOf(id, each.id)).toMatchObject(refused);
      for (const each of [blank, swept]) expect(await replay(id, each.id)).toMatchObject(refused);
    });
  });

  test('attempts are counted by hour, for each endpoint of the mode', async () => {
    const [older, newer] = [await add(), await add()];
    clock.aheadMs += HOUR_MS - (clock.now().getTime() % HOUR_MS); // an hour begins
    await send(older);
    clock.aheadMs += 2 * HOUR_MS;
    await send(older);
    bench.receiver.react(() => ({ status: 500 }));
    await send(older);
    const { body } = await ask('GET', 'attempts?hours=3');
    expect(body.endpoints).toEqual([
      { webhookId: newer, succeeded: [0, 0, 0], failed: [0, 0, 0] },
      { webhookId: older, succeeded: [1, 0, 1], failed: [0, 0, 1] },
    ]);
    expect(Date.parse(body.from) % HOUR_MS).toBe(0);
    expect((await ask('GET', 'attempts')).body.endpoints[1].succeeded).toHaveLength(24);
    expect((await ask('GET', 'attempts', undefined, bench.own.test.key)).body.endpoints).toEqual([]);
  });
});
