import { connect, type Socket } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { breadth, mainEngine } from '#harness/engines.js';
import { givenSharedService } from '#harness/givenService.js';
import type { TestAnswer } from '#harness/service.js';

const EVENT = { userId: 'worker-1', eventType: 'TRANSACTION_COMPLETED' };
const MIB = 1024 * 1024;
const KIB = 1024;
const ID = '0199a3c2-9d10-7b44-8c2e-000000000007';
const RESPOND = `/confirmations/${ID}/respond`;
/** Only empty arrays and an escape, which makes the parser read every text. */
const emptyArrays = (bytes: number) => `["\\u0041"${',[]'.repeat(Math.floor(bytes / 3))}]`;

describe.each(breadth)('bodies on %s', (engine) => {
  const service = givenSharedService(engine);

  test('millions of empty arrays are refused before parsing, and the service keeps answering', async () => {
    const answer = await service.request('POST', '/imports', { body: emptyArrays(30 * MIB) });
    expect([answer.status, answer.body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(answer.body.details).toEqual({ limit: 50_000, of: 'values' });
    expect((await service.request('GET', '!/health')).status).toBe(200);
  });

  test.each([
    ['values', `[${'0,'.repeat(50_000)}0]`, 413],
    ['members', `{${'"a":0,'.repeat(15_000)}"a":0}`, 413],
    ['levels', `${'['.repeat(65)}${']'.repeat(65)}`, 400],
    ['levels', `${'{"a":'.repeat(65)}0${'}'.repeat(65)}`, 400],
  ])('too many %s are refused with their own error', async (what, body, status) => {
    const answer = await service.request('POST', '/events', { body });
    expect(answer.status).toBe(status);
    expect(answer.body.error).toContain(what);
  });

  test('brackets, colons and commas inside texts do not count', async () => {
    const metadata = { note: '[{:,"\\'.repeat(1000) };
    const answer = await service.request('POST', '/events', { body: { ...EVENT, metadata } });
    expect(answer.body.event.metadata).toEqual(metadata);
  });

  test('a body at the limit is accepted', async () => {
    const metadata = Object.fromEntries(
      Array.from({ length: 150 }, (_, i) => [`name-${i}`, [i, 'ü', { i }]]),
    );
    const events = Array.from({ length: 45 }, () => ({ ...EVENT, metadata }));
    const answer = await service.request('POST', '/events/batch', { body: { events } });
    expect([answer.status, answer.body.createdCount]).toEqual([200, 45]);
  });

  test('a route without a key accepts 16 KiB and no byte more', async () => {
    const body = JSON.stringify({ token: 'cft_x', decision: 'confirm' });
    const send = (bytes: number) => service.request('POST', RESPOND, { key: null, body: body.padEnd(bytes) });
    expect((await send(16 * KIB)).body.code).toBe('CONFIRMATION_TOKEN_INVALID');
    expect((await send(16 * KIB + 1)).body.code).toBe('PAYLOAD_TOO_LARGE');
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const page = await service.request('POST', `!/confirm/${ID}`, {
      key: null,
      headers,
      body: `a=${'b'.repeat(16 * KIB)}`,
    });
    expect(page.status).toBe(413);
  });

  test('a body sent to an unknown address is not read', async () => {
    const answer = await service.request('POST', '/nowhere', { key: null, body: 'no JSON' });
    expect([answer.status, answer.body.code]).toEqual([404, 'NOT_FOUND']);
  });

  test('at most a hundred errors are listed', async () => {
    const body = { userIds: Array.from({ length: 5000 }, () => '') };
    const answer = await service.request('POST', '/screenings', { body });
    expect(answer.status).toBe(400);
    expect(answer.body.details).toHaveLength(100);
  });

  test('an error in a text has its path, also at the end of a large body', async () => {
    const deep = { list: [...Array.from({ length: 500 }, () => ({ a: 'A' })), { b: ['x', '\0'] }] };
    const answer = await service.request('POST', '/events', { body: { ...EVENT, metadata: deep } });
    expect(answer.body.details).toMatchObject([{ path: 'metadata.list.500.b.1', code: 'invalid_format' }]);
  });

  const packed = (body: string | Buffer, more: Record<string, string> = {}): Promise<TestAnswer> =>
    service.request('POST', '/events', {
      body: typeof body === 'string' ? gzipSync(body) : body,
      headers: { 'Content-Encoding': 'gzip', ...more },
    });

  test('a gzip body is accepted', async () => {
    const answer = await packed(JSON.stringify({ ...EVENT, userId: 'packed-ü' }));
    expect([answer.status, answer.body.event.userId]).toEqual([201, 'packed-ü']);
  });

  test('a compressed repeat is the same request', async () => {
    const key = { 'Idempotency-Key': 'packed-or-not' };
    const first = await service.request('POST', '/events', { body: EVENT, headers: key });
    const again = await packed(JSON.stringify(EVENT), key);
    expect(again.headers.get('idempotent-replay')).toBe('true');
    expect(again.body.eventId).toBe(first.body.eventId);
    expect((await packed(JSON.stringify({ ...EVENT, userId: 'x' }), key)).status).toBe(422);
  });

  test('the limit applies to the decompressed size', async () => {
    const body = JSON.stringify(EVENT);
    expect((await packed(body.padEnd(MIB))).status).toBe(201);
    expect((await packed(body.padEnd(MIB + 1))).body.code).toBe('PAYLOAD_TOO_LARGE');
    expect((await packed(Buffer.concat([gzipSync(Buffer.alloc(64 * MIB))]))).status).toBe(413);
    const open = { key: null, headers: { 'Content-Encoding': 'gzip' } };
    const ofNobody = await service.request('POST', RESPOND, {
      ...open,
      body: gzipSync(' '.repeat(16 * KIB + 1)),
    });
    expect(ofNobody.status).toBe(413);
  });

  test('invalid and truncated gzip is refused', async () => {
    const whole = gzipSync(JSON.stringify(EVENT));
    for (const body of [
      Buffer.from(JSON.stringify(EVENT)),
      whole.subarray(0, -9),
      Buffer.from([0x1f, 0x8b]),
    ]) {
      const answer = await packed(body);
      expect([answer.status, answer.body.code]).toEqual([400, 'BAD_REQUEST']);
      expect(answer.body.error).toContain('gzip');
    }
  });

  test('another encoding is refused with the accepted ones', async () => {
    const body = brotliCompressSync(JSON.stringify(EVENT));
    for (const encoding of ['br', 'deflate', 'gzip, gzip', 'zstd']) {
      const answer = await service.request('POST', '/events', {
        body,
        headers: { 'Content-Encoding': encoding },
      });
      expect([answer.status, answer.body.code]).toEqual([415, 'UNSUPPORTED_CONTENT_ENCODING']);
      expect(answer.headers.get('accept-encoding')).toBe('gzip, identity');
    }
  });

  test('an import file may be compressed', async () => {
    const mapping = { userId: { path: 'worker' }, eventType: { constant: 'CONTRACT_FULFILLED' } };
    const saved = await service.request('POST', '/ingest/mappings', { body: { name: 'packed', mapping } });
    const answer = await service.request('POST', `/imports?mappingId=${saved.body.id}`, {
      body: gzipSync('worker\nw-1\nw-2\n'),
      headers: { 'Content-Type': 'text/csv', 'Content-Encoding': 'gzip' },
    });
    expect([answer.status, answer.body.createdCount]).toEqual([202, 2]);
  });
});

describe('many large bodies at once', () => {
  const service = givenSharedService(mainEngine);
  const open: Socket[] = [];
  afterAll(() => {
    for (const socket of open) socket.destroy();
  });

  /** Announces a file of 32 MiB and sends a part. Resolves to the status, which arrives only for a refusal. */
  function begin(bytes: number, key = service.liveKey): Promise<number> {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    open.push(socket);
    socket.on('error', () => {});
    socket.write(
      `POST /api/v1/imports HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
        `Content-Type: text/csv\r\nContent-Length: ${32 * MIB}\r\n\r\n`,
    );
    socket.write(Buffer.alloc(bytes, ','));
    return new Promise((resolve) => {
      socket.on('data', (chunk) => resolve(Number(chunk.toString().split(' ')[1])));
    });
  }
  async function send(): Promise<number> {
    const headers = { 'Content-Type': 'text/csv' };
    const body = Buffer.alloc(20 * MIB, ',');
    return (await service.request('POST', `/imports?mappingId=${ID}`, { body, headers })).status;
  }

  test('files that are announced and not sent take nothing of the budget', async () => {
    for (let sockets = 0; sockets < 10; sockets += 1) void begin(0);
    // The only error is the unknown mapping.
    expect(await send()).toBe(404);
  });

  test('a platform above its share is refused with a retry and accepted when there is capacity', async () => {
    const refused = [begin(30 * MIB), begin(30 * MIB)];
    expect(await Promise.race(refused)).toBe(503);
    const small = await service.request('POST', '/events', { body: EVENT });
    expect(small.status).toBe(201);
    for (const socket of open) socket.destroy();
    await expect.poll(send).toBe(404);
  });
});
