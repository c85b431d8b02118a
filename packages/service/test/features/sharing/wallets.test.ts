import { verifyCredential } from 'did-jwt-vc';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { startTestService, type TestService } from '#harness/service.js';
import { credentialTypes } from '#ledger/issuing/forms.js';
import { type Alias, alias, ask } from '../subjects/linkFixtures.js';
import { movableClock } from '../tenancy/keyFixtures.js';
import { addedPlatform, trailOf } from '../tenancy/trail.js';
import {
  decoded,
  ISSUER_DID,
  isRevoked,
  resolverOf,
  SHARING_BASE,
  SHARING_ENV,
  withdraw,
} from './sharingFixtures.js';
import {
  accessFor,
  askCredential,
  codeOf,
  GRANT_TYPE,
  type Holder,
  newHolder,
  nonceOf,
  type Offered,
  offerTo,
  proofOf,
  RECORD,
  readOffer,
  redeem,
  requestWith,
  walletOf,
} from './walletFixtures.js';

const good = { eventType: 'CONTRACT_FULFILLED', isVerified: true, transactionValue: 120 };

describe.each(breadth)('wallets on %s', (engine) => {
  let service: TestService;
  let count = 0;
  const clock = movableClock();

  beforeAll(async () => {
    service = await startTestService(engine, { env: SHARING_ENV, clock });
  });
  afterAll(() => service.close());

  const someone = () => alias(service, `holder-${++count}`, [good]);
  const read = (path: string, headers = {}) => service.request('GET', path, { key: null, headers });

  /** From the link to the credential, by another's library. */
  async function fetched(holder: Holder, offered: Offered, type: string, signer: object): Promise<string> {
    const wallet = walletOf(service, holder);
    const credentialOffer = await wallet.resolveCredentialOffer(offered.credentialOfferUri);
    const issuerMetadata = await wallet.resolveIssuerMetadata(credentialOffer.credential_issuer);
    const { accessTokenResponse } = await wallet.retrievePreAuthorizedCodeAccessTokenFromOffer({
      credentialOffer,
      issuerMetadata,
      txCode: offered.txCode,
    });
    const { c_nonce: nonce } = await wallet.requestNonce({ issuerMetadata });
    const { jwt } = await wallet.createCredentialRequestJwtProof({
      issuerMetadata,
      signer: signer as Parameters<typeof wallet.createCredentialRequestJwtProof>[0]['signer'],
      nonce,
      issuedAt: new Date(),
      credentialConfigurationId: type,
    });
    const { credentialResponse } = await wallet.retrieveCredentials({
      issuerMetadata,
      credentialConfigurationId: type,
      accessToken: accessTokenResponse.access_token,
      proofs: { jwt: [jwt] },
    });
    const [issued] = credentialResponse.credentials ?? [];
    return (issued as { credential: string }).credential;
  }

  test('leave the texts of other errors unchanged, whatever their library does to schemas', async () => {
    await read('!/.well-known/openid-credential-issuer'); // loads it
    const body = { userId: 'somebody', eventType: 'TRANSACTION_COMPLETED', dueDate: '2026-02-30T00:00:00Z' };
    const { status, body: refused } = await service.request('POST', '/events', { body });
    expect(status).toBe(400);
    expect(refused.error).toContain('must be an RFC 3339 timestamp');
  });

  describe('the whole way', () => {
    test.each([
      ['EdDSA', 'did:key', false],
      ['EdDSA', 'did:jwk', true],
      ['EdDSA', 'jwk', false],
      ['ES256', 'did:key', true],
      ['ES256', 'did:jwk', false],
      ['ES256', 'jwk', true],
    ] as const)('brings a credential into a wallet with a key of %s, as %s', async (alg, method, txCode) => {
      const holder = await newHolder(alg);
      const did = method === 'did:key' ? holder.didKey : holder.didJwk;
      const didUrl = `${did}#${method === 'did:key' ? did.slice('did:key:'.length) : '0'}`;
      const signer =
        method === 'jwk' ? { method: 'jwk', alg, publicJwk: holder.jwk } : { method: 'did', alg, didUrl };
      const of = await someone();
      await service.settle();
      const credential = await fetched(holder, await offerTo(service, of, { txCode }), RECORD, signer);

      const { verifiableCredential, issuer } = await verifyCredential(credential, resolverOf(service));
      expect(issuer).toBe(ISSUER_DID);
      expect(verifiableCredential.type).toEqual(['VerifiableCredential', RECORD]);
      expect(verifiableCredential.credentialSubject.id).toBe(did);
      const { header, payload } = decoded(credential);
      expect(header.typ).toBe('JWT');
      expect(payload.sub).toBe(did);
      expect(payload.exp - payload.iat).toBe(86_400 + 3_600);
      expect(payload.vc.credentialSubject.record).toMatchObject({ finalScore: expect.any(Number) });
      expect(payload.vc.credentialStatus.type).toBe('BitstringStatusListEntry');
      expect(credential).not.toContain(Buffer.from(of.userId).toString('base64url'));
      expect(JSON.stringify(payload)).not.toContain(of.userId);
    });

    test('offers every credential type with the content of its own operation', async () => {
      const holder = await newHolder();
      const of = await someone();
      await service.settle();
      const { body } = await read('!/.well-known/openid-credential-issuer');
      const types = Object.keys(body.credential_configurations_supported);
      expect([...types].sort()).toEqual([...credentialTypes].sort());
      const signer = { method: 'jwk', alg: 'EdDSA', publicJwk: holder.jwk };
      const credentialType = 'ServiceEarningsCredential';
      const offered = await offerTo(service, of, { credentialType }, '?ttl=7776000');
      const credential = await fetched(holder, offered, credentialType, signer);
      const { payload } = decoded(credential);
      const direct = (await ask(service, of, 'POST', '/earnings/credential')).body.credential;
      expect(Object.keys(payload.vc.credentialSubject.record)).toEqual(
        Object.keys(decoded(direct).payload.credentialSubject.record),
      );
      expect(payload.exp - payload.iat).toBe(7_776_000 + 3_600);
    });

    test('ends in a credential that a withdrawal revokes', async () => {
      const of = await someone();
      const access = await accessFor(service, of);
      const proof = await proofOf(await newHolder(), await nonceOf(service));
      const { credential } = (await askCredential(service, access, requestWith(proof))).body.credentials[0];
      expect(await isRevoked(service, credential)).toBe(false);
      await withdraw(service, of);
      expect(await isRevoked(service, credential)).toBe(true);
    });
  });

  describe('an offer', () => {
    test('is a link, a page and a QR code, with a transaction code only on request', async () => {
      const of = await someone();
      const offered = await offerTo(service, of);
      expect(Object.keys(offered).sort()).toEqual([
        'credentialOfferUri',
        'expiresAt',
        'offerId',
        'pageUrl',
        'qrSvg',
      ]);
      const link = new URL(offered.credentialOfferUri);
      expect(offered.credentialOfferUri).toMatch(/^openid-credential-offer:\/\/\?/);
      expect([...link.searchParams]).toEqual([
        ['credential_offer_uri', `${SHARING_BASE}/oid4vci/offers/${offered.offerId}`],
      ]);
      expect(offered.qrSvg).toMatch(/^<svg [^>]*viewBox=.*<\/svg>$/s);
      expect(Date.parse(offered.expiresAt) - Date.now()).toBeLessThanOrEqual(600_000);
      expect((await offerTo(service, of, { txCode: true })).txCode).toMatch(/^\d{6}$/);
    });

    test('is readable at its address as the standard says and never cached', async () => {
      const offered = await offerTo(service, await someone(), { txCode: true });
      const { status, headers, body } = await readOffer(service, offered.offerId);
      expect(status).toBe(200);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(body).toEqual({
        credential_issuer: SHARING_BASE,
        credential_configuration_ids: [RECORD],
        grants: {
          [GRANT_TYPE]: {
            'pre-authorized_code': expect.stringMatching(/^oac_[A-Za-z0-9_-]{43}$/),
            tx_code: { input_mode: 'numeric', length: 6, description: expect.any(String) },
          },
        },
      });
      expect(JSON.stringify(body)).not.toContain(offered.txCode);
    });

    test.each(['nobody', '5b0e62cf-3f0a-4d7e-9a4e-1c2f6f1b8d90', 'a%2Fb'])(
      'is not found as %s',
      async (id) => {
        expect((await readOffer(service, id)).body.code).toBe('NOT_FOUND');
      },
    );

    test('ends when its code is used, after ten minutes, and with the share token', async () => {
      const of = await someone();
      const [spent, late, withdrawn] = [
        await offerTo(service, of),
        await offerTo(service, of),
        await offerTo(service, of),
      ];
      const [lateCode, withdrawnCode] = [await codeOf(service, late), await codeOf(service, withdrawn)];
      await redeem(service, await codeOf(service, spent));
      expect((await readOffer(service, spent.offerId)).status).toBe(404);
      clock.aheadMs = 600_000;
      expect((await readOffer(service, late.offerId)).status).toBe(404);
      expect((await redeem(service, lateCode)).body.error).toBe('invalid_grant');
      clock.aheadMs = 0;
      await withdraw(service, of);
      expect((await readOffer(service, withdrawn.offerId)).status).toBe(404);
      expect((await redeem(service, withdrawnCode)).body.error).toBe('invalid_grant');
      await ask(service, of, 'POST', '/share-token'); // a new one does not bring it back
      expect((await readOffer(service, withdrawn.offerId)).status).toBe(404);
    });

    test('mints a share token if there is none, else uses the existing one', async () => {
      const of = await someone();
      await offerTo(service, of);
      const first = (await ask(service, of, 'POST', '/share-token')).body.shareToken;
      await offerTo(service, of);
      expect((await ask(service, of, 'POST', '/share-token')).body.shareToken).toBe(first);
      expect(await trailOf(service, of.platform.live.key, '&action=SHARE_TOKEN_MINTED')).toHaveLength(1);
    });

    test('has an audit entry without its secrets', async () => {
      const of = await someone();
      const offered = await offerTo(service, of, { txCode: true });
      const [entry] = await trailOf(service, of.platform.live.key, '&action=CREDENTIAL_OFFER_CREATED');
      expect(entry).toMatchObject({
        actor: `key:${of.platform.live.id}`,
        details: { userId: of.userId, credentialType: RECORD, txCode: true, expiresAt: offered.expiresAt },
      });
      expect(JSON.stringify(entry)).not.toMatch(new RegExp(`${offered.offerId}|${offered.txCode}`));
    });

    test('is refused for a credential type that does not fit the type of subject', async () => {
      const platform = await addedPlatform(service);
      const declared = async (path: string, userId: string, more: object = {}) => {
        const body = { userId, ...more };
        const answer = await service.request('POST', path, { key: platform.live.key, body });
        expect(answer.status).toBe(201);
        return { platform, userId };
      };
      const person = await someone();
      const agent = await declared('/agents', 'robot');
      const business = await declared('/businesses', 'bakery', { business: { legalName: 'Bakery Ltd' } });
      const offers = async (of: Alias) => {
        const found: string[] = [];
        for (const credentialType of credentialTypes) {
          const options = { body: { credentialType } };
          const { status, body } = await ask(service, of, 'POST', '/credential-offers', options);
          if (status === 201) found.push(credentialType);
          else expect([status, body.code]).toEqual([409, 'CONFLICT']);
        }
        return found;
      };
      const [earnings, record, deliveries, agentDeliveries, businessRecord] = credentialTypes;
      expect(await offers(person)).toEqual([earnings, record, deliveries]);
      expect(await offers(agent)).toEqual([earnings, record, agentDeliveries]);
      expect(await offers(business)).toEqual([earnings, record, deliveries, businessRecord]);

      const holder = await newHolder();
      const signer = { method: 'jwk', alg: 'EdDSA', publicJwk: holder.jwk };
      const offered = await offerTo(service, business, { credentialType: businessRecord });
      const { vc } = decoded(await fetched(holder, offered, businessRecord, signer)).payload;
      const { shareToken } = (await ask(service, business, 'POST', '/share-token')).body;
      const publicRecord = await read(`/verify/${shareToken}/business-record`);
      expect(vc.credentialSubject.record).toEqual(publicRecord.body.record);
    });

    test('leaves no usable secret in the database', async () => {
      const of: Alias = await someone();
      const offered = await offerTo(service, of, { txCode: true });
      const code = await codeOf(service, offered);
      const { access_token: access } = (await redeem(service, code, { tx_code: offered.txCode ?? '' })).body;
      const rows = await service.db.query('select to_jsonb(o)::text as text from credential_offer o');
      const text = JSON.stringify(rows);
      for (const secret of [offered.offerId, code, access]) {
        expect(text).not.toContain(secret);
        expect(text).not.toContain(Buffer.from(secret).toString('hex'));
      }
      expect(text).not.toContain(`"${offered.txCode}"`);
    });

    test('is deleted with its nonces once it is unusable', async () => {
      const access = await accessFor(service, await someone());
      const proof = await proofOf(await newHolder(), await nonceOf(service));
      expect((await askCredential(service, access, requestWith(proof))).status).toBe(200);
      const rows = async () => [
        ...(await service.db.query('select offer_hash from credential_offer')),
        ...(await service.db.query('select nonce_hash from wallet_nonce')),
      ];
      const sweep = () => service.request('POST', '/admin/sweeps/retention', { admin: true });
      const before = (await rows()).length;
      await sweep();
      expect((await rows()).length).toBe(before);
      clock.aheadMs = 1_300_000;
      await sweep();
      clock.aheadMs = 0;
      expect(await rows()).toEqual([]);
    });
  });

  describe('the metadata', () => {
    test('of the issuer lists the credential types in the terms of the standard', async () => {
      const { status, headers, body } = await read('!/.well-known/openid-credential-issuer');
      expect(status).toBe(200);
      expect(headers.get('content-type')).toMatch(/^application\/json/);
      expect(body).toMatchObject({
        credential_issuer: SHARING_BASE,
        credential_endpoint: `${SHARING_BASE}/oid4vci/credential`,
        nonce_endpoint: `${SHARING_BASE}/oid4vci/nonce`,
      });
      expect(body).not.toHaveProperty('authorization_servers');
      expect(body.credential_configurations_supported[RECORD]).toEqual({
        format: 'jwt_vc_json',
        scope: RECORD,
        credential_definition: { type: ['VerifiableCredential', RECORD] },
        credential_signing_alg_values_supported: ['EdDSA'],
        cryptographic_binding_methods_supported: ['did:key', 'did:jwk', 'jwk'],
        proof_types_supported: { jwt: { proof_signing_alg_values_supported: ['EdDSA', 'ES256'] } },
        credential_metadata: {
          display: [{ name: 'Professional record', locale: 'en' }],
          claims: expect.arrayContaining([
            expect.objectContaining({ path: ['credentialSubject', 'record'] }),
          ]),
        },
      });
      expect(JSON.stringify(body)).not.toMatch(/credentials_supported"|authorization_endpoint/);
      const cached = { 'If-None-Match': headers.get('etag') ?? '' };
      expect((await read('!/.well-known/openid-credential-issuer', cached)).status).toBe(304);
    });

    test('of the authorization server names the token endpoint, open to anonymous clients', async () => {
      const { body } = await read('!/.well-known/oauth-authorization-server');
      expect(body).toEqual({
        issuer: SHARING_BASE,
        token_endpoint: `${SHARING_BASE}/oid4vci/token`,
        token_endpoint_auth_methods_supported: ['none'],
        grant_types_supported: [GRANT_TYPE],
        'pre-authorized_grant_anonymous_access_supported': true,
      });
    });
  });
});
