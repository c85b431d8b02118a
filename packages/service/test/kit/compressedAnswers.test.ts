import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { mainEngine } from '#harness/engines.js';
import { givenSharedService } from '#harness/givenService.js';
import { neighboursEnded } from '#harness/neighbours.js';
import { fixedText } from '#kit/http/fixedDocument.js';
import { route } from '#kit/http/route.js';
import { settledLog } from '../ledger/log/logDeps.js';
import { line, serverOf } from './http/answered.js';

describe('compressed answers', () => {
  const service = givenSharedService(mainEngine);
  beforeAll(async () => {
    const outcome = { eventType: 'CONTRACT_FULFILLED', isVerified: true };
    const events = Array.from({ length: 60 }, (_, index) => ({ ...outcome, userId: `subject-${index}` }));
    await service.request('POST', '/events/batch', { body: { events } });
    await service.settle();
    await neighboursEnded(service.db); // an export ends before the rows of an open transaction
  });

  /** The raw bytes: `fetch` would decompress them. */
  async function read(path: string, headers: Record<string, string>) {
    const authorization = `Bearer ${service.liveKey}`;
    const sent = get(`${service.url}/api/v1${path}`, { headers: { authorization, ...headers } });
    const [answer]: IncomingMessage[] = await once(sent, 'response');
    if (!answer) throw new Error('no answer');
    return { headers: answer.headers, bytes: await buffer(answer) };
  }

  test.each(['/events/export', '/events/export?format=csv', '/users', '/users?format=csv', '/enums'])(
    '%s is compressed for a client that accepts gzip, with the same content',
    async (path) => {
      const plain = await read(path, {});
      const packed = await read(path, { 'accept-encoding': 'br;q=0.5, gzip' });
      expect(plain.headers['content-encoding']).toBeUndefined();
      expect(packed.headers['content-encoding']).toBe('gzip');
      expect(String(packed.headers.vary).toLowerCase()).toContain('accept-encoding');
      expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 2);
      expect(gunzipSync(packed.bytes).equals(plain.bytes)).toBe(true);
    },
  );

  test.each(['identity', 'br', 'gzip;q=0'])(
    'a client that accepts %s gets an uncompressed answer',
    async (takes) => {
      const { headers, bytes } = await read('/users', { 'accept-encoding': takes });
      expect(headers['content-encoding']).toBeUndefined();
      expect(JSON.parse(bytes.toString()).users).toHaveLength(50);
    },
  );

  test('a short answer is not compressed', async () => {
    const { headers } = await read('/users/subject-1/score', { 'accept-encoding': 'gzip' });
    expect(headers['content-encoding']).toBeUndefined();
  });

  test('the ETag of a compressed answer is weak and saves the next transfer', async () => {
    const body = { business: { legalName: 'Acme' }, userId: 'acme' };
    await service.request('POST', '/businesses', { body });
    const outcome = { userId: 'acme', eventType: 'CONTRACT_FULFILLED', isVerified: true };
    await service.request('POST', '/events', { body: outcome });
    await service.settle();
    await settledLog(service.db); // from then on the credential has its place in the log
    const { body: share } = await service.request('POST', '/users/acme/share-token', { body: {} });
    const path = `/verify/${share.shareToken}/business-record`;
    const packed = await read(path, { 'accept-encoding': 'gzip' });
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(packed.headers.etag).toMatch(/^W\/"/);
    const condition = { 'if-none-match': String(packed.headers.etag) };
    const again = await read(path, { 'accept-encoding': 'gzip', ...condition });
    expect([again.bytes.length, again.headers.etag]).toEqual([0, packed.headers.etag]);
  });
});

test('hashes are sent as they are to a client that accepts gzip, also if they begin like a zlib header', async () => {
  const type = 'application/octet-stream';
  const hashes = Buffer.alloc(8192, 7);
  hashes.writeUInt16BE(0x38ea);
  const answers = { 200: { media: [{ type }] } };
  const tile = route({ ...line, unmetered: true, answers, handle: fixedText(type, hashes) });
  const server = serverOf({ 'GET !/tile': tile });
  const answer = await server.inject({ url: '/tile', headers: { 'accept-encoding': 'gzip' } });
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['content-encoding']).toBeUndefined();
  expect(answer.rawPayload.equals(hashes)).toBe(true);
  await server.close();
});
