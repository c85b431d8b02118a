import {
  envelopeSchema,
  envelopeTexts,
  envelopeTypes,
  exampleEnvelope,
} from '../../../domain/envelopes/catalogue.js';
import { type DeliveryTexts, pascalCased } from '../../../kit/http/openapi.js';

/** The messages to webhook endpoints, for the OpenAPI document. */
export const deliveryTexts: DeliveryTexts = {
  tag: 'Webhooks',
  headers: [
    {
      name: 'X-Service-Timestamp',
      description:
        'When this attempt was made, in Unix seconds. Reject it if it differs from your clock by more than 300 s.',
      schema: { type: 'integer', minimum: 0 },
      example: 1_772_379_902,
    },
    {
      name: 'X-Service-Signature',
      description:
        'HMAC-SHA256 over `<X-Service-Timestamp>.<raw body>` in lowercase hex. The key is the whole secret as text, including ' +
        '`whsec_`. For 24 hours after a rotation there are two, comma-separated, with the new secret first.',
      schema: { type: 'string', pattern: '^[0-9a-f]{64}(,[0-9a-f]{64})?$' },
      example: '5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd',
    },
    {
      name: 'webhook-id',
      description:
        'Standard Webhooks: the `id` of the envelope, the same on every retry and replay. Use it to skip duplicates.',
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
        'decoded part after `whsec_`. For 24 hours after a rotation there are two, separated by a space.',
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
        'The signer: the origin whose `/.well-known/http-message-signatures-directory` lists the public keys.',
      schema: { type: 'string', pattern: '^sig1="https?://[^"]+"$' },
      example: 'sig1="https://scores.example"',
    },
    {
      name: 'Signature-Input',
      description:
        'The components that `Signature` covers, and its `keyid`, `created` and `expires` (RFC 9421).',
      schema: { type: 'string', pattern: '^sig1=\\(' },
      example:
        'sig1=("@method" "@authority" "@path" "content-digest" "signature-agent";key="sig1");created=1772379902;expires=1772380202;keyid="poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U";alg="ed25519";nonce="bm9uY2U=";tag="web-bot-auth"',
    },
    {
      name: 'Signature',
      description: 'An Ed25519 signature (RFC 9421). Verify it without a shared secret.',
      schema: { type: 'string', pattern: '^sig1=:[A-Za-z0-9+/]{86}==:$' },
      example:
        'sig1=:K2qGT5srn2OGbOIDzQ6kYT+ruaycnDAAUpKv+ePFfD0RAxn/1BUeZx/Kdrq32DrfakQ6bPsvB9aqZqognNT6be==:',
    },
  ],
  answers: {
    '2XX': 'Delivered. Any 2xx within 10 seconds counts; the response body is ignored.',
    '410': 'Gone. The endpoint is switched off.',
    default:
      'Failed. Any other status, including a redirect, or no response within 10 seconds. The delivery is retried ' +
      'for about three days, with growing delays and not before `Retry-After`.',
  },
  messages: envelopeTypes.map((type) => ({
    type,
    description: envelopeTexts[type].description,
    schema: envelopeSchema(type).meta({ id: `${pascalCased(type)}Envelope` }),
    example: exampleEnvelope(type),
  })),
};
