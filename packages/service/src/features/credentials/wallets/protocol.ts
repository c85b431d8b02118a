import { randomBytes } from 'node:crypto';
import {
  type CallbackContext,
  clientAuthenticationAnonymous,
  Oauth2AuthorizationServer,
  preAuthorizedCodeGrantIdentifier,
} from '@openid4vc/oauth2';
import { Openid4vciIssuer, Openid4vciVersion, setGlobalConfig } from '@openid4vc/openid4vci';
import { z } from 'zod';
import type { ClaimSource } from '../issuing/claimSources.js';
import { PROOF_ALGORITHMS, verifyHolderSignature } from './holderKeys.js';

export const TX_CODE_DIGITS = 6;

/** What an offer asks of the wallet. */
export interface Grant {
  readonly code: string;
  /** Null: the code alone is enough. */
  readonly txCode: string | null;
}

export type WalletProtocol = ReturnType<typeof createWalletProtocol>;

/** OpenID4VCI 1.0 as this service speaks it: pre-authorized code, one `jwt_vc_json` at a time. What is in it is checked by the library. */
export function createWalletProtocol(baseUrl: string, sources: readonly ClaimSource[]) {
  // Loading the library words the faults of every schema in the process its own way: everybody else's stay ours.
  z.config({ customError: undefined });
  // On http only an installation for development answers, on the machine it runs on.
  if (baseUrl.startsWith('http:')) setGlobalConfig({ allowInsecureUrls: true });
  const issuer = new Openid4vciIssuer({ callbacks });
  const authorization = new Oauth2AuthorizationServer({ callbacks });
  const authorizationServer = authorization.createAuthorizationServerMetadata({
    issuer: baseUrl,
    token_endpoint: `${baseUrl}/oid4vci/token`,
    token_endpoint_auth_methods_supported: ['none'],
    grant_types_supported: [preAuthorizedCodeGrantIdentifier],
    'pre-authorized_grant_anonymous_access_supported': true,
  });
  const credentialIssuer = issuer.createCredentialIssuerMetadata({
    credential_issuer: baseUrl,
    credential_endpoint: `${baseUrl}/oid4vci/credential`,
    nonce_endpoint: `${baseUrl}/oid4vci/nonce`,
    display: [{ name: new URL(baseUrl).host, locale: 'en' }],
    credential_configurations_supported: Object.fromEntries(
      sources.map((it) => [it.type, configurationOf(it)]),
    ),
  });
  const metadata = {
    originalDraftVersion: Openid4vciVersion.V1,
    credentialIssuer,
    authorizationServers: [authorizationServer],
    knownCredentialConfigurations: issuer.getKnownCredentialConfigurationsSupported(credentialIssuer),
  };

  return {
    issuer,
    authorization,
    authorizationServer,
    metadata,
    /** The offer itself, and the link that leads a wallet to it. */
    drawUpOffer(address: string, credentialType: string, { code, txCode }: Grant) {
      return issuer.createCredentialOffer({
        issuerMetadata: metadata,
        credentialOfferUri: address,
        credentialConfigurationIds: [credentialType],
        grants: {
          [preAuthorizedCodeGrantIdentifier]: {
            'pre-authorized_code': code,
            ...(txCode !== null && { tx_code: TX_CODE_ASKED }),
          },
        },
      });
    },
  };
}

const TX_CODE_ASKED = {
  input_mode: 'numeric',
  length: TX_CODE_DIGITS,
  description: 'The code that you were given together with this offer.',
} as const;

function configurationOf({ type, title }: ClaimSource) {
  return {
    format: 'jwt_vc_json',
    scope: type,
    credential_definition: { type: ['VerifiableCredential', type] as [string, ...string[]] },
    credential_signing_alg_values_supported: ['EdDSA'],
    cryptographic_binding_methods_supported: ['did:key', 'did:jwk', 'jwk'],
    proof_types_supported: { jwt: { proof_signing_alg_values_supported: [...PROOF_ALGORITHMS] } },
    credential_metadata: {
      display: [{ name: title, locale: 'en' }],
      claims: CLAIMS.map(([claim, name]) => ({
        path: ['credentialSubject', claim],
        display: [{ name, locale: 'en' }],
      })),
    },
  };
}

const CLAIMS = [
  ['record', 'Record'],
  ['asOf', 'As of'],
  ['formulaVersion', 'Version of the formula'],
] as const;

const callbacks: Omit<CallbackContext, 'decryptJwe' | 'encryptJwe'> = {
  verifyJwt: verifyHolderSignature,
  generateRandom: (length) => randomBytes(length),
  clientAuthentication: clientAuthenticationAnonymous(),
  hash: notNeeded,
  signJwt: notNeeded,
};

/** Of what the library could do for wallets or with signed metadata, nothing is used here. */
function notNeeded(): never {
  throw new Error('the protocol library asked for something that this service does not do');
}
