/** What the lines of platforms and of the operator say alike. */
export const lines = {
  create: {
    summary: 'Add an endpoint',
    description:
      'From now on it is sent every envelope of the types in `events`. The answer holds the signing `secret`, this once: store it. An ' +
      'endpoint belongs to one mode: live ones hear of live data alone, test ones of test data. A URL that points into a private ' +
      'network is refused (400), and so is one endpoint too many (409, with the `limit`).',
    idempotent: true,
    errors: ['CONFLICT'],
  },
  list: {
    summary: 'List the endpoints',
    description:
      'The endpoints of one mode, newest first, with the types each is sent and whether it is active. Signing secrets are never ' +
      'shown again.',
  },
  update: {
    summary: 'Change an endpoint',
    description:
      'Holds for what is sent from now on. `isActive: true` brings back an endpoint that the service has switched off; what it missed ' +
      'comes with `/recover`.',
  },
  remove: {
    summary: 'Delete an endpoint',
    description:
      'Nothing is sent to it any more, not even what was in line for it, and its log can no longer be read.',
  },
  test: {
    summary: 'Send a test delivery',
    description:
      'Sends an example of the type at once, signed like any other delivery and marked with `"test": true` in its `data`, also to an ' +
      'endpoint that is switched off. Answers 200 with the entry of the log whether or not the receiver took it: look at `status`, ' +
      'and at `error` or `responseStatus` for the reason. A test is never repeated by itself and never counts as a failure.',
  },
  log: {
    summary: 'Read the log of deliveries, newest first',
    description:
      'An entry for each attempt, kept for 30 days. An attempt that fails is followed by the next after 5 s, 1 min, 5 min, 30 min, 2 h, ' +
      '5 h, 10 h, 14 h, 20 h and 24 h, unless the installation says otherwise, and not before the `Retry-After` of the answer.',
  },
  replay: {
    summary: 'Send a delivery again',
    description:
      'Sends the same body at once, under the same `id` and with fresh signatures, and answers 200 with the new entry of the log, whether ' +
      'or not the receiver took it. If it did, nothing more of that envelope is tried. Bodies are kept for 30 days, those about test ' +
      'subjects until the reset of the test data; after that: 409.',
    errors: ['NOT_FOUND', 'PAYLOAD_NOT_RETAINED'],
  },
} as const satisfies Record<string, object>;

export const HOW_TO_VERIFY = `**A delivery** is a POST of one envelope as JSON: \`{id, type, livemode, createdAt, data}\`. Answer with any 2xx within 10 seconds; everything else, a redirect included, is a failure and is tried again for about three days. 410 switches the endpoint off at once, five days that hold at least ten failed attempts and no success do as well. The same envelope can come more than once, also out of order: \`id\` stays the same, so keep the ids you have worked off.

**Verify** before you trust, over the raw bytes of the body, in constant time, and refuse timestamps more than 300 seconds away from your clock. Each attempt is signed in three ways; check the one that suits you:

- \`X-Service-Signature\`: hex of HMAC-SHA256 over \`<X-Service-Timestamp>.<body>\`. The key is the **whole secret as text**, \`whsec_\` included.
- \`webhook-signature\`: Standard Webhooks, for which there are libraries. \`v1,\` and base64 of HMAC-SHA256 over \`<webhook-id>.<webhook-timestamp>.<body>\`. The key is the **bytes that the part after** \`whsec_\` **stands for** in base64.
- \`Signature\`, \`Signature-Input\`, \`Signature-Agent\`, \`Content-Digest\`: RFC 9421 with Ed25519, without a shared secret. The keys are at \`/.well-known/http-message-signatures-directory\`.

For a day after a rotation the first two hold two signatures each, the new secret's first: separated by a comma in \`X-Service-Signature\`, by a space in \`webhook-signature\`. One that fits is enough.`;
