import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { envelopeTypes } from '#domain/envelopes/catalogue.js';
import { mainEngine } from '#harness/engines.js';
import { errorsOf } from '#harness/openapiCheck.js';
import { type Received, type Receiver, startReceiver } from '#harness/receiver.js';
import { joinTestService, type TestService } from '#harness/service.js';
import type { OpenApiDocument, ParameterObject } from '#kit/http/openapiSchemas.js';
import { addWebhook, LOOPBACK_ALLOWED } from './webhooksFixtures.js';

interface CatalogueEntry {
  type: string;
  description: string;
  schema: Record<string, unknown>;
  example: { data: Record<string, unknown> };
}

describe('the types of events', () => {
  let service: TestService;
  let receiver: Receiver;
  let events: CatalogueEntry[];
  let document: OpenApiDocument;
  let webhookId: string;

  beforeAll(async () => {
    receiver = await startReceiver();
    service = await joinTestService(mainEngine, LOOPBACK_ALLOWED);
    events = (await service.request('GET', '/webhooks/events', { key: null })).body.events;
    document = (await service.request('GET', '!/openapi.json')).body;
    const added = await addWebhook(service, { url: `${receiver.url}/hook`, events: envelopeTypes });
    webhookId = added.body.id;
  });
  afterAll(async () => {
    await service?.close();
    await receiver?.close();
  });

  test('are all in the catalogue and in the OpenAPI document, with a description', () => {
    expect(events.map(({ type }) => type)).toEqual([...envelopeTypes]);
    expect(Object.keys(document.webhooks)).toEqual([...envelopeTypes]);
    for (const { description } of events) expect(description).toMatch(/\.$/);
  });

  test.each(envelopeTypes)('%s has a schema that fits its example and allows new fields', (of) => {
    const { schema, example } = events.find(({ type }) => type === of) ?? expect.unreachable(of);
    expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
    const ajv = new Ajv2020({ strict: true, allErrors: true });
    addFormats.default(ajv);
    const isValid = ajv.compile(schema);
    expect(isValid(example), JSON.stringify(isValid.errors)).toBe(true);
    const { data, ...withoutData } = example;
    expect(isValid(withoutData)).toBe(false);
    expect(isValid({ ...example, type: 'coffee.made' })).toBe(false);
    const [field = ''] = Object.keys(data);
    expect(isValid({ ...example, data: { ...data, [field]: { not: 'it' } } })).toBe(false);
    expect(isValid({ ...example, added: 1, data: { ...data, added: { later: true } } })).toBe(true);
    expect(JSON.stringify(schema)).not.toMatch(/"additionalProperties":false/);
  });

  test.each(envelopeTypes)(
    '%s comes with the body and the headers that the document describes',
    async (type) => {
      receiver.forget();
      const sent = await service.request('POST', `/webhooks/${webhookId}/test`, { body: { type } });
      expect(sent.body.status).toBe('succeeded');
      const [received] = await receiver.waitFor(1);
      const { parameters = [], requestBody } = document.webhooks[type]?.post ?? {};
      const { data, ...envelope } = JSON.parse(received?.body ?? '');
      const { test: marked, ...shown } = data;
      expect([envelope.type, marked]).toEqual([type, true]);
      const schema = requestBody?.content['application/json']?.schema ?? {};
      expect(errorsOf(document, schema, { ...envelope, data: shown })).toBeNull();
      expect(parameters.map((header) => errorsOfHeader(header, received))).toEqual(
        parameters.map(() => null),
      );
      const described = parameters.map(({ name }) => name.toLowerCase());
      const own = Object.keys(received?.headers ?? {}).filter((name) =>
        /signature|webhook|x-|digest/.test(name),
      );
      expect(own.sort()).toEqual(described.sort());
    },
  );

  test('are public and cacheable', async () => {
    const read = (headers = {}) => service.request('GET', '/webhooks/events', { key: null, headers });
    const { headers } = await read();
    expect(headers.get('cache-control')).toMatch(/max-age/);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect((await read({ 'If-None-Match': headers.get('etag') ?? '' })).status).toBe(304);
  });

  function errorsOfHeader({ name, schema }: ParameterObject, received: Received | undefined): string | null {
    const text = received?.headers[name.toLowerCase()];
    return errorsOf(document, schema, schema.type === 'integer' ? Number(text) : text);
  }
});
