import { createHash, createPublicKey, verify } from 'node:crypto';
import { httpbis } from 'http-message-signatures';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth, openTestDatabase, type TestDatabase } from '#harness/engines.js';
import { createVault } from '#kit/crypto.js';
import { mountRoutes } from '#kit/http/mount.js';
import { createServer } from '#kit/http/server.js';
import { createKeyRing, rotateSigningKey } from '#ledger/signingKeys.js';
import { directoryRoutes } from '../../../src/features/notify/webhooks/directory.js';
import { openToAll } from '../../kit/http/answered.js';

const PATH = '/.well-known/http-message-signatures-directory';
const AUTHORITY = 'svc.example';
const DAY_SECONDS = 86_400;

interface Jwk {
  kty: string;
  crv: string;
  x: string;
  kid: string;
  nbf: number;
  exp: number;
}

describe.each(breadth)('the directory of signing keys on %s', (engine) => {
  let database: TestDatabase;
  const server = createServer({ log: pino({ level: 'silent' }), methodsOf: () => [] });
  // The library that verifies reads the real clock and refuses timestamps in the future.
  const clock = { at: new Date(Date.now() - 600_000), now: () => clock.at };
  const vault = createVault('the data key of the tests');

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    const messageKeys = createKeyRing(database.db, vault, clock, 'message');
    const config = { baseUrl: `https://${AUTHORITY}` };
    mountRoutes(server, directoryRoutes({ config, clock, messageKeys }), { authenticator: openToAll });
  });
  afterAll(async () => {
    await server.close();
    await database.close();
  });

  const ask = (headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
    server.inject({ method, url: PATH, headers: { host: AUTHORITY, ...headers } });
  type Answer = Awaited<ReturnType<typeof ask>>;
  const keysOf = (answer: Answer): Jwk[] => answer.json().keys;

  /** The ids of the keys whose proof is valid for a reader that asked this authority. */
  async function proven(
    { headers, body }: Pick<Answer, 'headers' | 'body'>,
    authority = AUTHORITY,
  ): Promise<string[]> {
    const digest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
    if (headers['content-digest'] !== digest) return [];
    const request = { method: 'GET', url: `https://${authority}${PATH}`, headers: {} };
    const message = { status: 200, headers: headers as Record<string, string> };
    const requiredParams = ['created', 'expires', 'keyid', 'tag'];
    const holding: string[] = [];
    for (const { kty, crv, x, kid } of JSON.parse(body).keys as Jwk[]) {
      const key = createPublicKey({ key: { kty, crv, x }, format: 'jwk' });
      const keyLookup = async ({ keyid }: { keyid?: string }) =>
        keyid === kid ? { verify: async (d: Buffer, s: Buffer) => verify(null, d, key, s) } : null;
      if (await httpbis.verifyMessage({ keyLookup, requiredParams }, message, request)) holding.push(kid);
    }
    return holding;
  }

  test('lists the only key to everyone, in its media type, cacheable for a day', async () => {
    const answer = await ask();
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/http-message-signatures-directory+json',
      'cache-control': 'max-age=86400',
      'access-control-allow-origin': '*',
    });
    const keys = keysOf(answer);
    expect(keys).toHaveLength(1);
    expect(Object.keys(keys[0] ?? {})).toEqual(['kty', 'crv', 'x', 'kid', 'use', 'nbf', 'exp']);
    const now = Math.floor(clock.at.getTime() / 1000);
    expect(keys[0]).toMatchObject({ kty: 'OKP', crv: 'Ed25519', use: 'sig', nbf: now });
    expect(keys[0]?.exp).toBeGreaterThan(now + 29 * DAY_SECONDS);
    const { crv, kty, x, kid } = keys[0] as Jwk;
    const thumbprint = createHash('sha256').update(`{"crv":"${crv}","kty":"${kty}","x":"${x}"}`);
    expect(thumbprint.digest('base64url')).toBe(kid);
  });

  test('is signed by each key it lists, over the authority and the body', async () => {
    const answer = await ask();
    const [{ kid } = { kid: '' }] = keysOf(answer);
    const created = Math.floor(clock.at.getTime() / 1000);
    expect(answer.headers['signature-input']).toBe(
      `binding0=("@authority";req "content-digest");created=${created};expires=${created + DAY_SECONDS}` +
        `;keyid="${kid}";tag="http-message-signatures-directory"`,
    );
    expect(await proven(answer)).toEqual([kid]);
  });

  test('proves nothing under another name or with another body', async () => {
    const foreign = await ask({ host: 'attacker.example' });
    expect(foreign.statusCode).toBe(200);
    expect(await proven(foreign, 'attacker.example')).toEqual([]);
    expect(await proven(foreign)).toHaveLength(1);
    expect(await proven({ ...foreign, body: foreign.body.replace('"sig"', '"enc"') })).toEqual([]);
  });

  test('answers 304 to a reader that has it, with a new proof', async () => {
    const first = await ask();
    const etag = String(first.headers.etag);
    const again = await ask({ 'if-none-match': etag });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    expect(again.headers).toMatchObject({ etag, 'cache-control': 'max-age=86400' });
    const headers = { ...first.headers, ...again.headers };
    expect(await proven({ headers, body: first.body })).toHaveLength(1);
    expect((await ask({ 'if-none-match': '"another"' })).statusCode).toBe(200);
  });

  test('answers HEAD as GET, without the body', async () => {
    const [head, get] = [await ask({}, 'HEAD'), await ask()];
    expect([head.statusCode, head.body]).toEqual([200, '']);
    for (const name of ['content-type', 'etag', 'content-digest', 'content-length', 'signature-input'])
      expect(head.headers[name]).toBe(get.headers[name]);
  });

  test('lists old and new keys during a rotation, each with its proof', async () => {
    const before = await ask();
    const { keyId } = await rotateSigningKey(database.db, vault, clock, 'message');
    clock.at = new Date(clock.at.getTime() + 60_000);
    const during = await ask();
    expect(keysOf(during).map(({ kid }) => kid)).toEqual([keysOf(before)[0]?.kid, keyId]);
    expect(await proven(during)).toHaveLength(2);
    expect(during.headers.etag).not.toBe(before.headers.etag);
    clock.at = new Date(clock.at.getTime() + 32 * DAY_SECONDS * 1000);
    expect(keysOf(await ask()).map(({ kid }) => kid)).toEqual([keyId]);
  });

  test('has no private key in any answer', async () => {
    const answers = [await ask(), await ask({}, 'HEAD'), await ask({ 'if-none-match': '*' })];
    const rows = await database.db.query<{ sealed: string }>(
      "select encode(sealed_private, 'base64') as sealed from signing_key",
    );
    for (const { headers, body } of answers) {
      const all = JSON.stringify(headers) + body;
      expect(all).not.toMatch(/"d"|PRIVATE/);
      for (const { sealed } of rows) expect(all).not.toContain(sealed.slice(0, 24));
    }
  });
});
