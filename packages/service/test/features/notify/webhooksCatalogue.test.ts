import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { envelopeTypes } from '#domain/envelopes/catalogue.js';
import { mainEngine } from '#harness/engines.js';
import { joinTestService, type TestService } from '#harness/service.js';

interface CatalogueEntry {
  type: string;
  description: string;
  schema: Record<string, unknown>;
  example: { data: Record<string, unknown> };
}

describe('the catalogue of event types', () => {
  let service: TestService;
  let events: CatalogueEntry[];

  beforeAll(async () => {
    service = await joinTestService(mainEngine);
    events = (await service.request('GET', '/webhooks/events', { key: null })).body.events;
  });
  afterAll(() => service.close());

  const entryOf = (type: string) => events.find((entry) => entry.type === type) ?? expect.unreachable(type);
  const validatorOf = ({ schema }: CatalogueEntry) => {
    const ajv = new Ajv2020({ strict: true, allErrors: true });
    addFormats.default(ajv);
    return ajv.compile(schema);
  };

  test('has every type with a description', () => {
    expect(events.map(({ type }) => type)).toEqual([...envelopeTypes]);
    for (const { description } of events) expect(description).toMatch(/\.$/);
  });

  test.each(envelopeTypes)('has the schema of %s and an example that fits', (type) => {
    const entry = entryOf(type);
    expect(entry.schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
    const isValid = validatorOf(entry);
    expect(isValid(entry.example), JSON.stringify(isValid.errors)).toBe(true);
    const { data: _, ...withoutData } = entry.example;
    expect(isValid(withoutData)).toBe(false);
    expect(isValid({ ...entry.example, type: 'coffee.made' })).toBe(false);
    const [field = ''] = Object.keys(entry.example.data);
    expect(isValid({ ...entry.example, data: { ...entry.example.data, [field]: { not: 'it' } } })).toBe(
      false,
    );
  });

  test.each(envelopeTypes)('allows new fields in %s', (type) => {
    const entry = entryOf(type);
    const grown = { ...entry.example, added: 1, data: { ...entry.example.data, added: { later: true } } };
    expect(validatorOf(entry)(grown)).toBe(true);
    expect(JSON.stringify(entry.schema)).not.toMatch(/"additionalProperties":false/);
  });

  test('is public and cacheable', async () => {
    const answer = await service.request('GET', '/webhooks/events', { key: null });
    const etag = answer.headers.get('etag') ?? '';
    expect(answer.headers.get('cache-control')).toMatch(/max-age/);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    const conditional = { key: null, headers: { 'If-None-Match': etag } };
    expect((await service.request('GET', '/webhooks/events', conditional)).status).toBe(304);
  });
});
