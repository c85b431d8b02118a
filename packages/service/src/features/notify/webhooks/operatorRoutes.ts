import { operator, type RouteTable, route } from '../../../kit/http/route.js';
import { platformPath } from '../../../ledger/requests/knownPlatform.js';
import { createWebhook } from './createWebhook.js';
import {
  DeliveryPage,
  DeliveryQuery,
  DeliveryRecord,
  platformDeliveryPath,
  TestBody,
} from './deliverySchemas.js';
import type { WebhookDeps } from './deps.js';
import { listDeliveries } from './listDeliveries.js';
import { listWebhooks } from './listWebhooks.js';
import { ownerNamed } from './owner.js';
import { removeWebhook } from './removeWebhook.js';
import { replayDelivery } from './replayDelivery.js';
import { lines } from './routeTexts.js';
import { testWebhook } from './testWebhook.js';
import { updateWebhook } from './updateWebhook.js';
import {
  platformWebhookPath,
  WebhookBody,
  WebhookChanges,
  WebhookCreated,
  WebhookPage,
  WebhookQuery,
  WebhookRecord,
} from './webhookSchemas.js';

/** The operator's hand on the live endpoints of a platform: the same use cases for another owner. */
export function webhookOperatorRoutes(deps: WebhookDeps): RouteTable {
  const { db } = deps;
  const onPlatform = { access: operator, tag: 'Operator', params: platformPath, errors: ['NOT_FOUND'] };
  const onEndpoint = { ...onPlatform, params: platformWebhookPath };
  return {
    'GET /admin/platforms/{id}/webhooks': route({
      operationId: 'adminListWebhooks',
      ...onPlatform,
      ...lines.list,
      summary: "List a platform's live endpoints",
      query: WebhookQuery,
      answers: { 200: WebhookPage },
      handle: async ({ params, query }) => listWebhooks(deps, await ownerNamed(db, params), query),
    }),
    'POST /admin/platforms/{id}/webhooks': route({
      operationId: 'adminCreateWebhook',
      ...onPlatform,
      ...lines.create,
      errors: [...onPlatform.errors, ...lines.create.errors],
      summary: 'Add a live endpoint for a platform',
      body: WebhookBody,
      answers: { 201: WebhookCreated },
      handle: async (context) => createWebhook(deps, await ownerNamed(db, context.params), context),
    }),
    'PATCH /admin/platforms/{id}/webhooks/{webhookId}': route({
      operationId: 'adminUpdateWebhook',
      ...onEndpoint,
      ...lines.update,
      summary: "Change a platform's endpoint",
      body: WebhookChanges,
      answers: { 200: WebhookRecord },
      handle: async ({ params, body }) =>
        updateWebhook(deps, await ownerNamed(db, params), params.webhookId, body),
    }),
    'DELETE /admin/platforms/{id}/webhooks/{webhookId}': route({
      operationId: 'adminDeleteWebhook',
      ...onEndpoint,
      ...lines.remove,
      summary: "Delete a platform's endpoint",
      answers: { 204: null },
      handle: async ({ params }) => removeWebhook(deps, await ownerNamed(db, params), params.webhookId),
    }),
    'POST /admin/platforms/{id}/webhooks/{webhookId}/test': route({
      operationId: 'adminTestWebhook',
      ...onEndpoint,
      ...lines.test,
      summary: "Send a test delivery to a platform's endpoint",
      body: TestBody,
      bodyOptional: true,
      answers: { 200: DeliveryRecord },
      handle: async ({ params, body }) =>
        testWebhook(deps, await ownerNamed(db, params), params.webhookId, body),
    }),
    'GET /admin/platforms/{id}/webhooks/{webhookId}/deliveries': route({
      operationId: 'adminListDeliveries',
      ...onEndpoint,
      ...lines.log,
      summary: "Read the log of a platform's endpoint, newest first",
      query: DeliveryQuery,
      answers: { 200: DeliveryPage },
      handle: async ({ params, query }) =>
        listDeliveries(deps, await ownerNamed(db, params), params.webhookId, query),
    }),
    'POST /admin/platforms/{id}/webhooks/{webhookId}/deliveries/{deliveryId}/replay': route({
      operationId: 'adminReplayDelivery',
      ...onEndpoint,
      ...lines.replay,
      params: platformDeliveryPath,
      summary: "Send a platform's delivery again",
      answers: { 200: DeliveryRecord },
      handle: async ({ params }) => replayDelivery(deps, await ownerNamed(db, params), params),
    }),
  };
}
