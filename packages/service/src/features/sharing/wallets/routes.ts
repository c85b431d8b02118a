import { userPath } from '#domain/externalId.js';
import { ok } from '#kit/http/answer.js';
import { fixedDocument, onFirstRequest } from '#kit/http/fixedDocument.js';
import { everyone, keyFor, type RouteTable, route } from '#kit/http/route.js';
import { groupOfToken } from '#kit/ids.js';
import type { ClaimSource } from '#ledger/issuing/issuer.js';
import { accessTokenOf } from './accessToken.js';
import { oauthErrors } from './oauthErrors.js';
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
import type { Wallets } from './wallets.js';

/** Issues credentials to wallets: OpenID4VCI 1.0 with a pre-authorized code (RULES W1). */
export function walletRoutes(
  claimSources: readonly ClaimSource[],
  wallets: () => Promise<Wallets>,
): RouteTable {
  const forWallets = { access: everyone, tag: 'Wallets' };
  return {
    'POST /users/{id}/credential-offers': route({
      operationId: 'createCredentialOffer',
      access: keyFor('scores'),
      tag: 'Wallets',
      idempotent: true,
      params: userPath,
      query: OfferQuery,
      body: OfferRequest(claimSources),
      answers: { 201: CredentialOffer },
      errors: ['USER_NOT_FOUND', 'TEST_MODE_NOT_ALLOWED', 'CONFLICT'],
      handle: async (context) => (await wallets()).createOffer(context),
    }),
    'GET !/.well-known/openid-credential-issuer': route({
      operationId: 'readCredentialIssuerMetadata',
      ...forWallets,
      unmetered: true,
      answers: { 200: IssuerMetadata, 304: null },
      handle: onFirstRequest(async () => fixedDocument((await wallets()).protocol.metadata.credentialIssuer)),
    }),
    'GET !/.well-known/oauth-authorization-server': route({
      operationId: 'readAuthorizationServerMetadata',
      ...forWallets,
      unmetered: true,
      answers: { 200: AuthorizationServerMetadata, 304: null },
      handle: onFirstRequest(async () => fixedDocument((await wallets()).protocol.authorizationServer)),
    }),
    'GET !/oid4vci/offers/{id}': route({
      operationId: 'readCredentialOffer',
      ...forWallets,
      params: offerPath,
      groupOf: ({ params }) => groupOfToken(params.id),
      answers: { 200: WalletOffer },
      errors: ['NOT_FOUND', 'SERVICE_UNAVAILABLE', 'OVERLOADED'],
      handle: async ({ params }) => ok(await (await wallets()).readOffer(params.id)),
    }),
    'POST !/oid4vci/token': route({
      operationId: 'redeemCredentialOffer',
      ...forWallets,
      form: true,
      body: TokenForm,
      groupOf: ({ body }) => groupOfToken(body['pre-authorized_code']),
      answers: { 200: WalletToken },
      errors: ['SERVICE_UNAVAILABLE', 'OVERLOADED'],
      errorShape: oauthErrors('invalid_request'),
      handle: async ({ body }) => ok(await (await wallets()).redeemCode(body)),
    }),
    'POST !/oid4vci/nonce': route({
      operationId: 'createNonce',
      ...forWallets,
      answers: { 200: Nonce },
      errorShape: oauthErrors('invalid_request'),
      handle: async () => ok({ c_nonce: (await wallets()).makeNonce() }),
    }),
    'POST !/oid4vci/credential': route({
      operationId: 'fetchCredential',
      ...forWallets,
      body: CredentialRequest,
      bodyOptional: true,
      groupOf: ({ header }) => groupOfToken(accessTokenOf(header('authorization'))),
      answers: { 200: WalletCredential },
      errors: ['UNAUTHORIZED', 'FORBIDDEN', 'SERVICE_UNAVAILABLE', 'OVERLOADED'],
      errorShape: oauthErrors('invalid_credential_request'),
      handle: async ({ header, body }) =>
        ok(await (await wallets()).issueToWallet(header('authorization'), body)),
    }),
  };
}
