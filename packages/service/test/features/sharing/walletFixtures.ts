import { createHash, randomBytes } from 'node:crypto';
import { clientAuthenticationAnonymous, preAuthorizedCodeGrantIdentifier } from '@openid4vc/oauth2';
import { Openid4vciClient } from '@openid4vc/openid4vci';
import { exportJWK, generateKeyPair, type JWK, type JWTHeaderParameters, SignJWT } from 'jose';
import type { TestAnswer, TestService } from '#harness/service.js';
import { base58btc } from '#kit/crypto.js';
import { type Alias, ask } from '../subjects/linkFixtures.js';
import { SHARING_BASE } from './sharingFixtures.js';

export const GRANT_TYPE = preAuthorizedCodeGrantIdentifier;
export const RECORD = 'ServiceProfessionalRecordCredential';

export interface Offered {
  offerId: string;
  pageUrl: string;
  credentialOfferUri: string;
  qrSvg: string;
  txCode?: string;
  expiresAt: string;
}

export async function offerTo(
  service: TestService,
  of: Alias,
  more: object = {},
  query = '',
): Promise<Offered> {
  const body = { credentialType: RECORD, ...more };
  const answer = await ask(service, of, 'POST', `/credential-offers${query}`, { body });
  if (answer.status !== 201) throw new Error(`no offer: ${answer.text}`);
  return answer.body;
}

/** As anybody reads it. */
export function readOffer(service: TestService, offerId: string): Promise<TestAnswer> {
  return service.request('GET', `!/oid4vci/offers/${offerId}`, { key: null });
}

export async function codeOf(service: TestService, { offerId }: Offered): Promise<string> {
  return (await readOffer(service, offerId)).body.grants[GRANT_TYPE]['pre-authorized_code'];
}

/** POST /oid4vci/token with these fields; a list sends a field more than once. */
export function askToken(
  service: TestService,
  fields: Record<string, string | string[]>,
  headers: Record<string, string> = {},
): Promise<TestAnswer> {
  const form = new URLSearchParams();
  for (const [name, values] of Object.entries(fields)) {
    for (const value of [values].flat()) form.append(name, value);
  }
  return service.request('POST', '!/oid4vci/token', {
    key: null,
    body: form.toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
  });
}

/** The code of an offer, and what comes with it, for an answer of the token endpoint. */
export function redeem(
  service: TestService,
  code: string,
  more: Record<string, string> = {},
): Promise<TestAnswer> {
  return askToken(service, { grant_type: GRANT_TYPE, 'pre-authorized_code': code, ...more });
}

/** An access token for a new offer of the subject. */
export async function accessFor(service: TestService, of: Alias): Promise<string> {
  const answer = await redeem(service, await codeOf(service, await offerTo(service, of)));
  return answer.body.access_token;
}

export async function nonceOf(service: TestService): Promise<string> {
  return (await service.request('POST', '!/oid4vci/nonce', { key: null })).body.c_nonce;
}

export function askCredential(
  service: TestService,
  access: string | null,
  body?: unknown,
): Promise<TestAnswer> {
  const headers = access === null ? undefined : { Authorization: `Bearer ${access}` };
  return service.request('POST', '!/oid4vci/credential', { key: null, body, ...(headers && { headers }) });
}

export function requestWith(...proofs: string[]): object {
  return { credential_configuration_id: RECORD, proofs: { jwt: proofs } };
}

export type HolderAlgorithm = 'EdDSA' | 'ES256';

/** A key in a wallet, with the names it has. */
export interface Holder {
  readonly alg: HolderAlgorithm;
  readonly jwk: JWK;
  readonly didKey: string;
  readonly didJwk: string;
  sign(header: Partial<JWTHeaderParameters>, payload: Record<string, unknown>): Promise<string>;
}

export async function newHolder(alg: HolderAlgorithm = 'EdDSA'): Promise<Holder> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const { kty, crv, x = '', y = '' } = await exportJWK(publicKey);
  const jwk = alg === 'EdDSA' ? { crv, kty, x } : { crv, kty, x, y };
  const raw = Buffer.from(x, 'base64url');
  const sign = (Buffer.from(y, 'base64url').at(-1) ?? 0) & 1;
  const prefix = alg === 'EdDSA' ? [0xed, 0x01] : [0x80, 0x24, 2 + sign];
  return {
    alg,
    jwk,
    didKey: `did:key:z${base58btc(Buffer.concat([Buffer.from(prefix), raw]))}`,
    didJwk: `did:jwk:${Buffer.from(JSON.stringify(jwk)).toString('base64url')}`,
    sign: (header, payload) =>
      new SignJWT(payload)
        .setProtectedHeader({ alg, typ: 'openid4vci-proof+jwt', ...header })
        .sign(privateKey),
  };
}

/** A right proof, but for what is told otherwise. */
export function proofOf(
  holder: Holder,
  nonce: string | undefined,
  { header = {}, payload = {} }: { header?: object; payload?: object } = {},
): Promise<string> {
  const iat = Math.floor(Date.now() / 1000);
  const named = 'jwk' in header ? {} : { kid: `${holder.didKey}#${holder.didKey.slice('did:key:'.length)}` };
  return holder.sign({ ...named, ...header }, { aud: SHARING_BASE, iat, nonce, ...payload });
}

/**
 * A wallet of somebody else's making, which believes to talk to the service where it says that it
 * is.
 */
export function walletOf({ url }: TestService, holder: Holder): Openid4vciClient {
  return new Openid4vciClient({
    callbacks: {
      fetch: (target, init) => fetch(String(target).replace(SHARING_BASE, url), init as RequestInit),
      hash: (data, alg) => createHash(alg.replace('-', '')).update(data).digest(),
      generateRandom: (length) => randomBytes(length),
      clientAuthentication: clientAuthenticationAnonymous(),
      signJwt: async (_, { header, payload }) => ({
        jwt: await holder.sign(header as JWTHeaderParameters, payload),
        signerJwk: holder.jwk as { kty: string },
      }),
    },
  });
}
