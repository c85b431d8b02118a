import { fixedDocument } from '../../../kit/http/fixedDocument.js';
import { everyone, keyFor, keyOrOperatorFor, type RouteTable, route } from '../../../kit/http/route.js';
import { createWebhook } from './createWebhook.js';
import {
  DeliveryPage,
  DeliveryQuery,
  DeliveryRecord,
  deliveryPath,
  RecoverBody,
  Recovered,
  TestBody,
} from './deliverySchemas.js';
import type { WebhookDeps, WebhookRouteDeps } from './deps.js';
import { EventCatalogue, eventCatalogue } from './eventCatalogue.js';
import { listDeliveries } from './listDeliveries.js';
import { listWebhooks } from './listWebhooks.js';
import { readDelivery } from './readDelivery.js';
import { readWebhook } from './readWebhook.js';
import { recoverDeliveries } from './recoverDeliveries.js';
import { removeWebhook } from './removeWebhook.js';
import { replayDelivery } from './replayDelivery.js';
import { rotateSecret } from './rotateSecret.js';
import { HOW_TO_VERIFY, lines } from './routeTexts.js';
import { createSendByHand } from './sendByHand.js';
import { testWebhook } from './testWebhook.js';
import { updateWebhook } from './updateWebhook.js';
import {
  SecretRotated,
  WebhookBody,
  WebhookChanges,
  WebhookCreated,
  WebhookPage,
  WebhookQuery,
  WebhookRecord,
  webhookPath,
} from './webhookSchemas.js';

/** Endpoints that are told what happens: a platform's own, in the mode of its key, and the operator's hand on them. */
export function webhookRoutes(given: WebhookRouteDeps): RouteTable {
  const deps: WebhookDeps = { ...given, sendByHand: createSendByHand(given) };
  return { ...endpoints(deps), ...deliveries(deps) };
}

const forPlatform = { access: keyFor('webhooks'), tag: 'Webhooks' };
const byOperatorToo = keyOrOperatorFor('webhooks');
const onEndpoint = { ...forPlatform, params: webhookPath, errors: ['NOT_FOUND'] } as const;

function endpoints(deps: WebhookDeps): RouteTable {
  return {
    'GET /webhooks/events': route({
      operationId: 'listWebhookEvents',
      access: everyone,
      tag: 'Webhooks',
      summary: 'List what an endpoint can be told of',
      description:
        'Every type with the JSON Schema of its deliveries and an example. Types and fields may be added.',
      answers: { 200: EventCatalogue, 304: null },
      handle: fixedDocument(eventCatalogue),
    }),
    'POST /webhooks': route({
      operationId: 'createWebhook',
      ...forPlatform,
      access: byOperatorToo,
      ...lines.create,
      description: `${lines.create.description}\n\n${HOW_TO_VERIFY}`,
      body: WebhookBody,
      answers: { 201: WebhookCreated },
      handle: (context) => createWebhook(deps, context.owner, context),
    }),
    'GET /webhooks': route({
      operationId: 'listWebhooks',
      ...forPlatform,
      access: byOperatorToo,
      ...lines.list,
      query: WebhookQuery,
      answers: { 200: WebhookPage },
      handle: (context) => listWebhooks(deps, context.owner, context.query),
    }),
    'GET /webhooks/{id}': route({
      operationId: 'readWebhook',
      ...onEndpoint,
      summary: 'Read an endpoint',
      description:
        'Where it is, which types it is sent and whether it is active. `disabledReason` says why the service ' +
        'switched it off. The signing secret is never shown again; replace it with `/rotate-secret`.',
      answers: { 200: WebhookRecord },
      handle: ({ owner, params }) => readWebhook(deps, owner, params.id),
    }),
    'PATCH /webhooks/{id}': route({
      operationId: 'updateWebhook',
      ...onEndpoint,
      access: byOperatorToo,
      ...lines.update,
      body: WebhookChanges,
      answers: { 200: WebhookRecord },
      handle: ({ owner, params, body }) => updateWebhook(deps, owner, params.id, body),
    }),
    'DELETE /webhooks/{id}': route({
      operationId: 'deleteWebhook',
      ...onEndpoint,
      access: byOperatorToo,
      ...lines.remove,
      answers: { 204: null },
      handle: ({ owner, params }) => removeWebhook(deps, owner, params.id),
    }),
    'POST /webhooks/{id}/rotate-secret': route({
      operationId: 'rotateWebhookSecret',
      ...onEndpoint,
      summary: 'Replace the signing secret',
      description:
        'Answers with the new secret, this once. For 24 hours deliveries carry a signature of the secret before as well (of the one ' +
        'before that no more), so take the new one into use at any time within them.',
      idempotent: true,
      answers: { 200: SecretRotated },
      errors: ['NOT_FOUND', 'CONFLICT'],
      handle: ({ owner, params, claim }) => rotateSecret(deps, owner, params.id, claim),
    }),
  };
}

function deliveries(deps: WebhookDeps): RouteTable {
  return {
    'POST /webhooks/{id}/test': route({
      operationId: 'testWebhook',
      ...onEndpoint,
      access: byOperatorToo,
      ...lines.test,
      body: TestBody,
      bodyOptional: true,
      answers: { 200: DeliveryRecord },
      handle: ({ owner, params, body }) => testWebhook(deps, owner, params.id, body),
    }),
    'POST /webhooks/{id}/recover': route({
      operationId: 'recoverDeliveries',
      ...onEndpoint,
      summary: 'Send again what was missed',
      description:
        'Puts in line, oldest first, everything since `since` that the endpoint is subscribed to and has never taken: what failed, and ' +
        'what happened while it was switched off. Not what is in line already, what lies before the endpoint was made, and test ' +
        'deliveries. Each comes under its first `id`. An endpoint that is switched off is refused (409): switch it on first.',
      idempotent: true,
      body: RecoverBody,
      answers: { 202: Recovered },
      errors: ['NOT_FOUND', 'CONFLICT'],
      handle: (context) => recoverDeliveries(deps, context.owner, context.params.id, context),
    }),
    'GET /webhooks/{id}/deliveries': route({
      operationId: 'listDeliveries',
      ...onEndpoint,
      access: byOperatorToo,
      ...lines.log,
      query: DeliveryQuery,
      answers: { 200: DeliveryPage },
      handle: ({ owner, params, query }) => listDeliveries(deps, owner, params.id, query),
    }),
    'GET /webhooks/{id}/deliveries/{deliveryId}': route({
      operationId: 'readDelivery',
      ...onEndpoint,
      params: deliveryPath,
      summary: 'Read one attempt',
      description:
        'One attempt with the status and the first part of the body that the receiver answered, or the reason why ' +
        'none came. Use it to find out why a delivery failed. Kept for 30 days.',
      answers: { 200: DeliveryRecord },
      handle: ({ owner, params: { id, deliveryId } }) =>
        readDelivery(deps, owner, { webhookId: id, deliveryId }),
    }),
    'POST /webhooks/{id}/deliveries/{deliveryId}/replay': route({
      operationId: 'replayDelivery',
      ...onEndpoint,
      access: byOperatorToo,
      ...lines.replay,
      params: deliveryPath,
      answers: { 200: DeliveryRecord },
      handle: ({ owner, params: { id, deliveryId } }) =>
        replayDelivery(deps, owner, { webhookId: id, deliveryId }),
    }),
  };
}
