import { noContent, ok } from '../../../kit/http/answer.js';
import { fixedDocument } from '../../../kit/http/fixedDocument.js';
import { everyone, keyFor, keyOrOperatorFor, type RouteTable, route } from '../../../kit/http/route.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import type { AttemptDeps } from './attemptDelivery.js';
import { attemptHours } from './attemptHours.js';
import {
  createWebhook,
  deleteWebhook,
  rotateSecret,
  updateWebhook,
  type WebhookDeps,
} from './changeWebhooks.js';
import { listDeliveries, readDelivery, readDeliveryRequest } from './deliveryLog.js';
import {
  AttemptHours,
  AttemptQuery,
  Delivery,
  DeliveryPage,
  DeliveryQuery,
  DeliveryRequest,
  deliveryPath,
  RecoverBody,
  Recovered,
  TestBody,
} from './deliverySchemas.js';
import { EventCatalogue, eventCatalogue } from './eventCatalogue.js';
import { replayDelivery, testWebhook } from './manualDeliveries.js';
import { recoverDeliveries } from './recoverDeliveries.js';
import { createSendNow } from './sendNow.js';
import {
  SecretRotated,
  Webhook,
  WebhookBody,
  WebhookChanges,
  WebhookCreated,
  WebhookPage,
  WebhookQuery,
  webhookPath,
} from './webhookSchemas.js';
import { listWebhooks, readWebhook } from './webhookStore.js';

type WebhookRouteDeps = WebhookDeps &
  Pick<AttemptDeps, 'messageKeys'> &
  Pick<ServiceDeps, 'outbound' | 'wakes'>;

/** Endpoints that receive envelopes, and the log of their deliveries. */
export function webhookRoutes(deps: WebhookRouteDeps): RouteTable {
  return { ...endpoints(deps), ...deliveries(deps) };
}

const own = { access: keyFor('webhooks'), tag: 'Webhooks' };
const onOne = { ...own, params: webhookPath, errors: ['NOT_FOUND'] } as const;
const byOperatorToo = { access: keyOrOperatorFor('webhooks') };

function endpoints(deps: WebhookRouteDeps): RouteTable {
  return {
    'GET /webhooks/events': route({
      operationId: 'listWebhookEvents',
      access: everyone,
      tag: 'Webhooks',
      summary: 'List the event types',
      description:
        'Every type with the JSON Schema of its deliveries and an example. Types and fields may be added.',
      answers: { 200: EventCatalogue, 304: null },
      handle: fixedDocument(eventCatalogue),
    }),
    'POST /webhooks': route({
      operationId: 'createWebhook',
      ...own,
      ...byOperatorToo,
      summary: 'Add an endpoint',
      description:
        'The endpoint receives every envelope of the types in `events` from now on. The answer contains the signing `secret` ' +
        'only this once: store it. A live endpoint receives live data only, a test endpoint test data only. A URL in a private ' +
        `network is refused (400), and so is an endpoint above the plan's cap (409, with the \`limit\`).\n\n${HOW_TO_VERIFY}`,
      idempotent: true,
      body: WebhookBody,
      answers: { 201: WebhookCreated },
      errors: ['CONFLICT'],
      handle: ({ owner, body, claim }) => createWebhook(deps, owner, body, claim),
    }),
    'GET /webhooks': route({
      operationId: 'listWebhooks',
      ...own,
      ...byOperatorToo,
      summary: 'List the endpoints',
      description:
        'The endpoints of one mode, newest first, with their types and whether they are active. Signing secrets are never ' +
        'shown again.',
      query: WebhookQuery,
      answers: { 200: WebhookPage },
      handle: async ({ owner, query }) => ok(await listWebhooks(deps.db, owner, query)),
    }),
    'GET /webhooks/{id}': route({
      operationId: 'readWebhook',
      ...onOne,
      summary: 'Read an endpoint',
      description:
        'Its URL, its types and whether it is active. `disabledReason` says why the service disabled it. The signing secret ' +
        'is never shown again; replace it with `/rotate-secret`.',
      answers: { 200: Webhook },
      handle: async ({ owner, params }) => ok(await readWebhook(deps.db, owner, params.id)),
    }),
    'PATCH /webhooks/{id}': route({
      operationId: 'updateWebhook',
      ...onOne,
      ...byOperatorToo,
      summary: 'Change an endpoint',
      description:
        'Applies to everything that is sent from now on. `isActive: true` re-enables an endpoint that the service disabled; ' +
        'then fetch what it missed with `/recover`.',
      body: WebhookChanges,
      answers: { 200: Webhook },
      handle: async ({ owner, params, body }) => ok(await updateWebhook(deps, owner, params.id, body)),
    }),
    'DELETE /webhooks/{id}': route({
      operationId: 'deleteWebhook',
      ...onOne,
      ...byOperatorToo,
      summary: 'Delete an endpoint',
      description:
        'Nothing is sent to it any more, including what is queued for it. Its delivery log can no longer be read.',
      answers: { 204: null },
      async handle({ owner, params }) {
        await deleteWebhook(deps, owner, params.id);
        return noContent();
      },
    }),
    'POST /webhooks/{id}/rotate-secret': route({
      operationId: 'rotateWebhookSecret',
      ...onOne,
      summary: 'Replace the signing secret',
      description:
        'The answer contains the new secret only this once. For 24 hours deliveries also carry a signature of the previous ' +
        'secret, so switch to the new one within that time. A second rotation ends the signatures of the oldest secret.',
      idempotent: true,
      answers: { 200: SecretRotated },
      errors: ['NOT_FOUND', 'CONFLICT'],
      handle: ({ owner, params, claim }) => rotateSecret(deps, owner, params.id, claim),
    }),
  };
}

function deliveries(deps: WebhookRouteDeps): RouteTable {
  const manual = { ...deps, sendNow: createSendNow(deps) };
  return {
    'POST /webhooks/{id}/test': route({
      operationId: 'testWebhook',
      ...onOne,
      ...byOperatorToo,
      summary: 'Send a test delivery',
      description:
        'Sends an example of the type at once, signed like any other delivery and marked with `"test": true` in its `data`. An ' +
        'inactive endpoint is tested as well. The answer is 200 with the log entry, even if the receiver failed: read `status`, ' +
        '`error` and `responseStatus`. A test is never retried and never counts as a failure.',
      body: TestBody,
      bodyOptional: true,
      answers: { 200: Delivery },
      handle: async ({ owner, params, body }) => ok(await testWebhook(manual, owner, params.id, body)),
    }),
    'POST /webhooks/{id}/recover': route({
      operationId: 'recoverDeliveries',
      ...onOne,
      summary: 'Re-queue missed deliveries',
      description:
        'Re-queues, oldest first, every envelope since `since` that the endpoint subscribes to and never accepted: deliveries ' +
        'that failed, and envelopes from the time when it was inactive. Envelopes keep their `id`. Queued envelopes, test ' +
        'deliveries and what is older than the endpoint are left out. 409 for an inactive endpoint: activate it first.',
      idempotent: true,
      body: RecoverBody,
      answers: { 202: Recovered },
      errors: ['NOT_FOUND', 'CONFLICT'],
      handle: ({ owner, params, body, claim }) => recoverDeliveries(deps, owner, params.id, body, claim),
    }),
    'GET /webhooks/{id}/deliveries': route({
      operationId: 'listDeliveries',
      ...onOne,
      ...byOperatorToo,
      summary: 'List the delivery log',
      description:
        'One entry per attempt, newest first, kept for 60 days. A failed attempt is retried after 5 s, 1 min, 5 min, 30 min, ' +
        '2 h, 5 h, 10 h, 14 h, 20 h and 24 h (defaults of the installation), and not before the `Retry-After` of the answer.',
      query: DeliveryQuery,
      answers: { 200: DeliveryPage },
      handle: async ({ owner, params, query }) => ok(await listDeliveries(deps.db, owner, params.id, query)),
    }),
    'GET /webhooks/{id}/deliveries/{deliveryId}': route({
      operationId: 'readDelivery',
      ...onOne,
      params: deliveryPath,
      summary: 'Read an attempt',
      description:
        'One attempt with the status and the first KiB that the receiver answered, or the reason why there was no answer. Use ' +
        'it to find out why a delivery failed. Kept for 60 days.',
      answers: { 200: Delivery },
      handle: async ({ owner, params }) => ok(await readDelivery(deps.db, owner, params)),
    }),
    'GET /webhooks/attempts': route({
      operationId: 'countAttempts',
      ...own,
      summary: 'Count attempts by hour',
      description:
        'How many attempts of each endpoint succeeded and failed in each of the last hours, for all endpoints of one mode, newest ' +
        'endpoint first. Use it to see at a glance which receiver is in trouble. Tests and replays count, too.',
      query: AttemptQuery,
      answers: { 200: AttemptHours },
      handle: async ({ owner, query }) =>
        ok(await attemptHours(deps.db, owner, { ...query, now: deps.clock.now() })),
    }),
    'GET /webhooks/{id}/deliveries/{deliveryId}/request': route({
      operationId: 'readDeliveryRequest',
      ...onOne,
      params: deliveryPath,
      summary: 'Read the request of an attempt',
      description:
        'What was sent in this attempt: the URL, the headers with all signatures, and the body byte by byte. Use it to test your ' +
        'verification with the secret of that time. 409 after the body was deleted (30 days, or the erasure of its subject).',
      answers: { 200: DeliveryRequest },
      errors: ['NOT_FOUND', 'PAYLOAD_NOT_RETAINED'],
      handle: async ({ owner, params }) => ok(await readDeliveryRequest(deps.db, owner, params)),
    }),
    'POST /webhooks/{id}/deliveries/{deliveryId}/replay': route({
      operationId: 'replayDelivery',
      ...onOne,
      ...byOperatorToo,
      params: deliveryPath,
      summary: 'Send a delivery again',
      description:
        'Sends the same body at once, under the same `id` and with new signatures. The answer is 200 with the new log entry, ' +
        'even if the receiver failed. After a success this envelope is not retried any more. 409 after the body was deleted: ' +
        'bodies are kept for 30 days, those about test subjects until a reset of the test data.',
      answers: { 200: Delivery },
      errors: ['NOT_FOUND', 'PAYLOAD_NOT_RETAINED'],
      handle: async ({ owner, params }) => ok(await replayDelivery(manual, owner, params)),
    }),
  };
}

const HOW_TO_VERIFY = `**A delivery** is a POST of one envelope as JSON: \`{id, type, livemode, createdAt, data}\`. Answer with any 2xx within 10 seconds. Anything else, including a redirect, is a failure and is retried for about three days. The service disables an endpoint that answers 410, and one with at least ten failed attempts and no success in five days. The same envelope can arrive more than once and out of order. Its \`id\` stays the same, so store the ids that you have processed.

**Verify** each delivery before you trust it: over the raw bytes of the body, in constant time. Refuse timestamps more than 300 seconds away from your clock. Each attempt has three signatures; check one of them:

- \`X-Service-Signature\`: hex of HMAC-SHA256 over \`<X-Service-Timestamp>.<body>\`. The key is the **whole secret as text**, including \`whsec_\`.
- \`webhook-signature\`: Standard Webhooks, for which there are libraries. \`v1,\` and base64 of HMAC-SHA256 over \`<webhook-id>.<webhook-timestamp>.<body>\`. The key is the **base64-decoded part after** \`whsec_\`.
- \`Signature\`, \`Signature-Input\`, \`Signature-Agent\`, \`Content-Digest\`: RFC 9421 with Ed25519, without a shared secret. The keys are at \`/.well-known/http-message-signatures-directory\`.

For a day after a rotation, the first two hold two signatures each, that of the new secret first. They are separated by a comma in \`X-Service-Signature\` and by a space in \`webhook-signature\`. One match is enough.`;
