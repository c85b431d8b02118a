import { assertNever } from '#domain/errors.js';
import type { PublicJwk } from '../signingKeys.js';

/**
 * How a credential is written down and signed (RULES C4): `vc2` is VC Data Model 2.0 as `vc+jwt`; `vc1` the
 * `vc` claim of 1.1, which `jwt_vc_json` wallets take; `badge` the JWT of Open Badges 3.0.
 */
export type CredentialForm = 'vc2' | 'vc1' | 'badge';

export interface Credential {
  '@context': readonly string[];
  id: string;
  type: readonly string[];
  issuer: string | { id: string; type: readonly string[]; name: string; url: string };
  validFrom: Date;
  validUntil: Date;
  credentialSubject: { id: string } & Readonly<Record<string, unknown>>;
  evidence?: readonly object[];
}

interface Unsigned {
  header: { alg: 'EdDSA'; kid: string; typ: string; cty?: string; jwk?: PublicJwk };
  payload: object;
}

/** @param key whose `kid` is the DID URL of its published half. */
export function unsignedForm(
  form: CredentialForm,
  credential: Credential,
  key: { kid: string; jwk: PublicJwk },
): Unsigned {
  const { validFrom, validUntil } = credential;
  const times = { iat: secondsOf(validFrom), exp: secondsOf(validUntil) };
  const iss = issuerId(credential);
  const header = { alg: 'EdDSA', kid: key.kid } as const;
  switch (form) {
    case 'vc2':
      return {
        header: { ...header, typ: 'vc+jwt', cty: 'vc' },
        payload: { ...credential, iss, ...times },
      };
    case 'vc1':
      return {
        header: { ...header, typ: 'JWT' },
        payload: { ...namesOf(credential), ...times, nbf: times.iat, vc: firstVersionOf(credential) },
      };
    case 'badge':
      return {
        header: { ...header, typ: 'JWT', jwk: key.jwk },
        payload: { ...credential, ...namesOf(credential), ...times, nbf: times.iat },
      };
    default:
      return assertNever(form);
  }
}

function namesOf(credential: Credential) {
  return { iss: issuerId(credential), sub: credential.credentialSubject.id, jti: credential.id };
}

function issuerId({ issuer }: Credential): string {
  return typeof issuer === 'string' ? issuer : issuer.id;
}

/** Dates and context of 1.1; the status entry comes from a context that 2.0 has taken in. */
function firstVersionOf(credential: Credential): object {
  const { '@context': contexts, validFrom, validUntil, ...rest } = credential;
  return {
    '@context': [CREDENTIALS_V1, STATUS_V1, ...contexts.slice(1)],
    ...rest,
    issuanceDate: validFrom,
    expirationDate: validUntil,
  };
}

function secondsOf(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}

/** What the service attests in credentials of its own (RULES C9). */
export const credentialTypes = [
  'ServiceEarningsCredential',
  'ServiceProfessionalRecordCredential',
  'ServiceDeliveryReceiptCredential',
  'ServiceAgentDeliveryCredential',
  'ServiceBusinessRecordCredential',
] as const;
export type ServiceCredentialType = (typeof credentialTypes)[number];

/** Contexts of others, in the order in which credentials name them. */
export const CREDENTIALS_V2 = 'https://www.w3.org/ns/credentials/v2';
const CREDENTIALS_V1 = 'https://www.w3.org/2018/credentials/v1';
/** The terms of status entries, which the first version of the data model does not know yet. */
const STATUS_V1 = 'https://www.w3.org/ns/credentials/status/v1';

export function contextUrl(baseUrl: string): string {
  return `${baseUrl}/contexts/v1`;
}

/**
 * The own terms of credentials. `record` is a JSON literal: JSON-LD would drop its nulls, and null
 * is what an absent figure is here. So a record may have any fields, and none of them needs a term.
 */
export function contextDocument(baseUrl: string): object {
  const term = (name: string) => `${contextUrl(baseUrl)}#${name}`;
  return {
    '@context': {
      '@version': 1.1,
      '@protected': true,
      ...Object.fromEntries(credentialTypes.map((type) => [type, term(type)])),
      formulaVersion: term('formulaVersion'),
      asOf: { '@id': term('asOf'), '@type': 'http://www.w3.org/2001/XMLSchema#dateTime' },
      record: { '@id': term('record'), '@type': '@json' },
    },
  };
}
