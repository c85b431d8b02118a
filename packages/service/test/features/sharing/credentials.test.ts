import { createHash } from 'node:crypto';
import { Bitstring } from '@digitalbazaar/bitstring';
import { verifyCredential } from 'did-jwt-vc';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { startTestService, TEST_KEYS, type TestService } from '#harness/service.js';
import { createVault } from '#kit/crypto.js';
import { credentialTypes } from '#ledger/issuing/forms.js';
import { LIST_BITS } from '#ledger/issuing/statusEntries.js';
import { forgetRetiredKeys, rotateSigningKey } from '#ledger/signingKeys.js';
import { alias } from '../subjects/linkFixtures.js';
import {
  decoded,
  forged,
  ISSUER_DID,
  isRevoked as isRevokedAt,
  issueFor,
  issuerOf,
  mint,
  resolverOf,
  SHARING_BASE,
  SHARING_ENV,
  withdraw,
} from './sharingFixtures.js';

const DAY_MS = 86_400_000;
const good = { eventType: 'CONTRACT_FULFILLED', isVerified: true };

interface Published {
  id: string;
  type: string;
  controller: string;
  publicKeyJwk?: { x: string };
  publicKeyMultibase?: string;
}

describe.each(breadth)('credentials on %s', (engine) => {
  let service: TestService;
  let count = 0;
  const clock = { at: new Date(), now: () => clock.at };

  beforeAll(async () => {
    service = await startTestService(engine, { env: SHARING_ENV, clock, inFirstGroup: true });
  });
  afterAll(() => service.close());

  const someone = async () => {
    const of = await alias(service, `holder-${++count}`, [good]);
    await mint(service, of);
    return of;
  };
  const checked = (jwt: string, policies = {}) =>
    verifyCredential(jwt, resolverOf(service), { policies: { format: false, ...policies } });
  const read = (path: string, headers: Record<string, string> = {}) =>
    service.request('GET', path, { key: null, headers });
  const isRevoked = (jwt: string) => isRevokedAt(service, jwt);

  describe('the DID document', () => {
    test('lists every key in both formats that verifiers read, and nothing private', async () => {
      const { status, headers, body, text } = await read('!/.well-known/did.json');
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('application/did+json');
      expect(headers.get('cache-control')).toBe('public, max-age=3600');
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(body.id).toBe(ISSUER_DID);
      const [jwk, multikey] = body.verificationMethod as Published[];
      expect(body.verificationMethod).toHaveLength(2);
      expect(body.assertionMethod).toEqual([jwk?.id, multikey?.id]);
      const x = jwk?.publicKeyJwk?.x ?? '';
      const thumbprint = createHash('sha256')
        .update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`)
        .digest('base64url');
      expect(jwk).toEqual({
        id: `${ISSUER_DID}#${thumbprint}`,
        type: 'JsonWebKey',
        controller: ISSUER_DID,
        publicKeyJwk: { kty: 'OKP', crv: 'Ed25519', x },
      });
      expect(multikey).toMatchObject({ type: 'Multikey', controller: ISSUER_DID });
      expect(multikey?.publicKeyMultibase).toMatch(/^z6Mk/);
      expect(text).not.toMatch(/"d"|PRIVATE/);
      const etag = headers.get('etag') ?? '';
      expect((await read('!/.well-known/did.json', { 'If-None-Match': etag })).status).toBe(304);
    });

    test('has other keys than those that sign deliveries', async () => {
      const [method] = (await read('!/.well-known/did.json')).body.verificationMethod as Published[];
      const { keys } = (await read('!/.well-known/http-message-signatures-directory')).body;
      expect(keys.map(({ x }: { x: string }) => x)).not.toContain(method?.publicKeyJwk?.x);
    });
  });

  describe('the context', () => {
    test('defines every term that is not the W3C’s', async () => {
      const { headers, body } = await read('!/contexts/v1');
      expect(headers.get('content-type')).toBe('application/ld+json');
      const terms = body['@context'];
      const { credential } = await issueFor(service, await someone());
      const { payload } = decoded(credential);
      expect(payload['@context']).toEqual([
        'https://www.w3.org/ns/credentials/v2',
        `${SHARING_BASE}/contexts/v1`,
      ]);
      const own = [...payload.type, ...Object.keys(payload.credentialSubject)].filter(
        (term) => !['VerifiableCredential', 'id'].includes(term),
      );
      expect(own).toEqual(['ServiceProfessionalRecordCredential', 'formulaVersion', 'asOf', 'record']);
      for (const term of [...own, ...credentialTypes]) expect(terms).toHaveProperty(term);
      // Null is what an absent figure is: only as a JSON literal does JSON-LD keep it.
      expect(terms.record['@type']).toBe('@json');
      const etag = headers.get('etag') ?? '';
      expect((await read('!/contexts/v1', { 'If-None-Match': etag })).status).toBe(304);
    });
  });

  describe('a credential', () => {
    test('of VC 2.0 is the payload itself, says what it attests and verifies with the published key', async () => {
      const { credential, expiresAt, share, type } = await issueFor(service, await someone());
      expect(type).toBe('ServiceProfessionalRecordCredential');
      const { header, payload } = decoded(credential);
      const [method] = (await read('!/.well-known/did.json')).body.verificationMethod as Published[];
      expect(header).toEqual({ alg: 'EdDSA', typ: 'vc+jwt', cty: 'vc', kid: method?.id });
      const list = `${SHARING_BASE}/api/v1/status-lists/${share.status.list}`;
      expect(payload).toEqual({
        '@context': expect.any(Array),
        id: expect.stringMatching(/^urn:uuid:/),
        type: ['VerifiableCredential', 'ServiceProfessionalRecordCredential'],
        issuer: ISSUER_DID,
        validFrom: new Date(payload.iat * 1000).toISOString(),
        validUntil: expiresAt.toISOString(),
        credentialSubject: {
          id: share.verifyUrl,
          formulaVersion: '5.3',
          asOf: '2026-03-01T15:45:02.161Z',
          record: { finalScore: 78.42, scoreBand: 'Good', tenure: null },
        },
        credentialStatus: {
          id: `${list}#${share.status.index}`,
          type: 'BitstringStatusListEntry',
          statusPurpose: 'revocation',
          statusListIndex: String(share.status.index),
          statusListCredential: list,
        },
        iss: ISSUER_DID,
        iat: expect.any(Number),
        // A day from now, rounded up to the hour, as `iat` is rounded down.
        exp: payload.iat + 86_400 + 3600,
      });
      expect(payload.iat % 3600).toBe(0);
      expect((await checked(credential)).issuer).toBe(ISSUER_DID);
    });

    test('of VC 1.1 says the same in its vc claim and verifies in a library for that version', async () => {
      const of = await someone();
      const { credential } = await issueFor(service, of, { form: 'vc1', holder: 'did:key:z6MkHolder' });
      const { header, payload } = decoded(credential);
      expect(header).toMatchObject({ typ: 'JWT', alg: 'EdDSA' });
      const { vc } = payload;
      expect(vc['@context'][0]).toBe('https://www.w3.org/2018/credentials/v1');
      expect(vc['@context']).not.toContain('https://www.w3.org/ns/credentials/v2');
      expect(payload).toMatchObject({
        iss: ISSUER_DID,
        sub: 'did:key:z6MkHolder',
        jti: vc.id,
        nbf: payload.iat,
      });
      expect(vc).toMatchObject({
        issuer: ISSUER_DID,
        issuanceDate: new Date(payload.nbf * 1000).toISOString(),
        expirationDate: new Date(payload.exp * 1000).toISOString(),
        credentialSubject: { id: 'did:key:z6MkHolder', formulaVersion: '5.3', record: { tenure: null } },
        credentialStatus: { type: 'BitstringStatusListEntry' },
      });
      expect(vc).not.toHaveProperty('validFrom');
      const { verifiableCredential } = await verifyCredential(credential, resolverOf(service));
      expect(verifiableCredential.type).toContain('ServiceProfessionalRecordCredential');
      expect(verifiableCredential.issuer).toEqual({ id: ISSUER_DID });
    });

    test('issued again within the hour is byte for byte the same, unless its content differs', async () => {
      const of = await someone();
      const now = new Date('2026-11-21T11:20:00.000Z');
      const later = new Date('2026-11-21T11:59:59.000Z');
      const first = await issueFor(service, of, { now });
      expect((await issueFor(service, of, { now: later })).credential).toBe(first.credential);
      const others = [
        await issueFor(service, of, { now: new Date('2026-11-21T12:00:00.000Z') }),
        await issueFor(service, of, { now, record: { finalScore: 79 } }),
        await issueFor(service, of, { now, ttlSeconds: 172_800 }),
        await issueFor(service, of, { now, type: 'ServiceEarningsCredential' }),
        await issueFor(service, await someone(), { now }),
      ];
      const ids = [first, ...others].map(({ credential }) => decoded(credential).payload.id);
      expect(new Set(ids).size).toBe(ids.length);
    });

    test('with a signature of another key, or other claims under its own, is refused by a verifier', async () => {
      const { credential } = await issueFor(service, await someone());
      await checked(credential);
      await expect(checked(forged(credential))).rejects.toThrow();
      const [header, , signature] = credential.split('.');
      const claims = decoded(credential).payload;
      claims.credentialSubject.record.finalScore = 99;
      const better = Buffer.from(JSON.stringify(claims)).toString('base64url');
      await expect(checked(`${header}.${better}.${signature}`)).rejects.toThrow();
    });

    test('that has expired is refused by a verifier', async () => {
      const now = new Date(Date.now() - 2 * DAY_MS);
      const { credential } = await issueFor(service, await someone(), { now });
      await expect(checked(credential)).rejects.toThrow('expired');
    });
  });

  describe('the status list', () => {
    test('is a signed credential, large enough to hide one subject among many', async () => {
      const { share } = await issueFor(service, await someone());
      const path = `/status-lists/${share.status.list}`;
      const { status, headers, text } = await read(path);
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('application/vc+jwt');
      expect(headers.get('cache-control')).toBe('public, max-age=300');
      const { header, payload } = decoded(text);
      expect(header).toMatchObject({ typ: 'vc+jwt', cty: 'vc', alg: 'EdDSA' });
      const url = `${SHARING_BASE}/api/v1${path}`;
      expect(payload).toMatchObject({
        id: url,
        type: ['VerifiableCredential', 'BitstringStatusListCredential'],
        issuer: ISSUER_DID,
        iss: ISSUER_DID,
        credentialSubject: {
          id: `${url}#list`,
          type: 'BitstringStatusList',
          statusPurpose: 'revocation',
          ttl: 300_000,
        },
      });
      const { encodedList } = payload.credentialSubject;
      expect(encodedList).toMatch(/^uH4sI[A-Za-z0-9_-]+$/);
      const bits = await Bitstring.decodeBits({ encoded: encodedList.slice(1) });
      expect(bits.length * 8).toBe(LIST_BITS);
    });

    test('sets the bit of a withdrawn token permanently, and no other bit', async () => {
      const [of, other] = [await someone(), await someone()];
      const [mine, theirs] = [await issueFor(service, of), await issueFor(service, other, { form: 'vc1' })];
      expect([await isRevoked(mine.credential), await isRevoked(theirs.credential)]).toEqual([false, false]);
      await withdraw(service, of);
      expect([await isRevoked(mine.credential), await isRevoked(theirs.credential)]).toEqual([true, false]);
      await mint(service, of);
      const next = await issueFor(service, of);
      expect(next.share.status).not.toEqual(mine.share.status);
      expect([await isRevoked(mine.credential), await isRevoked(next.credential)]).toEqual([true, false]);
    });

    test('is answered with 304 until a bit is set', async () => {
      const of = await someone();
      const { share } = await issueFor(service, of);
      const path = `/status-lists/${share.status.list}`;
      const etag = (await read(path)).headers.get('etag') ?? '';
      expect((await read(path, { 'If-None-Match': etag })).status).toBe(304);
      await withdraw(service, of);
      expect((await read(path, { 'If-None-Match': etag })).status).toBe(200);
    });

    test('with an unknown number is not found', async () => {
      for (const n of ['0', '999999', '01', '1.5', 'x', '-1', '9999999999']) {
        const { status, body } = await read(`/status-lists/${n}`);
        expect([n, status, body.code]).toEqual([n, 404, 'NOT_FOUND']);
      }
    });

    test('is followed by the next list when it is full', async () => {
      const { list } = (await issueFor(service, await someone())).share.status;
      await service.ledger.execute(
        `insert into status_entry (list_no, entry_index)
         select $1::integer, index from generate_series(0, 131071) as full_list (index) on conflict do nothing`,
        [list],
      );
      const holders = await Promise.all([someone(), someone(), someone()]);
      for (const of of holders) {
        const { credential, share } = await issueFor(service, of);
        expect(share.status.list).toBe(list + 1);
        expect(await isRevoked(credential)).toBe(false);
      }
      expect((await read(`/status-lists/${list}`)).status).toBe(200);
    });
  });

  // Last: the clock goes on from here.
  describe('a change of keys', () => {
    const vault = createVault(TEST_KEYS.data);
    const rotate = (announcedMs?: number) =>
      rotateSigningKey(service.db, vault, clock, 'credential', announcedMs);
    const wait = (ms: number) => {
      clock.at = new Date(clock.at.getTime() + ms);
    };
    const listedKeys = async () =>
      ((await read('!/.well-known/did.json')).body.verificationMethod as Published[])
        .filter(({ type }) => type === 'JsonWebKey')
        .map(({ id }) => id);
    const check = (jwt: string) => checked(jwt, { now: clock.at.getTime() / 1000 });

    test('a retired key is published until every credential signed with it has expired', async () => {
      const of = await someone();
      const old = await issueFor(service, of, { now: clock.at, ttlSeconds: 7_776_000 });
      const { keyId } = await rotate(0);
      wait(60_000);
      expect(await listedKeys()).toEqual([decoded(old.credential).header.kid, `${ISSUER_DID}#${keyId}`]);
      await check(old.credential);
      const fresh = await issueFor(service, of, { now: clock.at });
      expect(decoded(fresh.credential).header.kid).toBe(`${ISSUER_DID}#${keyId}`);
      await check(fresh.credential);
      expect(await isRevoked(old.credential)).toBe(false);
      clock.at = new Date(old.expiresAt.getTime() - 60_000);
      await check(old.credential);
      wait(3 * DAY_MS);
      expect(await listedKeys()).toEqual([`${ISSUER_DID}#${keyId}`]);
      await expect(check(old.credential)).rejects.toThrow();
    });

    test('a compromised key verifies nothing from then on', async () => {
      const of = await someone();
      const signer = await issuerOf(service, clock).signer();
      const { keyId } = await rotate(0);
      await forgetRetiredKeys(service.db, 'credential', clock.at);
      wait(60_000);
      expect(await listedKeys()).toEqual([`${ISSUER_DID}#${keyId}`]);
      const { share } = await issueFor(service, of);
      const { credential } = await signer.issue({
        type: 'ServiceEarningsCredential',
        form: 'vc2',
        share,
        inclusion: null,
        now: clock.at,
        ttlSeconds: 86_400,
        record: {},
        asOf: clock.at,
      });
      await expect(check(credential)).rejects.toThrow();
    });
  });
});
