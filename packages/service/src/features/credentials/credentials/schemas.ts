import { z } from 'zod';
import { contextDocument } from '../issuing/vocabulary.js';
import { DID_CONTEXTS } from './didDocument.js';

const DID = 'did:web:reliability.example';
const KEY_URL = `${DID}#kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k`;
const MULTIKEY = 'z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw';

const keyUrl = z.string().meta({ description: 'DID URL of the key.' });
const controller = z.string();

export const DidDocument = z
  .object({
    '@context': z.array(z.string()),
    id: z.string().meta({ description: 'The issuer of all credentials.' }),
    verificationMethod: z
      .array(
        z.union([
          z.object({
            id: keyUrl,
            type: z.literal('JsonWebKey'),
            controller,
            publicKeyJwk: z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string() }),
          }),
          z.object({ id: keyUrl, type: z.literal('Multikey'), controller, publicKeyMultibase: z.string() }),
        ]),
      )
      .meta({ description: 'Each key in two formats. The `kid` of a credential names the JsonWebKey.' }),
    assertionMethod: z.array(keyUrl),
    service: z
      .array(
        z.object({
          id: z.string(),
          type: z.string(),
          serviceEndpoint: z.string().meta({ description: 'Address of the log.' }),
          vkey: z.string().meta({ description: 'Key that signs the log, as `name+id+base64`.' }),
        }),
      )
      .meta({
        description: 'The transparency log: its address and its key as C2SP signed-note writes keys.',
      }),
  })
  .meta({
    id: 'DidDocument',
    description: 'The keys that sign credentials, including recently retired ones.',
    example: {
      '@context': DID_CONTEXTS,
      id: DID,
      verificationMethod: [
        {
          id: KEY_URL,
          type: 'JsonWebKey',
          controller: DID,
          publicKeyJwk: { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' },
        },
        { id: `${DID}#${MULTIKEY}`, type: 'Multikey', controller: DID, publicKeyMultibase: MULTIKEY },
      ],
      assertionMethod: [KEY_URL, `${DID}#${MULTIKEY}`],
      service: [
        {
          id: `${DID}#log`,
          type: 'TransparencyLog',
          serviceEndpoint: 'https://reliability.example/log',
          vkey: 'reliability.example/log+6a3ef0c1+AX1vcyqEpl1wxK0hGgJ1L1sGdzO3yPV0rXkqYJHZqS1b',
        },
      ],
    },
  });

export const Context = z.object({ '@context': z.record(z.string(), z.unknown()) }).meta({
  id: 'CredentialContext',
  description: 'A JSON-LD context.',
  example: contextDocument('https://reliability.example'),
});

export const listPath = z.object({
  n: z.string().max(255).meta({ description: 'The number of the list, from 1.', example: '1' }),
});
