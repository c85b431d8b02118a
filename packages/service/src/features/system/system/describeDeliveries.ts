import {
  envelopeEntry,
  envelopeSchema,
  envelopeTypes,
  exampleEnvelope,
} from '../../../domain/envelopes/catalogue.js';
import { type DeliveryTexts, pascalCased } from '../../../kit/http/openapiWebhooks.js';

/** What the service sends to webhook endpoints, for the OpenAPI document. */
export const deliveryTexts: DeliveryTexts = {
  tag: 'Webhooks',
  headers: [
    {
      name: 'X-Service-Timestamp',
      description: 'When this attempt was made, in Unix seconds. Refuse one that is more than 300 s off.',
      schema: { type: 'integer', minimum: 0 },
      example: 1_772_379_902,
    },
    {
      name: 'X-Service-Signature',
      description:
        'HMAC-SHA256 over `<X-Service-Timestamp>.<raw body>` in lowercase hex, keyed with the whole secret as text, `whsec_` ' +
        'included. Two of them, comma-separated, for 24 hours after a rotation: the new secret first.',
      schema: { type: 'string', pattern: '^[0-9a-f]{64}(,[0-9a-f]{64})?$' },
      example: '5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd',
    },
    {
      name: 'webhook-id',
      description:
        'Standard Webhooks: the `id` of the envelope, the same on every retry and replay. Use it to skip what you have done.',
      schema: { type: 'string', format: 'uuid' },
      example: '0199a3c2-9d10-7b44-8c2e-000000000009',
    },
    {
      name: 'webhook-timestamp',
      description: 'Standard Webhooks: the same as `X-Service-Timestamp`.',
      schema: { type: 'integer', minimum: 0 },
      example: 1_772_379_902,
    },
    {
      name: 'webhook-signature',
      description:
        'Standard Webhooks: `v1,` and base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<raw body>`, keyed with the ' +
        'decoded part after `whsec_`. Two, separated by a space, for 24 hours after a rotation.',
      schema: { type: 'string', pattern: '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)?$' },
      example: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    },
    {
      name: 'Content-Digest',
      description: 'SHA-256 of the raw body (RFC 9530). The `Signature` covers it.',
      schema: { type: 'string', pattern: '^sha-256=:[A-Za-z0-9+/]{43}=:$' },
      example: 'sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:',
    },
    {
      name: 'Signature-Agent',
      description:
        'Who signs: the origin whose `/.well-known/http-message-signatures-directory` lists the public keys.',
      schema: { type: 'string', pattern: '^sig1="https?://[^"]+"$' },
      example: 'sig1="https://scores.example"',
    },
    {
      name: 'Signature-Input',
      description: 'What the `Signature` covers, and its `keyid`, `created` and `expires` (RFC 9421).',
      schema: { type: 'string', pattern: '^sig1=\\(' },
      example:
        'sig1=("@method" "@authority" "@path" "content-digest" "signature-agent";key="sig1");created=1772379902;expires=1772380202;keyid="poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U";alg="ed25519";nonce="bm9uY2U=";tag="web-bot-auth"',
    },
    {
      name: 'Signature',
      description: 'An Ed25519 signature (RFC 9421), to be verified without a shared secret.',
      schema: { type: 'string', pattern: '^sig1=:[A-Za-z0-9+/]{86}==:$' },
      example:
        'sig1=:K2qGT5srn2OGbOIDzQ6kYT+ruaycnDAAUpKv+ePFfD0RAxn/1BUeZx/Kdrq32DrfakQ6bPsvB9aqZqognNT6be==:',
    },
  ],
  answers: {
    '2XX': 'Taken. Any 2xx within 10 seconds counts; the body of the answer is not used.',
    '410': 'No more of them: the endpoint is switched off.',
    default:
      'Not taken. Every other status, a redirect included, and no answer within 10 seconds are failures; the delivery is tried ' +
      'again for about three days, with growing pauses and not before a `Retry-After`.',
  },
  messages: envelopeTypes.map((type) => ({
    type,
    description: envelopeEntry(type).description,
    schema: envelopeSchema(type).meta({
      id: `${pascalCased(type)}Envelope`,
      description: envelopeEntry(type).description,
    }),
    example: exampleEnvelope(type),
  })),
};
