import { userPath } from '../../../domain/externalId.js';
import { ok } from '../../../kit/http/answer.js';
import { fixedDocument, onFirstRequest } from '../../../kit/http/fixedDocument.js';
import { everyone, keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import { groupOfToken } from '../../../kit/publicToken.js';
import { createOffer } from './createOffer.js';
import { accessTokenOf, issueToWallet } from './issueToWallet.js';
import { makeNonce } from './nonces.js';
import { oauthErrors } from './oauthErrors.js';
import type { WalletDeps } from './protocol.js';
import { readOffer } from './readOffer.js';
import { redeemCode } from './redeemCode.js';
import {
  AuthorizationServerMetadata,
  CredentialOffer,
  CredentialRequest,
  IssuerMetadata,
  Nonce,
  OfferQuery,
  OfferRequest,
  offerPath,
  TokenForm,
  WalletCredential,
  WalletOffer,
  WalletToken,
} from './schemas.js';

/** Issues credentials to wallets: OpenID4VCI 1.0 with a pre-authorized code (RULES W1). */
export function walletRoutes(deps: WalletDeps): RouteTable {
  const { protocol } = deps;
  const forWallets = { access: everyone, tag: 'Wallets' };
  return {
    'POST /users/{id}/credential-offers': route({
      operationId: 'createCredentialOffer',
      access: keyFor('scores'),
      tag: 'Wallets',
      summary: 'Offer a credential to the wallet of a subject',
      description:
        'Send the subject to `pageUrl`, or show the link or its QR code yourself. Its wallet fetches the credential, bound to a key of the wallet. One wallet can do ' +
        'this once, within ten minutes. The credential is issued under the share token of the subject, which is created if there is ' +
        'none. Withdrawing the token revokes the credential. Live subjects only.',
      idempotent: true,
      params: userPath,
      query: OfferQuery,
      body: OfferRequest(deps.claimSources),
      answers: { 201: CredentialOffer },
      errors: ['USER_NOT_FOUND', 'TEST_MODE_NOT_ALLOWED', 'CONFLICT'],
      handle: (context) => createOffer(deps, context),
    }),
    'GET !/.well-known/openid-credential-issuer': route({
      operationId: 'readCredentialIssuerMetadata',
      ...forWallets,
      unmetered: true,
      summary: 'Read the credential issuer metadata',
      description:
        'The issuer metadata of OpenID4VCI 1.0: the credential types, their formats and the endpoints. Wallets ' +
        'read it themselves. You need it only to test a wallet.',
      answers: { 200: IssuerMetadata, 304: null },
      handle: onFirstRequest(() => fixedDocument(protocol.metadata.credentialIssuer)),
    }),
    'GET !/.well-known/oauth-authorization-server': route({
      operationId: 'readAuthorizationServerMetadata',
      ...forWallets,
      unmetered: true,
      summary: 'Read the authorization server metadata',
      description:
        'The authorization server metadata of RFC 8414: the token endpoint and the one grant it takes, the ' +
        'pre-authorized code. Wallets read it themselves.',
      answers: { 200: AuthorizationServerMetadata, 304: null },
      handle: onFirstRequest(() => fixedDocument(protocol.authorizationServer)),
    }),
    'GET !/oid4vci/offers/{id}': route({
      operationId: 'readCredentialOffer',
      ...forWallets,
      summary: 'Read a credential offer',
      description: 'The target of the link of an offer. 404 once its code is used, expired or withdrawn.',
      params: offerPath,
      groupOf: ({ params }) => groupOfToken(params.id),
      answers: { 200: WalletOffer },
      errors: ['NOT_FOUND', 'SERVICE_UNAVAILABLE', 'OVERLOADED'],
      handle: async ({ params }) => ok(await readOffer(deps, params.id)),
    }),
    'POST !/oid4vci/token': route({
      operationId: 'redeemCredentialOffer',
      ...forWallets,
      summary: 'Exchange the code of an offer for an access token',
      description:
        'A code works once. Five wrong values of `tx_code` block it. Errors are those of OAuth: `invalid_request`, `invalid_grant`, ' +
        '`unsupported_grant_type`.',
      form: true,
      body: TokenForm,
      groupOf: ({ body }) => groupOfToken(body['pre-authorized_code']),
      answers: { 200: WalletToken },
      errors: ['SERVICE_UNAVAILABLE', 'OVERLOADED'],
      errorShape: oauthErrors('invalid_request'),
      handle: async ({ body }) => ok(await redeemCode(deps, body)),
    }),
    'POST !/oid4vci/nonce': route({
      operationId: 'createNonce',
      ...forWallets,
      summary: 'Get a nonce for a proof',
      description:
        'Needs no key and no body. Put the nonce into the proof of possession for `/oid4vci/credential`. It can be ' +
        'used once and expires after five minutes.',
      answers: { 200: Nonce },
      errorShape: oauthErrors('invalid_request'),
      handle: () => ok({ c_nonce: makeNonce(deps.vault, deps.clock.now()) }),
    }),
    'POST !/oid4vci/credential': route({
      operationId: 'fetchCredential',
      ...forWallets,
      summary: 'Fetch the offered credential',
      description:
        'Send the access token as `Authorization: Bearer`, and one proof of possession: `EdDSA` or `ES256`, with the key as `did:key` ' +
        'or `did:jwk` in `kid`, or as `jwk`. The token works for one credential. Errors: `invalid_proof`, `invalid_nonce`, `invalid_credential_request`, ' +
        '`unknown_credential_configuration`, `unknown_credential_identifier`, `invalid_encryption_parameters`, ' +
        '`credential_request_denied`, and with 401 `invalid_token`, with 403 `insufficient_scope`.',
      body: CredentialRequest,
      bodyOptional: true,
      groupOf: ({ header }) => groupOfToken(accessTokenOf(header('authorization'))),
      answers: { 200: WalletCredential },
      errors: ['UNAUTHORIZED', 'FORBIDDEN', 'SERVICE_UNAVAILABLE', 'OVERLOADED'],
      errorShape: oauthErrors('invalid_credential_request'),
      handle: async ({ header, body }) => ok(await issueToWallet(deps, header('authorization'), body)),
    }),
  };
}
