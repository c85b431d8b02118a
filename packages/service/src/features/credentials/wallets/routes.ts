import { userPath } from '../../../domain/externalId.js';
import { ok } from '../../../kit/http/answer.js';
import { fixedDocument } from '../../../kit/http/fixedDocument.js';
import { everyone, keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import { createOffer } from './createOffer.js';
import type { WalletSources } from './deps.js';
import { issueToWallet } from './issueToWallet.js';
import { makeNonce } from './nonces.js';
import { oauthFaults } from './oauthFaults.js';
import { createWalletProtocol } from './protocol.js';
import { readOffer } from './readOffer.js';
import { redeemCode } from './redeemCode.js';
import {
  AuthorizationServerMetadata,
  CredentialIssued,
  CredentialRequest,
  IssuerMetadata,
  Nonce,
  OfferCreated,
  OfferQuery,
  OfferRequest,
  OfferResponse,
  offerPath,
  TokenForm,
  TokenIssued,
} from './schemas.js';

/** Credentials on their way into wallets: OpenID4VCI 1.0 with a pre-authorized code (RULES W1). */
export function walletRoutes(sources: WalletSources): RouteTable {
  const protocol = createWalletProtocol(sources.config.baseUrl, sources.claimSources);
  const deps = { ...sources, protocol };
  const forWallets = { access: everyone, tag: 'Wallets' };
  return {
    'POST /users/{id}/credential-offers': route({
      operationId: 'createCredentialOffer',
      access: keyFor('scores'),
      tag: 'Wallets',
      summary: 'Offer a credential to the wallet of a subject',
      description:
        'Show the subject the link or its QR code; its wallet fetches the credential, bound to a key that it holds. One wallet can do ' +
        'so, once, within ten minutes. The credential is issued under the share token of the subject, which is minted where there is ' +
        'none, and ends with it. Live subjects only.',
      idempotent: true,
      params: userPath,
      query: OfferQuery,
      body: OfferRequest(sources.claimSources),
      answers: { 201: OfferCreated },
      errors: ['USER_NOT_FOUND', 'TEST_MODE_NOT_ALLOWED', 'CONFLICT'],
      handle: (context) => createOffer(deps, context),
    }),
    'GET !/.well-known/openid-credential-issuer': route({
      operationId: 'readCredentialIssuerMetadata',
      ...forWallets,
      unmetered: true,
      summary: 'Read what wallets can get here',
      description:
        'The issuer metadata of OpenID4VCI 1.0: the credential types, their formats and the endpoints. Wallets ' +
        'read it by themselves; you need it only to test one.',
      answers: { 200: IssuerMetadata, 304: null },
      handle: fixedDocument(protocol.metadata.credentialIssuer),
    }),
    'GET !/.well-known/oauth-authorization-server': route({
      operationId: 'readAuthorizationServerMetadata',
      ...forWallets,
      unmetered: true,
      summary: 'Read where wallets get their access tokens',
      description:
        'The authorization server metadata of RFC 8414: the token endpoint and the one grant it takes, the ' +
        'pre-authorized code. Wallets read it by themselves.',
      answers: { 200: AuthorizationServerMetadata, 304: null },
      handle: fixedDocument(protocol.authorizationServer),
    }),
    'GET !/oid4vci/offers/{id}': route({
      operationId: 'readCredentialOffer',
      ...forWallets,
      summary: 'Read a credential offer',
      description:
        'What the link of an offer leads to. 404 once its code is spent, has ended or is withdrawn.',
      params: offerPath,
      answers: { 200: OfferResponse },
      errors: ['NOT_FOUND', 'SERVICE_UNAVAILABLE', 'OVERLOADED'],
      handle: ({ params }) => readOffer(deps, params.id),
    }),
    'POST !/oid4vci/token': route({
      operationId: 'redeemCredentialOffer',
      ...forWallets,
      summary: 'Exchange the code of an offer for an access token',
      description:
        'A code is taken once. After five wrong `tx_code`s it is dead. Errors are those of OAuth: `invalid_request`, `invalid_grant`, ' +
        '`unsupported_grant_type`.',
      form: true,
      body: TokenForm,
      answers: { 200: TokenIssued },
      errors: ['SERVICE_UNAVAILABLE', 'OVERLOADED'],
      errorShape: oauthFaults('invalid_request'),
      handle: ({ body }) => redeemCode(deps, body),
    }),
    'POST !/oid4vci/nonce': route({
      operationId: 'createNonce',
      ...forWallets,
      summary: 'Get a nonce for a proof',
      description:
        'Needs no key and no body. The nonce goes into the proof of possession for `/oid4vci/credential`, can be ' +
        'used once and expires after a few minutes.',
      answers: { 200: Nonce },
      errorShape: oauthFaults('invalid_request'),
      handle: () => ok({ c_nonce: makeNonce(deps.vault, deps.clock.now()) }),
    }),
    'POST !/oid4vci/credential': route({
      operationId: 'fetchCredential',
      ...forWallets,
      summary: 'Fetch the credential that was offered',
      description:
        'With the access token as `Authorization: Bearer`, which is spent with its first credential, and one proof of possession: `EdDSA` or `ES256`, its key a `did:key` or ' +
        '`did:jwk` in `kid`, or `jwk`. Errors: `invalid_proof`, `invalid_nonce`, `invalid_credential_request`, ' +
        '`unknown_credential_configuration`, `unknown_credential_identifier`, `invalid_encryption_parameters`, ' +
        '`credential_request_denied`, and with 401 `invalid_token`, with 403 `insufficient_scope`.',
      body: CredentialRequest,
      bodyOptional: true,
      answers: { 200: CredentialIssued },
      errors: ['UNAUTHORIZED', 'FORBIDDEN', 'SERVICE_UNAVAILABLE', 'OVERLOADED'],
      errorShape: oauthFaults('invalid_credential_request'),
      handle: (context) => issueToWallet(deps, context.header('authorization'), context.body),
    }),
  };
}
