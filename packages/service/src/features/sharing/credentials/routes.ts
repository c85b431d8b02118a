import { formatVerifierKey } from '@reliability/proof';
import { fail } from '../../../domain/errors.js';
import { fixedText, staticText } from '../../../kit/http/fixedDocument.js';
import { everyone, type RouteTable, route } from '../../../kit/http/route.js';
import { groupOfList } from '../../../ledger/issuing/statusEntries.js';
import { contextDocument } from '../../../ledger/issuing/vocabulary.js';
import { logPath, logVerifierKey, originOf } from '../../../ledger/log/logKey.js';
import type { KeyRing } from '../../../ledger/signingKeys.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { didDocument } from './didDocument.js';
import { Context, DidDocument, listPath } from './schemas.js';
import { createStatusLists, LIST_MAX_AGE_SECONDS, type StatusListDeps } from './statusList.js';

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
