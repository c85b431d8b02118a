import { canonicalJson, utf8 } from '@reliability/proof';
import { FORMULA_VERSION } from '@reliability/scoring';
import { derivedUuid } from '#kit/crypto.js';
import type { Queryable } from '#kit/db/database.js';
import { API_PREFIX } from '#kit/http/route.js';
import type { LogInclusion } from '../log/inclusion.js';
import type { KeyRing, SigningKey } from '../signingKeys.js';
import {
  CREDENTIALS_V2,
  type Credential,
  type CredentialForm,
  contextUrl,
  type ServiceCredentialType,
  unsignedForm,
} from './forms.js';
import { lifetimeOf } from './lifetime.js';
import type { ShareToken } from './shareTokens.js';

/** The content of a credential. Issuer, lifetime and share token are the same for all of them. */
export type Attested<Type extends CredentialType = CredentialType> = Omit<
  CredentialDraft<Type>,
  'form' | 'share' | 'inclusion' | 'now' | 'ttlSeconds'
> & {
  /** Overrides the `format` of the request. */
  readonly form?: CredentialDraft['form'];
};

/** Wallets offer every type for which `routes.ts` passes one. */
export interface ClaimSource {
  readonly type: ServiceCredentialType;
  /** The name that people see in a wallet, a few words: `Earnings record`. */
  readonly title: string;
  /**
   * The current content for a live subject, read outside of transactions. Null if the type cannot
   * apply to the subject, such as a business record to a person. An empty record is still a record.
   * Throws USER_NOT_FOUND.
   */
  attest(db: Queryable, subjectId: string, now: Date): Promise<Attested | null>;
}

export type CredentialType = ServiceCredentialType | 'OpenBadgeCredential';

export interface CredentialDraft<Type extends CredentialType = CredentialType> {
  readonly type: Type;
  readonly form: CredentialForm;
  /**
   * Withdrawing it revokes the credential. Its addresses reveal no more of the subject than the token itself.
   */
  readonly share: Pick<ShareToken, 'tokenId' | 'verifyUrl' | 'status'>;
  /** The score of the subject in the transparency log. Null: not there yet. */
  readonly inclusion: LogInclusion | null;
  readonly now: Date;
  readonly ttlSeconds: number;
  /** The attested content in the form of an answer: any JSON, but never an external id. */
  readonly record: object;
  /** While it and the record stay the same, so does the credential within its hour. */
  readonly asOf: Date;
  /** Version behind the score in the record. Default: the current formula. */
  readonly formulaVersion?: string;
  /** The DID that a wallet has proved to hold. Default: the page of the share token. */
  readonly holder?: string;
  /** Further claims about the subject, in terms of `contexts`. */
  readonly claims?: object;
  readonly contexts?: readonly string[];
  readonly name?: string;
}

export interface IssuedCredential<Type extends CredentialType = CredentialType> {
  readonly credential: string;
  readonly type: Type;
  readonly expiresAt: Date;
}

export type Issuer = ReturnType<typeof createIssuer>;
/** Signs with one loaded key. It does not use the database, so it works inside a transaction. */
export type CredentialSigner = Awaited<ReturnType<Issuer['signer']>>;

interface IssuerDeps {
  config: { baseUrl: string };
  credentialKeys: KeyRing;
}

/** This installation as an issuer: `did:web` of the host of BASE_URL (RULES C4). */
export function createIssuer({ config: { baseUrl }, credentialKeys }: IssuerDeps) {
  const did = `did:web:${encodeURIComponent(new URL(baseUrl).host)}`;
  const keyUrl = (keyId: string) => `${did}#${keyId}`;
  return {
    did,
    keyUrl,
    publishedKeys: () => credentialKeys.published(),
    /** Reads the key from the database, so call it before a transaction begins. */
    async signer() {
      const key = await credentialKeys.current();
      const sign = (form: CredentialForm, credential: Credential) =>
        signedForm(form, credential, key, keyUrl(key.keyId));
      return {
        /** Caches of signed credentials depend on it. */
        keyId: key.keyId,
        /** Signs a credential that does not attest a record, as `vc+jwt`. */
        sign: (credential: Credential) => sign('vc2', credential),
        /** A flattened JWS over the canonical JSON of a document (RFC 7515, RFC 8785), without its payload. */
        signDocument: (document: object) => documentSignature(document, key, keyUrl(key.keyId)),
        async issue<Type extends CredentialType>(
          draft: CredentialDraft<Type>,
        ): Promise<IssuedCredential<Type>> {
          const unsigned = credentialOf(draft, did, baseUrl);
          const credential = await sign(draft.form, unsigned);
          return { credential, type: draft.type, expiresAt: unsigned.validUntil };
        },
      };
    },
  };
}

/** The address of a status list, which is also its id as a credential. */
export function statusListUrl(baseUrl: string, list: number): string {
  return `${baseUrl}${API_PREFIX}/status-lists/${list}`;
}

export const ISSUER_NAME = 'Reliability score service';

function credentialOf(draft: CredentialDraft, did: string, baseUrl: string): Credential {
  const { share, form, inclusion } = draft;
  const { issuedAt, expiresAt } = lifetimeOf(draft.now, draft.ttlSeconds);
  const credentialSubject = {
    id: draft.holder ?? share.verifyUrl,
    ...draft.claims,
    formulaVersion: draft.formulaVersion ?? FORMULA_VERSION,
    asOf: draft.asOf,
    record: draft.record,
  };
  const evidence = inclusion ? { evidence: [evidenceOf(inclusion, form, baseUrl)] } : {};
  const content = JSON.stringify([draft.type, form, issuedAt, expiresAt, credentialSubject, evidence]);
  return {
    '@context': [CREDENTIALS_V2, ...(draft.contexts ?? []), contextUrl(baseUrl)],
    // Derived from the content, so that repeated requests get one credential, not two.
    id: `urn:uuid:${derivedUuid('credential', share.tokenId, content)}`,
    type: ['VerifiableCredential', draft.type],
    ...(draft.name !== undefined && { name: draft.name }),
    // Open Badges 3.0 requires a profile instead of a DID.
    issuer: form === 'badge' ? { id: did, type: ['Profile'], name: ISSUER_NAME, url: baseUrl } : did,
    validFrom: issuedAt,
    validUntil: expiresAt,
    credentialSubject,
    ...evidence,
    ...statusOf(share, baseUrl),
  };
}

/**
 * The type is an absolute address and `record` a term that credentials have always had. So a validator
 * with a cached context also expands it without an unknown term.
 */
function evidenceOf(inclusion: LogInclusion, form: CredentialForm, baseUrl: string) {
  const type = `${contextUrl(baseUrl)}#LogInclusion`;
  return { type: form === 'badge' ? ['Evidence', type] : [type], record: inclusion };
}

function statusOf({ status }: CredentialDraft['share'], baseUrl: string): object {
  const list = statusListUrl(baseUrl, status.list);
  return {
    credentialStatus: {
      id: `${list}#${status.index}`,
      type: 'BitstringStatusListEntry',
      statusPurpose: 'revocation',
      statusListIndex: String(status.index),
      statusListCredential: list,
    },
  };
}

async function signedForm(
  form: CredentialForm,
  credential: Credential,
  { privateKey, publicJwk: jwk }: SigningKey,
  kid: string,
): Promise<string> {
  const { header, payload } = unsignedForm(form, credential, { kid, jwk });
  const { SignJWT } = await import('jose'); // 1 MB, and 20 ms of the start
  // Through JSON: dates become texts, and undefined fields disappear.
  return new SignJWT(JSON.parse(JSON.stringify(payload))).setProtectedHeader({ ...header }).sign(privateKey);
}

async function documentSignature(document: object, { privateKey }: SigningKey, kid: string) {
  const { FlattenedSign } = await import('jose');
  const payload = utf8(canonicalJson(JSON.parse(JSON.stringify(document))));
  const jws = await new FlattenedSign(payload)
    .setProtectedHeader({ alg: 'EdDSA', kid, typ: 'JOSE' })
    .sign(privateKey);
  return { protected: jws.protected ?? '', signature: jws.signature };
}
