import { z } from 'zod';

const keyUrl = z.string();
const controller = z.string();

export const DidDocument = z
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

export const Context = z
  .object({ '@context': z.record(z.string(), z.unknown()) })
  .meta({ id: 'CredentialContext' });

export const listPath = z.object({
  n: z.string().max(255),
});
