import { randomBytes } from 'node:crypto';
import {
  type CallbackContext,
  clientAuthenticationAnonymous,
  Oauth2AuthorizationServer,
  preAuthorizedCodeGrantIdentifier,
} from '@openid4vc/oauth2';
import { Openid4vciIssuer, Openid4vciVersion, setGlobalConfig } from '@openid4vc/openid4vci';
import { z } from 'zod';
import type { Vault } from '#kit/crypto.js';
import type { ClaimSource, Issuer } from '#ledger/issuing/issuer.js';
import type { ShareTokens } from '#ledger/issuing/shareTokens.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { PROOF_ALGORITHMS, verifyHolderSignature } from './holderKeys.js';

// Loading the library changes the error messages of every zod schema in the process. Restore the default.
z.config({ customError: undefined });

export const TX_CODE_DIGITS = 6;
/** Five guesses at six digits succeed once in two hundred thousand codes. */
export const MAX_WRONG_TX_CODES = 5;

export type WalletDeps = Pick<
  ServiceDeps,
  'db' | 'clock' | 'ids' | 'vault' | 'withIdempotency' | 'config'
> & {
  issuer: Issuer;
  shareTokens: ShareTokens;
  /** The credentials to offer, one source for each type. */
  claimSources: readonly ClaimSource[];
  protocol: ReturnType<typeof createWalletProtocol>;
};

/** What a wallet must send to redeem an offer. */
export interface Grant {
  readonly code: string;
  /** Null: the code alone is enough. */
  readonly txCode: string | null;
}

/** The context under which grants are sealed; see Vault. */
export const GRANT_CONTEXT = 'credential offer';

export function sealGrant(vault: Vault, grant: Grant): Buffer {
  return vault.seal(JSON.stringify(grant), GRANT_CONTEXT);
}

export function openGrant(vault: Vault, sealed: Buffer): Grant {
  return JSON.parse(vault.open(sealed, GRANT_CONTEXT));
}

/**
 * OpenID4VCI 1.0 with pre-authorized code, one `jwt_vc_json` at a time. The library checks the
 * messages.
 */
export function createWalletProtocol(baseUrl: string, sources: readonly ClaimSource[]) {
  // Only a development installation on this machine uses http.
  if (baseUrl.startsWith('http:')) setGlobalConfig({ allowInsecureUrls: true });
  const issuer = new Openid4vciIssuer({ callbacks });
  const authorization = new Oauth2AuthorizationServer({ callbacks });
  // On first use: to check them the library compiles schemas, which took a twentieth of the start.
  let made: ReturnType<typeof makeDocuments> | undefined;
  const documents = () => {
    made ??= makeDocuments();
    return made;
  };

  return {
    issuer,
    authorization,
    get authorizationServer() {
      return documents().authorizationServer;
    },
    get metadata() {
      return documents().metadata;
    },
    /** The offer and the link that wallets open. */
    createOffer(offerId: string, credentialType: string, { code, txCode }: Grant) {
      return issuer.createCredentialOffer({
        issuerMetadata: documents().metadata,
        credentialOfferUri: `${baseUrl}/oid4vci/offers/${offerId}`,
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

  function makeDocuments() {
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
    return { authorizationServer, metadata };
  }
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

/**
 * The library can do more for wallets and with signed metadata, but this service does not use that.
 */
function notNeeded(): never {
  throw new Error('the protocol library asked for something that this service does not do');
}
