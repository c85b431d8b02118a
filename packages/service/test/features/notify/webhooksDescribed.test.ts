import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { envelopeTypes } from '#domain/envelopes/catalogue.js';
import { mainEngine } from '#harness/engines.js';
import { errorsOf } from '#harness/openapiCheck.js';
import { type Received, type Receiver, startReceiver } from '#harness/receiver.js';
import { joinTestService, type TestService } from '#harness/service.js';
import type { OpenApiDocument, ParameterObject } from '#kit/http/openapiSchemas.js';
import { addWebhook, LOOPBACK_ALLOWED } from './webhooksFixtures.js';

describe('deliveries and the OpenAPI document', () => {
  let service: TestService;
  let receiver: Receiver;
  let document: OpenApiDocument;
  let webhookId: string;

  beforeAll(async () => {
    receiver = await startReceiver();
    service = await joinTestService(mainEngine, LOOPBACK_ALLOWED);
    document = (await service.request('GET', '!/openapi.json')).body;
    const added = await addWebhook(service, { url: `${receiver.url}/hook`, events: envelopeTypes });
    webhookId = added.body.id;
  });

  afterAll(async () => {
    await service?.close();
    await receiver?.close();
  });

  test('every type is described, and no other', () => {
    expect(Object.keys(document.webhooks)).toEqual([...envelopeTypes]);
  });

  test.each(envelopeTypes)('%s comes with the body and the headers that are described', async (type) => {
    receiver.forget();
    const sent = await service.request('POST', `/webhooks/${webhookId}/test`, { body: { type } });
    expect(sent.body.status).toBe('succeeded');
    const [received] = await receiver.waitFor(1);
    const { parameters = [], requestBody } = document.webhooks[type]?.post ?? {};
    const { test: marked, ...data } = JSON.parse(received?.body ?? '').data;
    expect(marked).toBe(true);
    const body = { ...JSON.parse(received?.body ?? ''), data };
    expect(errorsOf(document, requestBody?.content['application/json']?.schema ?? {}, body)).toBeNull();
    expect(parameters.map((header) => errorsOfHeader(header, received))).toEqual(parameters.map(() => null));
  });

  test('no header of a delivery is left undescribed', async () => {
    const described = document.webhooks['score.updated']?.post.parameters?.map(({ name }) =>
      name.toLowerCase(),
    );
    const [received] = receiver.received;
    const own = Object.keys(received?.headers ?? {}).filter((name) =>
      /signature|webhook|x-|digest/.test(name),
    );
    expect(own.sort()).toEqual(described?.sort());
  });

  function errorsOfHeader({ name, schema }: ParameterObject, received: Received | undefined): string | null {
    const text = received?.headers[name.toLowerCase()];
    return errorsOf(document, schema, schema.type === 'integer' ? Number(text) : text);
  }
});
