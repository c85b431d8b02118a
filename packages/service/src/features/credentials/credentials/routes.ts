import { fail } from '../../../domain/errors.js';
import type { Clock } from '../../../kit/clock.js';
import type { Database } from '../../../kit/db/database.js';
import { fixedText, staticText } from '../../../kit/http/fixedDocument.js';
import { everyone, type RouteTable, route } from '../../../kit/http/route.js';
import type { Issuer } from '../issuing/issuer.js';
import { contextDocument } from '../issuing/vocabulary.js';
import { didDocument } from './didDocument.js';
import { Context, DidDocument, listPath } from './schemas.js';
import { createStatusLists, LIST_KEPT_SECONDS } from './statusList.js';

interface PublishingDeps {
  db: Database;
  clock: Clock;
  issuer: Issuer;
  config: { baseUrl: string };
}

const DID_TYPE = 'application/did+json';
const CONTEXT_TYPE = 'application/ld+json';
const STATUS_LIST_TYPE = 'application/vc+jwt';

/** New keys are announced for a day, so an hour is short enough; and a compromised one is gone soon. */
const DID_CACHE = { 'Cache-Control': 'public, max-age=3600' };
const CONTEXT_CACHE = { 'Cache-Control': 'public, max-age=86400' };
const LIST_CACHE = { 'Cache-Control': `public, max-age=${LIST_KEPT_SECONDS}` };

/** What whoever checks a credential reads, without asking us about the credential itself (RULES C4). */
export function credentialRoutes(deps: PublishingDeps): RouteTable {
  const { issuer, config } = deps;
  const loadList = createStatusLists(deps);
  return {
    'GET !/.well-known/did.json': route({
      operationId: 'readDidDocument',
      access: everyone,
      tag: 'Credentials',
      unmetered: true,
      summary: 'Read the DID document of the issuer',
      description:
        'What `did:web` of this host resolves to: the Ed25519 keys that credentials are signed with.',
      answers: { 200: { media: [{ type: DID_TYPE, schema: DidDocument }] }, 304: null },
      errors: ['SERVICE_UNAVAILABLE'],
      handle: async (context) => {
        const text = JSON.stringify(didDocument(issuer, await issuer.publishedKeys()));
        return fixedText(DID_TYPE, text, DID_CACHE)(context);
      },
    }),
    'GET !/contexts/v1': route({
      operationId: 'readCredentialContext',
      access: everyone,
      tag: 'Credentials',
      summary: 'Read the JSON-LD context of credentials',
      description: 'The terms that credentials of this service use besides those of the W3C.',
      answers: { 200: { media: [{ type: CONTEXT_TYPE, schema: Context }] }, 304: null },
      handle: staticText(CONTEXT_TYPE, JSON.stringify(contextDocument(config.baseUrl)), CONTEXT_CACHE),
    }),
    'GET /status-lists/{n}': route({
      operationId: 'readStatusList',
      access: everyone,
      tag: 'Credentials',
      summary: 'Read a status list',
      description:
        'A signed `BitstringStatusListCredential`: credentials name a bit in it, which is set once they are revoked. 131072 bits, ' +
        'compressed. A copy may be kept for five minutes.',
      params: listPath,
      answers: {
        200: { media: [{ type: STATUS_LIST_TYPE, example: 'eyJhbGciOiJFZERTQSIs...' }] },
        304: null,
      },
      errors: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
      handle: async (context) => {
        const { n } = context.params;
        const signed = LIST_NUMBER.test(n) ? await loadList(Number(n)) : null;
        if (signed === null) return fail('NOT_FOUND', { message: 'There is no status list of this number.' });
        return fixedText(STATUS_LIST_TYPE, signed, LIST_CACHE)(context);
      },
    }),
  };
}

const LIST_NUMBER = /^[1-9]\d{0,8}$/;
