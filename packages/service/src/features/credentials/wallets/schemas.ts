import { preAuthorizedCodeGrantIdentifier } from '@openid4vc/oauth2';
import { z } from 'zod';
import { instant } from '../../../kit/http/query.js';
import type { ClaimSource } from '../issuing/claimSources.js';
import { ttlParam } from '../issuing/credentialSchemas.js';

const BASE = 'https://reliability.example';
const OFFER_ID = '5b0e62cf-3f0a-4d7e-9a4e-1c2f6f1b8d90';
const OFFER_URL = `${BASE}/oid4vci/offers/${OFFER_ID}`;
const CODE = 'Qm9zX2V4YW1wbGVfY29kZV9vZl9hbl9vZmZlcl8wMDE';
const EXAMPLE_TYPE = 'ServiceProfessionalRecordCredential';

export const OfferQuery = z.object({ ttl: ttlParam });

/** Accepts the types that have a claim source. */
export function OfferRequest(sources: readonly ClaimSource[]) {
  return z
    .object({
      credentialType: z
        .enum(sources.map(({ type }) => type))
        .meta({ description: 'The type of the credential.' }),
      txCode: z.boolean().optional().default(false).meta({
        description:
          'Whether the wallet asks for six digits too. Send them to the subject through another channel than the offer.',
      }),
    })
    .meta({
      id: 'CredentialOfferRequest',
      description: 'The credential to offer to the wallet of the subject.',
      example: { credentialType: EXAMPLE_TYPE, txCode: true },
    });
}

export type CredentialOffer = z.output<typeof CredentialOffer>;
export const CredentialOffer = z
  .object({
    offerId: z.uuid().meta({ description: 'Anyone who has it can read the offer.' }),
    pageUrl: z.string().meta({
      description: 'A page for the subject, with the QR code and a button that opens a wallet.',
    }),
    credentialOfferUri: z.string().meta({ description: 'The link that wallets open.' }),
    qrSvg: z.string().meta({ description: 'The link as a QR code, an SVG.' }),
    txCode: z.string().optional().meta({ description: 'The six digits, if `txCode` is true.' }),
    expiresAt: instant.meta({ description: 'When the offer expires.' }),
  })
  .meta({
    id: 'CredentialOffer',
    description: 'An offer that one wallet can accept once. It cannot be read again.',
    example: {
      offerId: OFFER_ID,
      pageUrl: `${BASE}/offers/${OFFER_ID}`,
      credentialOfferUri: `openid-credential-offer://?credential_offer_uri=${encodeURIComponent(OFFER_URL)}`,
      qrSvg: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 450 450">...</svg>',
      txCode: '493536',
      expiresAt: '2026-03-01T09:40:00.000Z',
    },
  });

export const offerPath = z.object({
  id: z.string().max(255).meta({ description: 'The id of an offer.', example: OFFER_ID }),
});

export type WalletOffer = z.output<typeof WalletOffer>;
export const WalletOffer = z
  .object({
    credential_issuer: z.url(),
    credential_configuration_ids: z.array(z.string()),
    grants: z.object({
      [preAuthorizedCodeGrantIdentifier]: z.object({
        'pre-authorized_code': z.string(),
        tx_code: z
          .object({ input_mode: z.literal('numeric'), length: z.int().min(0), description: z.string() })
          .optional(),
      }),
    }),
  })
  .meta({
    id: 'WalletOffer',
    description: 'A credential offer (OpenID4VCI 1.0, 4.1.1).',
    example: {
      credential_issuer: BASE,
      credential_configuration_ids: [EXAMPLE_TYPE],
      grants: {
        [preAuthorizedCodeGrantIdentifier]: {
          'pre-authorized_code': CODE,
          tx_code: { input_mode: 'numeric', length: 6, description: 'The code that you were given.' },
        },
      },
    },
  });

/** Fields are not validated here, because the protocol has its own errors for them. */
const field = (type: 'string' | 'object', description: string) =>
  z
    .unknown()
    .optional()
    .meta({ type, ...(type === 'object' && { additionalProperties: true }), description });

export const TokenForm = z
  .object({
    grant_type: field('string', `\`${preAuthorizedCodeGrantIdentifier}\`.`),
    'pre-authorized_code': field('string', 'The code of the offer.'),
    tx_code: field('string', 'The digits, if the offer asks for them.'),
  })
  .meta({
    id: 'WalletTokenRequest',
    description: 'A token request (OpenID4VCI 1.0, 6.1).',
    example: { grant_type: preAuthorizedCodeGrantIdentifier, 'pre-authorized_code': CODE, tx_code: '493536' },
  });

export type WalletToken = z.output<typeof WalletToken>;
export const WalletToken = z
  .object({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int().min(0).meta({ description: 'Seconds.' }),
  })
  .meta({
    id: 'WalletToken',
    description: 'An access token for the offered credential.',
    example: { access_token: 'oat_...', token_type: 'Bearer', expires_in: 600 },
  });

export const Nonce = z.object({ c_nonce: z.string() }).meta({
  id: 'WalletNonce',
  description: 'For one proof. Expires after five minutes.',
  example: { c_nonce: 'rO0mUuXoZqKkJX1d3a1mW2Cq' },
});

export const CredentialRequest = z
  .looseObject({
    credential_configuration_id: field('string', 'As the offer names it.'),
    proofs: field('object', '`{"jwt": ["..."]}`: one proof that the wallet holds a key, over a nonce.'),
  })
  .meta({
    id: 'WalletCredentialRequest',
    description: 'A credential request (OpenID4VCI 1.0, 8.2).',
    example: {
      credential_configuration_id: EXAMPLE_TYPE,
      proofs: { jwt: ['eyJ0eXAiOiJvcGVuaWQ0dmNpLXByb29mK2p3dCJ9...'] },
    },
  });

export type WalletCredential = z.output<typeof WalletCredential>;
export const WalletCredential = z
  .object({ credentials: z.array(z.object({ credential: z.string() })) })
  .meta({
    id: 'WalletCredential',
    description: 'The credential as `jwt_vc_json`, bound to the key of the wallet.',
    example: { credentials: [{ credential: 'eyJhbGciOiJFZERTQSIs...' }] },
  });

/** Documents in the format of the standards. Wallets ignore unknown fields. */
export const IssuerMetadata = z
  .looseObject({
    credential_issuer: z.url(),
    credential_endpoint: z.url(),
    nonce_endpoint: z.url(),
    credential_configurations_supported: z.record(z.string(), z.looseObject({ format: z.string() })),
  })
  .meta({
    id: 'WalletIssuerMetadata',
    description: 'Credential types and endpoints for wallets (OpenID4VCI 1.0, 12.2).',
    example: {
      credential_issuer: BASE,
      credential_endpoint: `${BASE}/oid4vci/credential`,
      nonce_endpoint: `${BASE}/oid4vci/nonce`,
      credential_configurations_supported: { [EXAMPLE_TYPE]: { format: 'jwt_vc_json', scope: EXAMPLE_TYPE } },
    },
  });

export const AuthorizationServerMetadata = z
  .looseObject({
    issuer: z.url(),
    token_endpoint: z.url(),
    grant_types_supported: z.array(z.string()),
    'pre-authorized_grant_anonymous_access_supported': z.literal(true),
  })
  .meta({
    id: 'WalletAuthorizationServer',
    description: 'Metadata of the token endpoint (RFC 8414).',
    example: {
      issuer: BASE,
      token_endpoint: `${BASE}/oid4vci/token`,
      grant_types_supported: [preAuthorizedCodeGrantIdentifier],
      'pre-authorized_grant_anonymous_access_supported': true,
    },
  });
