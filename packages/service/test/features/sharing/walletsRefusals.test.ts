import { generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { startTestService, type TestAnswer, type TestService } from '#harness/service.js';
import { base58btc } from '#kit/crypto.js';
import { type Alias, alias, ask } from '../subjects/linkFixtures.js';
import { movableClock } from '../tenancy/keyFixtures.js';
import { ISSUER_DID, SHARING_BASE, SHARING_ENV, withdraw } from './sharingFixtures.js';
import {
  accessFor,
  askCredential,
  askToken,
  codeOf,
  GRANT_TYPE,
  newHolder,
  nonceOf,
  offerTo,
  proofOf,
  RECORD,
  redeem,
  requestWith,
} from './walletFixtures.js';

const good = { eventType: 'CONTRACT_FULFILLED', isVerified: true };
const MANY = Array.from({ length: 20 });
const UNKNOWN = 'unknown_credential_configuration';

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

describe.each(breadth)('what wallets are refused on %s', (engine) => {
  let service: TestService;
  let of: Alias;
  const clock = movableClock();

  beforeAll(async () => {
    service = await startTestService(engine, { env: SHARING_ENV, clock });
    of = await alias(service, 'holder', [good]);
  });
  afterAll(() => service.close());

  const newCode = async (more: object = {}) => {
    const offered = await offerTo(service, of, more);
    return { code: await codeOf(service, offered), txCode: offered.txCode ?? '' };
  };
  const wrong = (txCode: string) => String((Number(txCode) + 1) % 1_000_000).padStart(6, '0');

  /**
   * The shape that OAuth gives to errors: nothing else in it, no cache, and our own id of the
   * request all the same.
   */
  function expectRefused(answer: TestAnswer, status: number, error: string): void {
    expect([answer.status, answer.body.error]).toEqual([status, error]);
    expect(Object.keys(answer.body).sort()).toEqual(['error', 'error_description']);
    expect(answer.body.error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('x-request-id')).toBeTruthy();
  }

  /** Of requests at the same instant; returns the refusals. */
  function expectOneWon(answers: TestAnswer[]): TestAnswer[] {
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    return answers.filter(({ status }) => status !== 200);
  }

  describe('for a code', () => {
    test('a valid code returns a bearer token that is never cached', async () => {
      const { code } = await newCode();
      const { status, headers, body } = await redeem(service, code);
      expect(status).toBe(200);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(body).toEqual({ access_token: expect.any(String), token_type: 'Bearer', expires_in: 600 });
    });

    test.each([
      ['nothing at all', {}, 'invalid_request'],
      ['no grant type', { 'pre-authorized_code': 'x' }, 'invalid_request'],
      ['no code', { grant_type: GRANT_TYPE }, 'invalid_request'],
      ['two codes', { grant_type: GRANT_TYPE, 'pre-authorized_code': ['x', 'y'] }, 'invalid_request'],
      ['an unknown code', { grant_type: GRANT_TYPE, 'pre-authorized_code': 'x' }, 'invalid_grant'],
      ['a code of another grant', { grant_type: 'authorization_code', code: 'x' }, 'unsupported_grant_type'],
      ['a refresh token', { grant_type: 'refresh_token', refresh_token: 'x' }, 'unsupported_grant_type'],
      ['a password', { grant_type: 'password', username: 'x', password: 'x' }, 'unsupported_grant_type'],
    ])('a request with %s is refused', async (_, fields, error) => {
      expectRefused(await askToken(service, fields as Record<string, string>), 400, error);
    });

    test('a body that is not a form is refused', async () => {
      const json = await service.request('POST', '!/oid4vci/token', {
        key: null,
        body: { grant_type: GRANT_TYPE },
      });
      expectRefused(json, 400, 'invalid_request');
      expectRefused(await service.request('POST', '!/oid4vci/token', { key: null }), 400, 'invalid_request');
    });

    test('the request id is echoed', async () => {
      const answer = await askToken(service, {}, { 'X-Request-Id': 'of-the-wallet-1' });
      expect(answer.headers.get('x-request-id')).toBe('of-the-wallet-1');
    });

    test('a code is accepted once', async () => {
      const { code } = await newCode();
      expect((await redeem(service, code)).status).toBe(200);
      expectRefused(await redeem(service, code), 400, 'invalid_grant');
    });

    test('of concurrent requests with one code, one succeeds', async () => {
      const { code, txCode } = await newCode({ txCode: true });
      const answers = await Promise.all(MANY.map(() => redeem(service, code, { tx_code: txCode })));
      for (const answer of expectOneWon(answers)) expectRefused(answer, 400, 'invalid_grant');
    });

    test('a missing, empty, unexpected or misnamed tx_code is refused', async () => {
      const asked = await newCode({ txCode: true });
      expectRefused(await redeem(service, asked.code), 400, 'invalid_request');
      expectRefused(await redeem(service, asked.code, { tx_code: '' }), 400, 'invalid_request');
      expectRefused(await redeem(service, asked.code, { user_pin: asked.txCode }), 400, 'invalid_request');
      const free = await newCode();
      expectRefused(await redeem(service, free.code, { tx_code: '123456' }), 400, 'invalid_request');
      // None of that was a guess, and the codes still hold.
      expect((await redeem(service, asked.code, { tx_code: asked.txCode })).status).toBe(200);
      expect((await redeem(service, free.code)).status).toBe(200);
    });

    test('the right tx_code is accepted after four wrong ones; five end the code', async () => {
      for (const [guesses, status] of [
        [4, 200],
        [5, 400],
      ] as const) {
        const { code, txCode } = await newCode({ txCode: true });
        for (let guess = 0; guess < guesses; guess += 1) {
          expectRefused(await redeem(service, code, { tx_code: wrong(txCode) }), 400, 'invalid_grant');
        }
        expect((await redeem(service, code, { tx_code: txCode })).status).toBe(status);
      }
    });

    test('concurrent guesses are counted like any others', async () => {
      const { code, txCode } = await newCode({ txCode: true });
      await Promise.all(MANY.map(() => redeem(service, code, { tx_code: wrong(txCode) })));
      expectRefused(await redeem(service, code, { tx_code: txCode }), 400, 'invalid_grant');
    });
  });

  describe('for a credential', () => {
    test('a request without an access token gets 401 and the scheme to use', async () => {
      for (const body of [requestWith('x.y.z'), {}, undefined]) {
        const answer = await askCredential(service, null, body);
        expectRefused(answer, 401, 'invalid_token');
        expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      }
    });

    test.each([
      ['an unknown access token', 'Bearer oat_nobody'],
      ['a key of a platform', `Bearer crd_live_${'L'.repeat(43)}`],
      ['another scheme', 'Basic eDp5'],
      ['no token after the scheme', 'Bearer '],
    ])('a request with %s is refused', async (_, header) => {
      const answer = await service.request('POST', '!/oid4vci/credential', {
        key: null,
        body: requestWith('x.y.z'),
        headers: { Authorization: header },
      });
      expectRefused(answer, 401, 'invalid_token');
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token"/);
    });

    test('an access token expires after ten minutes', async () => {
      const access = await accessFor(service, of);
      clock.aheadMs = 600_000;
      const answer = await askCredential(service, access, requestWith('x.y.z'));
      clock.aheadMs = 0;
      expectRefused(answer, 401, 'invalid_token');
    });

    const configured = { credential_configuration_id: RECORD };
    const identified = { credential_identifier: 'first' };
    const encryption = { jwk: { kty: 'EC' }, alg: 'ECDH-ES', enc: 'A256GCM' };
    const definition = { type: ['VerifiableCredential', RECORD] };

    test.each([
      ['nothing', {}, 'invalid_credential_request'],
      ['an unknown configuration', { credential_configuration_id: 'ServiceMoonCredential' }, UNKNOWN],
      ['an identifier', identified, 'unknown_credential_identifier'],
      ['a configuration and an identifier', { ...configured, ...identified }, 'invalid_credential_request'],
      ['a configuration that is no text', { credential_configuration_id: 7 }, 'invalid_credential_request'],
      [
        'a format',
        { format: 'jwt_vc_json', credential_definition: definition },
        'invalid_credential_request',
      ],
      [
        'an encrypted answer',
        { ...requestWith('x.y.z'), credential_response_encryption: encryption },
        'invalid_encryption_parameters',
      ],
      ['no proof', configured, 'invalid_proof'],
      ['an empty list of proofs', requestWith(), 'invalid_proof'],
      ['two proofs', requestWith('x.y.z', 'x.y.z'), 'invalid_credential_request'],
      ['a proof that is no JWT', requestWith('nonsense'), 'invalid_proof'],
      ['a proof that is not a text', { ...configured, proofs: { jwt: [7] } }, 'invalid_proof'],
      ['a proof of another kind', { ...configured, proofs: { di_vp: [{}] } }, 'invalid_proof'],
      [
        'a proof by its old name',
        { ...configured, proof: { proof_type: 'jwt', jwt: 'x.y.z' } },
        'invalid_proof',
      ],
    ])('a request with %s is refused', async (_, body, error) => {
      expectRefused(await askCredential(service, await accessFor(service, of), body), 400, error);
    });

    test('a body that is not JSON is refused', async () => {
      const access = await accessFor(service, of);
      expectRefused(await askCredential(service, access, '{"a":'), 400, 'invalid_credential_request');
      expectRefused(await askCredential(service, access, '[]'), 400, 'invalid_credential_request');
    });

    test('another credential than the offered one is refused', async () => {
      const holder = await newHolder();
      const proof = await proofOf(holder, await nonceOf(service));
      const body = { credential_configuration_id: 'ServiceEarningsCredential', proofs: { jwt: [proof] } };
      const answer = await askCredential(service, await accessFor(service, of), body);
      expectRefused(answer, 403, 'insufficient_scope');
      expect(answer.headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope"');
    });

    test('an offer under a withdrawn share token is refused', async () => {
      const withdrawing = await alias(service, 'withdrawing', [good]);
      const access = await accessFor(service, withdrawing);
      await withdraw(service, withdrawing);
      await ask(service, withdrawing, 'POST', '/share-token');
      const proof = await proofOf(await newHolder(), await nonceOf(service));
      const answer = await askCredential(service, access, requestWith(proof));
      expectRefused(answer, 400, 'credential_request_denied');
    });
  });

  describe('for a proof', () => {
    const hour = 3600;
    const now = () => Math.floor(Date.now() / 1000);
    const expectNoProof = async (proof: string, error = 'invalid_proof') => {
      const answer = await askCredential(service, await accessFor(service, of), requestWith(proof));
      expectRefused(answer, 400, error);
    };

    test.each([
      ['another type of JWT', { header: { typ: 'JWT' } }],
      ['a key by name only', { header: { kid: 'my-key' } }],
      ['a DID that would have to be fetched', { header: { kid: 'did:web:wallet.example#key-1' } }],
      ['a fragment that names another key', { header: { kid: 'did:jwk:e30#1' } }],
      ['a certificate in place of a key', { header: { kid: undefined, x5c: ['MIIB'] } }],
      ['another audience', { payload: { aud: 'https://elsewhere.example' } }],
      ['no audience', { payload: { aud: undefined } }],
      ['the DID of the issuer as audience', { payload: { aud: ISSUER_DID } }],
      ['no time', { payload: { iat: undefined } }],
      ['an old time', { payload: { iat: now() - hour } }],
      ['a time to come', { payload: { iat: now() + hour } }],
      ['an end that has passed', { payload: { exp: now() - 10 } }],
      ['a critical header that nobody knows', { header: { crit: ['x'], x: 1 } }],
    ])('a proof with %s is refused', async (_, change) => {
      const proof = await proofOf(await newHolder(), await nonceOf(service), change).catch(() => null);
      if (proof === null) return; // the other library does not even sign that
      await expectNoProof(proof);
    });

    test('a proof signed by another key than it names is refused', async () => {
      const [holder, thief] = [await newHolder(), await newHolder()];
      const nonce = await nonceOf(service);
      for (const header of [
        { kid: `${holder.didJwk}#0` },
        { jwk: holder.jwk },
        { jwk: thief.jwk, kid: `${thief.didJwk}#0` },
      ]) {
        await expectNoProof(await proofOf(thief, nonce, { header }));
      }
    });

    test('a proof with its private key, signed with a shared secret, or unsigned is refused', async () => {
      const { jwk, ...holder } = await newHolder();
      const nonce = await nonceOf(service);
      const header = { jwk: { ...jwk, d: 'A'.repeat(43) } };
      await expectNoProof(await proofOf({ jwk, ...holder }, nonce, { header }));
      const payload = { aud: SHARING_BASE, iat: now(), nonce };
      const named = { typ: 'openid4vci-proof+jwt', jwk };
      const secret = new TextEncoder().encode('s'.repeat(32));
      const symmetric = new SignJWT(payload).setProtectedHeader({ alg: 'HS256', ...named });
      await expectNoProof(await symmetric.sign(secret));
      await expectNoProof(`${encoded({ alg: 'none', ...named })}.${encoded(payload)}.`);
    });

    test('a proof with an algorithm that is not in the metadata is refused', async () => {
      const { privateKey } = await generateKeyPair('ES384', { extractable: true });
      const { jwk } = await newHolder('ES256');
      const proof = new SignJWT({ aud: SHARING_BASE, iat: now(), nonce: await nonceOf(service) });
      const header = { alg: 'ES384', typ: 'openid4vci-proof+jwt', jwk };
      await expectNoProof(await proof.setProtectedHeader(header).sign(privateKey));
    });

    test('a proof without a nonce, or with one of another issuer, is refused', async () => {
      const holder = await newHolder();
      await expectNoProof(await proofOf(holder, undefined));
      const nonce = await nonceOf(service);
      const others = [
        '',
        'x',
        `${nonce}A`,
        `${nonce}=`,
        nonce.slice(1),
        Buffer.alloc(43).toString('base64url'),
      ];
      for (const unknown of others) await expectNoProof(await proofOf(holder, unknown), 'invalid_nonce');
    });

    test('a nonce expires after five minutes', async () => {
      const nonce = await nonceOf(service);
      const access = await accessFor(service, of);
      const late = now() + 300;
      const proof = await proofOf(await newHolder(), nonce, { payload: { iat: late } });
      clock.aheadMs = 300_000;
      const answer = await askCredential(service, access, requestWith(proof));
      clock.aheadMs = 0;
      expectRefused(answer, 400, 'invalid_nonce');
    });

    test('a nonce is accepted once, also by concurrent requests', async () => {
      const holder = await newHolder();
      const accesses = await Promise.all(MANY.map(() => accessFor(service, of)));
      const nonce = await nonceOf(service);
      const answers = await Promise.all(
        accesses.map(async (access, n) => {
          const proof = await proofOf(holder, nonce, { payload: { jti: String(n) } });
          return askCredential(service, access, requestWith(proof));
        }),
      );
      for (const answer of expectOneWon(answers)) expectRefused(answer, 400, 'invalid_nonce');
      const unspent = accesses[answers.findIndex(({ status }) => status !== 200)] ?? '';
      const next = await proofOf(holder, await nonceOf(service));
      expect((await askCredential(service, unspent, requestWith(next))).status).toBe(200);
    });

    test('an access token gets one credential, also with concurrent requests', async () => {
      const access = await accessFor(service, of);
      const request = async () => requestWith(await proofOf(await newHolder(), await nonceOf(service)));
      const requests = await Promise.all(MANY.map(request));
      const answers = await Promise.all(requests.map((body) => askCredential(service, access, body)));
      const later = await askCredential(service, access, await request());
      for (const answer of expectOneWon([...answers, later])) {
        expectRefused(answer, 401, 'invalid_token');
        expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
      }
    });

    test('a proof by a low-order key, for which anyone can sign, is refused', async () => {
      const nonce = await nonceOf(service);
      // The neutral point: with R neutral and S zero, RFC 8032's equation holds whatever the
      // message is.
      const point = Buffer.from(`01${'00'.repeat(31)}`, 'hex');
      const jwk = { kty: 'OKP', crv: 'Ed25519', x: point.toString('base64url') };
      const didJwk = `did:jwk:${encoded(jwk)}`;
      const multibase = `z${base58btc(Buffer.concat([Buffer.from([0xed, 0x01]), point]))}`;
      const forged = Buffer.concat([point, Buffer.alloc(32)]).toString('base64url');
      for (const named of [{ jwk }, { kid: `${didJwk}#0` }, { kid: `did:key:${multibase}#${multibase}` }]) {
        const header = encoded({ alg: 'EdDSA', typ: 'openid4vci-proof+jwt', ...named });
        await expectNoProof(`${header}.${encoded({ aud: SHARING_BASE, iat: now(), nonce })}.${forged}`);
      }
    });

    test('a failed request does not use its nonce', async () => {
      const holder = await newHolder();
      const access = await accessFor(service, of);
      const nonce = await nonceOf(service);
      const bad = await proofOf(holder, nonce, { payload: { aud: 'https://elsewhere.example' } });
      expectRefused(await askCredential(service, access, requestWith(bad)), 400, 'invalid_proof');
      const good = requestWith(await proofOf(holder, nonce));
      expect((await askCredential(service, access, good)).status).toBe(200);
    });
  });

  test('the rate limit of an address answers in the same shape', async () => {
    const small = await startTestService(engine, {
      env: { ...SHARING_ENV, ANONYMOUS_RATE_LIMIT_PER_MINUTE: '2' },
    });
    try {
      await nonceOf(small);
      await nonceOf(small);
      const answer = await small.request('POST', '!/oid4vci/nonce', { key: null });
      expectRefused(answer, 429, 'temporarily_unavailable');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      // The documents are exempt.
      expect(
        (await small.request('GET', '!/.well-known/openid-credential-issuer', { key: null })).status,
      ).toBe(200);
    } finally {
      await small.close();
    }
  });
});
