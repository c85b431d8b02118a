import { noContent, ok } from '#kit/http/answer.js';
import { fixedDocument } from '#kit/http/fixedDocument.js';
import { everyone, keyFor, keyOrOperatorFor, type RouteTable, route } from '#kit/http/route.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import type { AttemptDeps } from './attemptDelivery.js';
import {
  createWebhook,
  deleteWebhook,
  rotateSecret,
  updateWebhook,
  type WebhookDeps,
} from './changeWebhooks.js';
import {
  AttemptHours,
  AttemptQuery,
  attemptHours,
  Delivery,
  DeliveryPage,
  DeliveryQuery,
  DeliveryRequest,
  deliveryPath,
  listDeliveries,
  RecoverBody,
  Recovered,
  readDelivery,
  readDeliveryRequest,
  TestBody,
} from './deliveryLog.js';
import { EventCatalogue, eventCatalogue } from './directory.js';
import { createSendNow, replayDelivery, testWebhook } from './manualDeliveries.js';
import { recoverDeliveries } from './recoverDeliveries.js';
import {
  SecretRotated,
  Webhook,
  WebhookBody,
  WebhookChanges,
  WebhookCreated,
  WebhookPage,
  WebhookQuery,
  webhookPath,
  webhooks,
} from './webhookStore.js';

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
      query: WebhookQuery,
      answers: { 200: WebhookPage },
      async handle({ owner, query }) {
        const { rows, nextCursor } = await webhooks.list(deps.db, owner, query);
        return ok({ webhooks: rows, nextCursor });
      },
    }),
    'GET /webhooks/{id}': route({
      operationId: 'readWebhook',
      ...onOne,
      answers: { 200: Webhook },
      handle: async ({ owner, params }) => ok(await webhooks.read(deps.db, owner, params.id)),
    }),
    'PATCH /webhooks/{id}': route({
      operationId: 'updateWebhook',
      ...onOne,
      ...byOperatorToo,
      body: WebhookChanges,
      answers: { 200: Webhook },
      handle: async ({ owner, params, body }) => ok(await updateWebhook(deps, owner, params.id, body)),
    }),
    'DELETE /webhooks/{id}': route({
      operationId: 'deleteWebhook',
      ...onOne,
      ...byOperatorToo,
      answers: { 204: null },
      async handle({ owner, params }) {
        await deleteWebhook(deps, owner, params.id);
        return noContent();
      },
    }),
    'POST /webhooks/{id}/rotate-secret': route({
      operationId: 'rotateWebhookSecret',
      ...onOne,
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
      body: TestBody,
      bodyOptional: true,
      answers: { 200: Delivery },
      handle: async ({ owner, params, body }) => ok(await testWebhook(manual, owner, params.id, body)),
    }),
    'POST /webhooks/{id}/recover': route({
      operationId: 'recoverDeliveries',
      ...onOne,
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
      query: DeliveryQuery,
      answers: { 200: DeliveryPage },
      handle: async ({ owner, params, query }) => ok(await listDeliveries(deps.db, owner, params.id, query)),
    }),
    'GET /webhooks/{id}/deliveries/{deliveryId}': route({
      operationId: 'readDelivery',
      ...onOne,
      params: deliveryPath,
      answers: { 200: Delivery },
      handle: async ({ owner, params }) => ok(await readDelivery(deps.db, owner, params)),
    }),
    'GET /webhooks/attempts': route({
      operationId: 'countAttempts',
      ...own,
      query: AttemptQuery,
      answers: { 200: AttemptHours },
      handle: async ({ owner, query }) =>
        ok(await attemptHours(deps.db, owner, { ...query, now: deps.clock.now() })),
    }),
    'GET /webhooks/{id}/deliveries/{deliveryId}/request': route({
      operationId: 'readDeliveryRequest',
      ...onOne,
      params: deliveryPath,
      answers: { 200: DeliveryRequest },
      errors: ['NOT_FOUND', 'PAYLOAD_NOT_RETAINED'],
      handle: async ({ owner, params }) => ok(await readDeliveryRequest(deps.db, owner, params)),
    }),
    'POST /webhooks/{id}/deliveries/{deliveryId}/replay': route({
      operationId: 'replayDelivery',
      ...onOne,
      ...byOperatorToo,
      params: deliveryPath,
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
