import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mainEngine } from '../../service/test/harness/engines.js';
import { givenSharedService } from '../../service/test/harness/givenService.js';
import { neighboursEnded } from '../../service/test/harness/neighbours.js';
import { type Receiver, startReceiver } from '../../service/test/harness/receiver.js';
import { type Client, createClient, ReliabilityConnectionError, ReliabilityError } from '../src/index.js';

const MAPPING = {
  name: 'rows',
  mapping: {
    userId: { path: 'who' },
    eventType: { path: 'what', table: { done: 'CONTRACT_FULFILLED' } },
  },
};
const UNKNOWN_ID = '0199a3c2-7b1e-7c40-8d21-5f0c9b7a1e34';
const service = givenSharedService(mainEngine);
let client: Client;
beforeAll(() => {
  client = createClient({ baseUrl: service.url, key: service.liveKey });
});

describe('a method', () => {
  test('takes the parts of the path, then the body or the query, and returns the JSON', async () => {
    const { event } = await client.recordEvent({ userId: 'a b/ä', eventType: 'CONTRACT_FULFILLED' });
    expect(event).toMatchObject({ userId: 'a b/ä', eventType: 'CONTRACT_FULFILLED' });
    await service.settle();
    expect(await client.score('a b/ä')).toMatchObject({ userId: 'a b/ä', totalEvents: 1 });
    const { factors } = await client.explainScore('a b/ä');
    expect(factors.length).toBeGreaterThan(0);
    const { users } = await client.listUsers({ q: 'a b/', limit: 5 });
    expect(users.map(({ externalId }) => externalId)).toEqual(['a b/ä']);
  });

  test('that returns nothing returns undefined', async () => {
    const { id } = await client.createMonitor({ userId: 'a b/ä', belowScore: 40 });
    expect(await client.deleteMonitor(id)).toBeUndefined();
  });

  test('sends CSV as it is', async () => {
    const { id: mappingId } = await client.saveMapping(MAPPING);
    const { id } = await client.createImport('who,what\nrow-1,done\n', { query: { mappingId } });
    await expect.poll(async () => (await client.readImport(id)).status).toBe('COMPLETED');
    expect(await client.readImport(id)).toMatchObject({ createdCount: 1, failedCount: 0 });
  });

  test('sends a text as it is', async () => {
    const witness = await startReceiver();
    await createClient({ baseUrl: witness.url, key: service.liveKey }).addCheckpoint('old 0\n\na note\n');
    const [sent] = witness.received;
    expect([sent?.headers['content-type'], sent?.body]).toEqual(['text/plain', 'old 0\n\na note\n']);
    await witness.close();
  });

  test('without a part of its path is refused before anything is sent', async () => {
    await expect(client.readScore('')).rejects.toThrow('/api/v1/users/{id}/score needs id');
  });

  test.each(['.', '..'])('with %s in its path is refused, since URLs resolve it', async (id) => {
    await expect(client.readScore(id)).rejects.toThrow(`/api/v1/users/{id}/score: id cannot be ${id}`);
  });

  test('is aborted by its signal', async () => {
    const stop = AbortSignal.abort(new Error('enough'));
    await expect(client.listPlans({ signal: stop })).rejects.toThrow('enough');
  });
});

test.each([undefined, {}, { baseUrl: '' }])('a client of %j says that the address is missing', (options) => {
  const create = createClient as (options: unknown) => Client;
  expect(() => create(options)).toThrow(/needs baseUrl, the address of the service/);
});

describe('pages', () => {
  test('are read one after the other, and each item once', async () => {
    const ids = Array.from({ length: 7 }, (_, index) => `page-${index}`);
    const events = ids.map((userId) => ({ userId, eventType: 'CONTRACT_FULFILLED' as const }));
    await client.recordEvents({ events });
    await neighboursEnded(service.db); // a page ends before the rows of an open transaction
    const seen: string[] = [];
    for await (const { userId } of client.exportEvents.each({ limit: 2 })) {
      if (userId.startsWith('page-')) seen.push(userId);
    }
    expect(seen.sort()).toEqual(ids);
    const sizes: number[] = [];
    for await (const page of client.exportEvents.pages({ limit: 4 })) sizes.push(page.events.length);
    expect(sizes.slice(0, -1).every((size) => size === 4)).toBe(true);
  });
});

describe('an error', () => {
  test('has the code, the request id and the details of the service', async () => {
    const refused = client.recordEvent({ userId: 'x', eventType: 'NONSENSE' as never });
    const error = await refused.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ReliabilityError);
    expect(error).toMatchObject({ status: 400, code: 'VALIDATION_ERROR', retryable: false });
    expect((error as ReliabilityError).requestId).toMatch(/\S/);
    expect((error as ReliabilityError).details).toMatchObject([{ path: 'eventType' }]);
  });

  test('of a server that is not there says so', async () => {
    const nobody = createClient({ baseUrl: 'http://127.0.0.1:9', key: 'k', retries: 0 });
    await expect(nobody.listPlans()).rejects.toThrow(ReliabilityConnectionError);
  });
});

describe('a try that fails', () => {
  let proxy: Receiver;
  let viaProxy: Client;
  beforeAll(async () => {
    proxy = await startReceiver();
    viaProxy = createClient({ baseUrl: proxy.url, key: service.liveKey });
  });
  afterAll(() => proxy.close());

  test.each(['answer', 'end of the answer'] as const)(
    'since the %s was lost writes nothing twice',
    async (lost) => {
      const lossy = await lossyProxy(lost);
      const userId = `lost-${lost}`;
      const viaLossy = createClient({ baseUrl: lossy.url, key: service.liveKey });
      const { event } = await viaLossy.recordEvent({ userId, eventType: 'CONTRACT_FULFILLED' });
      expect(lossy.received).toHaveLength(2);
      await neighboursEnded(service.db);
      const { events } = await client.exportEvents({ limit: 1000 });
      const written = events.filter((each) => each.userId === userId);
      expect(written.map(({ id }) => id)).toEqual([event.id]);
      await lossy.close();
    },
  );

  test('since the end of the answer was lost is an error if a repetition could write twice', async () => {
    const lossy = await lossyProxy('end of the answer');
    const viaLossy = createClient({ baseUrl: lossy.url, key: service.liveKey });
    await expect(viaLossy.testWebhook(UNKNOWN_ID)).rejects.toThrow(ReliabilityConnectionError);
    expect(lossy.received).toHaveLength(1);
    await lossy.close();
  });

  test('is repeated after Retry-After if the service says that this can help', async () => {
    proxy.forget();
    const plans = { plans: [] };
    proxy.react((_request, number) =>
      number === 0
        ? errorAnswer(429, 'RATE_LIMITED', true, { 'Retry-After': '1' })
        : { status: 200, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(plans) },
    );
    expect(await viaProxy.listPlans()).toEqual(plans);
    const [first, second] = proxy.received;
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(990);
  });

  test.each([
    ['the service says that it cannot help', errorAnswer(500, 'INTERNAL_ERROR', false)],
    ['the pause would be long', errorAnswer(429, 'QUOTA_EXCEEDED', true, { 'Retry-After': '86400' })],
    ['a write without a key may have been executed', { status: 502 }],
  ])('is not repeated if %s', async (_why, reaction) => {
    proxy.forget();
    proxy.react(() => reaction);
    await expect(viaProxy.testWebhook(UNKNOWN_ID)).rejects.toThrow(ReliabilityError);
    expect(proxy.received).toHaveLength(1);
  });
});

function errorAnswer(status: number, code: string, retryable: boolean, headers: Record<string, string> = {}) {
  return {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ error: 'Refused.', code, retryable, requestId: 'r' }),
  };
}

/** Forwards requests, and hangs up on the first one before its answer or in the middle of it. */
async function lossyProxy(lost: 'answer' | 'end of the answer'): Promise<Receiver> {
  const proxy = await startReceiver();
  proxy.react(async (request, number) => {
    const { host: _host, connection: _connection, ...headers } = request.headers as Record<string, string>;
    const { method, path, body } = request;
    const answer = await fetch(service.url + path, { method, headers, body });
    const [status, text] = [answer.status, await answer.text()];
    const type = { 'Content-Type': 'application/json' };
    if (number > 0) return { status, headers: type, body: text };
    if (lost === 'answer') return 'hang up';
    const cut = { 'Content-Length': String(Buffer.byteLength(text)), Connection: 'close' };
    return { status, headers: { ...type, ...cut }, body: text.slice(0, 10) };
  });
  return proxy;
}
