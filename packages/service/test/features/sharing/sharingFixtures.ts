import { generateKeyPairSync, sign } from 'node:crypto';
import { Bitstring } from '@digitalbazaar/bitstring';
import { verifyCredential } from 'did-jwt-vc';
import { TEST_KEYS, type TestAnswer, type TestService } from '#harness/service.js';
import { untilServed } from '#harness/untilServed.js';
import { systemClock } from '#kit/clock.js';
import { createVault } from '#kit/crypto.js';
import { createIdSource } from '#kit/ids.js';
import { type CredentialDraft, createIssuer, type Issuer } from '#ledger/issuing/issuer.js';
import { createShareTokens } from '#ledger/issuing/shareTokens.js';
import { createKeyRing } from '#ledger/signingKeys.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import { type Alias, ask } from '../subjects/linkFixtures.js';

/** Where the services of these tests say that they are. */
export const SHARING_BASE = 'https://svc.example';
export const SHARING_ENV = { BASE_URL: SHARING_BASE };
export const ISSUER_DID = 'did:web:svc.example';

export async function mint(service: TestService, of: Alias, body?: object): Promise<string> {
  const answer = await untilServed(() => ask(service, of, 'POST', '/share-token', { body }));
  if (answer.status !== 201) throw new Error(`no share token: ${answer.text}`);
  return answer.body.shareToken;
}

export function withdraw(service: TestService, of: Alias): Promise<TestAnswer> {
  return untilServed(() => ask(service, of, 'DELETE', '/share-token'));
}

/** As anybody reads it: without a key. */
export function verify(
  service: TestService,
  token: string,
  { query = '', headers = {} }: { query?: string; headers?: Record<string, string> } = {},
): Promise<TestAnswer> {
  return service.request('GET', `/verify/${token}${query}`, { key: null, headers });
}

/** The issuer of a service, as another of its processes. */
export function issuerOf({ db }: TestService, clock = systemClock): Issuer {
  const credentialKeys = createKeyRing(db, createVault(TEST_KEYS.data), clock, 'credential');
  return createIssuer({ config: { baseUrl: SHARING_BASE }, credentialKeys });
}

const shareTokens = createShareTokens({
  vault: createVault(TEST_KEYS.data),
  ids: createIdSource(),
  config: { baseUrl: SHARING_BASE },
});

/**
 * A credential under the active token of a subject, as the operations that issue one draw it up.
 */
export async function issueFor(
  service: TestService,
  { platform, userId }: Alias,
  more: Partial<CredentialDraft> = {},
) {
  const share = await shareTokens.findActive(service.db, subjectIdOf(platform.id, true, userId));
  if (!share) throw new Error('the subject shares nothing');
  const signer = await issuerOf(service).signer();
  const issued = await signer.issue({
    type: 'ServiceProfessionalRecordCredential',
    form: 'vc2',
    share,
    inclusion: null,
    now: new Date(),
    ttlSeconds: 86_400,
    record: { finalScore: 78.42, scoreBand: 'Good', tenure: null },
    asOf: new Date('2026-03-01T15:45:02.161Z'),
    ...more,
  });
  return { ...issued, share };
}

type Resolver = Parameters<typeof verifyCredential>[1];
type Resolved = Awaited<ReturnType<Resolver['resolve']>>;

/**
 * Resolves did:web of the service as the standard says, but for the address that is dialled: the
 * one it listens on.
 */
export function resolverOf({ url }: TestService): Resolver {
  return {
    async resolve(did: string) {
      if (did !== ISSUER_DID) throw new Error(`${did} is somebody else`);
      const response = await fetch(`${url}/.well-known/did.json`);
      const didDocument = (await response.json()) as Resolved['didDocument'];
      return {
        didResolutionMetadata: { contentType: response.headers.get('content-type') ?? '' },
        didDocument,
        didDocumentMetadata: {},
      };
    },
  };
}

/** What a verifier does with the entry of a credential in the status list, with the tools of others. */
export async function isRevoked(service: TestService, jwt: string): Promise<boolean> {
  const { payload } = decoded(jwt);
  const { statusListCredential: url, statusListIndex } = (payload.vc ?? payload).credentialStatus;
  const path = url.replace(`${SHARING_BASE}/api/v1`, '');
  const { text } = await service.request('GET', path, { key: null });
  const checked = await verifyCredential(text, resolverOf(service), { policies: { format: false } });
  if (checked.payload.id !== url) throw new Error(`${url} has the list ${checked.payload.id}`);
  const { encodedList } = checked.payload.credentialSubject;
  const bits = new Bitstring({ buffer: await Bitstring.decodeBits({ encoded: encodedList.slice(1) }) });
  return bits.get(Number(statusListIndex));
}

/** The parts of a JWT, unchecked. */
export function decoded(jwt: string) {
  const [header = '', payload = ''] = jwt.split('.');
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
  return { header: read(header), payload: read(payload) };
}

/** The same with other claims, and a signature of somebody else's key. */
export function forged(jwt: string, headerChange: object = {}, payloadChange: object = {}): string {
  const { header, payload } = decoded(jwt);
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const { privateKey } = generateKeyPairSync('ed25519');
  const input = `${encode({ ...header, ...headerChange })}.${encode({ ...payload, ...payloadChange })}`;
  return `${input}.${sign(null, Buffer.from(input), privateKey).toString('base64url')}`;
}
