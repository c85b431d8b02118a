import { formatVerifierKey } from '@reliability/proof';
import { z } from 'zod';
import { fail } from '#domain/errors.js';
import { base58btc } from '#kit/crypto.js';
import { fixedText, staticText } from '#kit/http/fixedDocument.js';
import { everyone, type RouteTable, route } from '#kit/http/route.js';
import { contextDocument } from '#ledger/issuing/forms.js';
import type { Issuer } from '#ledger/issuing/issuer.js';
import { groupOfList } from '#ledger/issuing/statusEntries.js';
import { logPath, logVerifierKey, originOf } from '#ledger/log/logKey.js';
import type { KeyRing, PublishedKey } from '#ledger/signingKeys.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { createStatusLists, LIST_MAX_AGE_SECONDS, type StatusListDeps } from './statusList.js';

const keyUrl = z.string();
const controller = z.string();

const DidDocument = z
  .object({
    '@context': z.array(z.string()),
    id: z.string(),
    verificationMethod: z.array(
      z.union([
        z.object({
          id: keyUrl,
          type: z.literal('JsonWebKey'),
          controller,
          publicKeyJwk: z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string() }),
        }),
        z.object({ id: keyUrl, type: z.literal('Multikey'), controller, publicKeyMultibase: z.string() }),
      ]),
    ),
    assertionMethod: z.array(keyUrl),
    service: z.array(
      z.object({
        id: z.string(),
        type: z.string(),
        serviceEndpoint: z.string(),
        vkey: z.string(),
      }),
    ),
  })
  .meta({ id: 'DidDocument' });

const Context = z.object({ '@context': z.record(z.string(), z.unknown()) }).meta({ id: 'CredentialContext' });

const listPath = z.object({ n: z.string().max(255) });

const DID_TYPE = 'application/did+json';
const CONTEXT_TYPE = 'application/ld+json';
const STATUS_LIST_TYPE = 'application/vc+jwt';

/**
 * New keys are announced for a day, so an hour is short enough; and a compromised one is gone soon.
 */
const DID_CACHE = { 'Cache-Control': 'public, max-age=3600' };
const CONTEXT_CACHE = { 'Cache-Control': 'public, max-age=86400' };
const LIST_CACHE = { 'Cache-Control': `public, max-age=${LIST_MAX_AGE_SECONDS}` };

/** Public documents for verifiers. None of the requests names the credential (RULES C4). */
export function credentialRoutes(
  deps: StatusListDeps & Pick<ServiceDeps, 'groups'> & { logKeys: KeyRing },
): RouteTable {
  const { issuer, config, groups, logKeys } = deps;
  const loadList = createStatusLists(deps);
  return {
    'GET !/.well-known/did.json': route({
      operationId: 'readDidDocument',
      access: everyone,
      tag: 'Credentials',
      unmetered: true,
      answers: { 200: { media: [{ type: DID_TYPE, schema: DidDocument }] }, 304: null },
      errors: ['SERVICE_UNAVAILABLE'],
      handle: async (context) => {
        const [keys, logKey] = await Promise.all([issuer.publishedKeys(), logKeys.current()]);
        const logs = groups().map(({ ledgers }) => ({
          url: config.baseUrl + logPath(ledgers.own),
          vkey: formatVerifierKey(logVerifierKey(originOf(config.baseUrl, ledgers.own), logKey.publicJwk)),
        }));
        const text = JSON.stringify(didDocument(issuer, keys, logs));
        return fixedText(DID_TYPE, text, DID_CACHE)(context);
      },
    }),
    'GET !/contexts/v1': route({
      operationId: 'readCredentialContext',
      access: everyone,
      tag: 'Credentials',
      answers: { 200: { media: [{ type: CONTEXT_TYPE, schema: Context }] }, 304: null },
      handle: staticText(CONTEXT_TYPE, JSON.stringify(contextDocument(config.baseUrl)), CONTEXT_CACHE),
    }),
    'GET /status-lists/{n}': route({
      operationId: 'readStatusList',
      access: everyone,
      tag: 'Credentials',
      params: listPath,
      groupOf: ({ params }) => groupOfList(Number(params.n)),
      answers: {
        200: { media: [{ type: STATUS_LIST_TYPE }] },
        304: null,
      },
      errors: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
      handle: async (context) => {
        const { n } = context.params;
        const signed = LIST_NUMBER.test(n) ? await loadList(Number(n)) : null;
        if (signed === null)
          return fail('NOT_FOUND', { message: 'There is no status list with this number.' });
        return fixedText(STATUS_LIST_TYPE, signed, LIST_CACHE)(context);
      },
    }),
  };
}

const LIST_NUMBER = /^[1-9]\d{0,8}$/;

const DID_CONTEXTS = [
  'https://www.w3.org/ns/did/v1',
  'https://w3id.org/security/jwk/v1',
  'https://w3id.org/security/multikey/v1',
];

/** Multicodec prefix of an Ed25519 public key. */
const ED25519_PREFIX = Buffer.from([0xed, 0x01]);

/**
 * The DID document of the issuer (W3C DID Core). It contains each key as JsonWebKey, which the
 * `kid` of credentials names, and as Multikey, because some verifiers know only one of the two. A
 * service names the key of the transparency log: as a verification method it could be mistaken for
 * a key of credentials.
 * @param logs their addresses, and their keys as C2SP signed-note writes keys
 */
function didDocument(
  { did, keyUrl }: Issuer,
  keys: readonly PublishedKey[],
  logs: readonly { url: string; vkey: string }[],
): object {
  const methods = keys.flatMap(({ keyId, publicJwk }) => {
    const { kty, crv, x } = publicJwk;
    const multikey = `z${base58btc(Buffer.concat([ED25519_PREFIX, Buffer.from(x, 'base64url')]))}`;
    return [
      { id: keyUrl(keyId), type: 'JsonWebKey', controller: did, publicKeyJwk: { kty, crv, x } },
      { id: keyUrl(multikey), type: 'Multikey', controller: did, publicKeyMultibase: multikey },
    ];
  });
  return {
    '@context': DID_CONTEXTS,
    id: did,
    verificationMethod: methods,
    assertionMethod: methods.map(({ id }) => id),
    service: logs.map(({ url, vkey }, number) => ({
      id: number === 0 ? `${did}#log` : `${did}#log-g${number}`,
      type: 'TransparencyLog',
      serviceEndpoint: url,
      vkey,
    })),
  };
}
