import { z } from 'zod';
import { instant } from '#kit/http/query.js';
import { ttlParam } from '#ledger/issuing/answerWithCredential.js';
import type { ClaimSource } from '#ledger/issuing/issuer.js';

export const OfferQuery = z.object({ ttl: ttlParam });

/** Accepts the types that have a claim source. */
export function OfferRequest(sources: readonly ClaimSource[]) {
  return z
    .object({
      credentialType: z.enum(sources.map(({ type }) => type)),
      txCode: z.boolean().optional().default(false),
    })
    .meta({ id: 'CredentialOfferRequest' });
}

export type CredentialOffer = z.output<typeof CredentialOffer>;
export const CredentialOffer = z
  .object({
    offerId: z.uuid(),
    pageUrl: z.string(),
    credentialOfferUri: z.string(),
    qrSvg: z.string(),
    txCode: z.string().optional(),
    expiresAt: instant,
  })
  .meta({ id: 'CredentialOffer' });

export const offerPath = z.object({ id: z.string().max(255) });

export type WalletOffer = z.output<typeof WalletOffer>;
export const WalletOffer = z
  .object({
    credential_issuer: z.url(),
    credential_configuration_ids: z.array(z.string()),
    grants: z.object({
      'urn:ietf:params:oauth:grant-type:pre-authorized_code': z.object({
        'pre-authorized_code': z.string(),
        tx_code: z
          .object({ input_mode: z.literal('numeric'), length: z.int().min(0), description: z.string() })
          .optional(),
      }),
    }),
  })
  .meta({ id: 'WalletOffer' });

/** Fields are not validated here, because the protocol has its own errors for them. */
const field = (type: 'string' | 'object') =>
  z
    .unknown()
    .optional()
    .meta({ type, ...(type === 'object' && { additionalProperties: true }) });

export const TokenForm = z
  .object({
    grant_type: field('string'),
    'pre-authorized_code': field('string'),
    tx_code: field('string'),
  })
  .meta({ id: 'WalletTokenRequest' });

export type WalletToken = z.output<typeof WalletToken>;
export const WalletToken = z
  .object({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int().min(0),
  })
  .meta({ id: 'WalletToken' });

export const Nonce = z.object({ c_nonce: z.string() }).meta({ id: 'WalletNonce' });

export const CredentialRequest = z
  .looseObject({
    credential_configuration_id: field('string'),
    proofs: field('object'),
  })
  .meta({ id: 'WalletCredentialRequest' });

export type WalletCredential = z.output<typeof WalletCredential>;
export const WalletCredential = z
  .object({ credentials: z.array(z.object({ credential: z.string() })) })
  .meta({ id: 'WalletCredential' });

/** Documents in the format of the standards. Wallets ignore unknown fields. */
export const IssuerMetadata = z
  .looseObject({
    credential_issuer: z.url(),
    credential_endpoint: z.url(),
    nonce_endpoint: z.url(),
    credential_configurations_supported: z.record(z.string(), z.looseObject({ format: z.string() })),
  })
  .meta({ id: 'WalletIssuerMetadata' });

export const AuthorizationServerMetadata = z
  .looseObject({
    issuer: z.url(),
    token_endpoint: z.url(),
    grant_types_supported: z.array(z.string()),
    'pre-authorized_grant_anonymous_access_supported': z.literal(true),
  })
  .meta({ id: 'WalletAuthorizationServer' });
