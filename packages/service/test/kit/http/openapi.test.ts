import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { ErrorCode } from '#domain/errorCatalog.js';
import { routeTable } from '#harness/routeTable.js';
import { serializedAnswer } from '#kit/http/answer.js';
import { looseItems } from '#kit/http/openapiSchemas.js';
import { type FieldTexts, parseFieldTexts } from '#kit/http/openapiTexts.js';
import { cursorParam, pageLimit, wholeNumber } from '#kit/http/query.js';
import { anyKey, everyone, keyFor, operationTexts, operator, route } from '#kit/http/route.js';
import { Answered, documentOf, line } from './answered.js';

/** No test calls these. */
const nobody = () => serializedAnswer({ status: 200, body: null });

const Item = z
  .object({ name: z.string(), at: z.iso.datetime().optional() })
  .meta({ id: 'TestItem', description: 'An item.', example: { name: 'a' } });

describe('the texts of operations', () => {
  test('each belong to an operation, and say something', () => {
    const ids = new Set(Object.values(routeTable()).map(({ operationId }) => operationId));
    for (const [id, { summary, description }] of operationTexts()) {
      expect(ids, id).toContain(id);
      expect(summary, id).toMatch(/^[A-Z].*[^.\s]$/);
      expect(description, id).toMatch(/^\S[\s\S]*\S$/);
    }
  });

  test('are required: a route without one does not start', () => {
    const { summary, description, ...bare } = line;
    expect(() => route({ ...bare, operationId: 'unheardOf', handle: nobody })).toThrow(
      'operations/ has no text of unheardOf',
    );
  });
});

describe('the OpenAPI builder', () => {
  test('documents an item that is parsed later by its final schema', () => {
    const Batch = z
      .object({ items: z.array(looseItems(Item)).min(1).max(9) })
      .meta({ id: 'TestBatch', example: { items: [] } });
    const { components } = describeLine('POST /batches', { body: Batch });
    expect(components.schemas.TestBatch).toMatchObject({
      properties: { items: { minItems: 1, maxItems: 9, items: { $ref: '#/components/schemas/TestItem' } } },
    });
    expect(components.schemas.TestItem).toMatchObject({ required: ['name'] });
    expect(Batch.parse({ items: [1, null] })).toEqual({ items: [1, null] });
  });

  test('documents a whole body that is parsed later, too', () => {
    const { operation } = describeLine('POST /items', { body: looseItems(Item) });
    expect(operation?.requestBody?.content['application/json']).toEqual({
      schema: { $ref: '#/components/schemas/TestItem' },
      example: { name: 'a' },
    });
  });

  test('shows numbers in a query as numbers, with their bounds and defaults', () => {
    const query = z.object({
      limit: pageLimit(100, 25),
      cursor: cursorParam,
      page: wholeNumber(0, 9),
      ratio: z.string().transform(Number).pipe(z.number().max(1)).optional(),
      flag: z.stringbool().optional(),
    });
    const { operation } = describeLine('GET /items', { query });
    expect(operation?.parameters?.map(({ name, required, schema }) => ({ name, required, schema }))).toEqual([
      { name: 'limit', schema: { type: 'integer', minimum: 1, maximum: 100, default: 25 } },
      { name: 'cursor', schema: { type: 'string', maxLength: 2048 } },
      { name: 'page', required: true, schema: { type: 'integer', minimum: 0, maximum: 9 } },
      { name: 'ratio', schema: { type: 'number', maximum: 1 } },
      { name: 'flag', schema: { type: 'boolean' } },
    ]);
  });

  test('describes a field by its name, unless its schema has a description', () => {
    const answer = z
      .object({
        at: z.iso.datetime().nullable(),
        own: z.int().meta({ description: 'Own.' }).nullable(),
        other: z.int(),
      })
      .meta({ id: 'TestFields', example: {} });
    const fields = parseFieldTexts(['## Any schema\n\n- `at`: When.\n- `own`: Of\n  all.\n']);
    const { components } = describeLine('GET /a', { answer }, fields);
    expect(components.schemas.TestFields?.properties).toMatchObject({
      at: { description: 'When.' },
      own: { description: 'Own.' },
      other: { type: 'integer' },
    });
  });

  test('leaves answer objects open and marks timestamps as date-time', () => {
    const { components } = describeLine('GET /items', { answer: Item });
    expect(components.schemas.TestItem).toEqual({
      type: 'object',
      description: 'An item.',
      required: ['name'],
      properties: { name: { type: 'string' }, at: { type: 'string', format: 'date-time' } },
    });
  });

  test.each([
    ['everyone', everyone, [], undefined],
    ['any key', anyKey, [{ apiKey: [] }], undefined],
    ['a key with a scope', keyFor('events'), [{ apiKey: [] }], 'events:write'],
    ['a key with a scope to read', keyFor('scores', 'read'), [{ apiKey: [] }], 'scores:read'],
    ['a key with either scope', keyFor('scores', 'either'), [{ apiKey: [] }], 'scores:read or scores:write'],
    ['the operator', operator, [{ adminSecret: [] }], undefined],
  ] as const)('says that an operation is for %s', (_, access, security, scope) => {
    const { operation } = describeLine('POST /items', { access });
    expect(operation?.security).toEqual(security);
    expect(operation?.['x-scope']).toBe(scope);
  });

  test('derives the errors from the route', () => {
    const { operation } = describeLine('POST /items', {
      access: keyFor('events'),
      plan: 'agents',
      idempotent: true,
      body: Item,
      errors: ['CONFLICT'],
    });
    expect(operation?.['x-plan-feature']).toBe('agents');
    const codes = Object.entries(operation?.responses ?? {}).map(([status, { content }]) => [
      status,
      ...Object.keys(content?.['application/json']?.examples ?? {}),
    ]);
    expect(codes).toEqual([
      ['200'],
      ['400', 'BAD_REQUEST', 'VALIDATION_ERROR'],
      ['401', 'UNAUTHORIZED'],
      ['402', 'PLAN_REQUIRED'],
      ['403', 'FORBIDDEN', 'SCOPE_INSUFFICIENT'],
      ['409', 'CONFLICT', 'IDEMPOTENCY_KEY_IN_USE'],
      ['413', 'PAYLOAD_TOO_LARGE'],
      ['415', 'UNSUPPORTED_CONTENT_ENCODING'],
      ['422', 'IDEMPOTENCY_KEY_REUSED'],
      ['429', 'QUOTA_EXCEEDED', 'RATE_LIMIT_EXCEEDED'],
      ['500', 'INTERNAL_ERROR'],
      ['503', 'OVERLOADED', 'SERVICE_UNAVAILABLE'],
    ]);
    expect(operation?.parameters?.map(({ name }) => name)).toEqual(['Idempotency-Key']);
  });

  test('documents limits exactly on limited operations', () => {
    const limited = describeLine('GET /limited', { access: anyKey }).operation?.responses;
    expect(Object.keys(limited?.['200']?.headers ?? {})).toEqual(
      expect.arrayContaining(['RateLimit-Limit', 'RateLimit-Policy', 'X-Quota-Remaining']),
    );
    expect(limited?.['429']?.description).toBe('`QUOTA_EXCEEDED`, `RATE_LIMIT_EXCEEDED`');
    const open = describeLine('GET /open', { unmetered: true }).operation?.responses;
    expect(Object.keys(open?.['200']?.headers ?? {})).toEqual(['X-Request-Id', 'X-Unknown-Parameters']);
    expect(open?.['429']).toBeUndefined();
  });

  const Other = z.object({ different: z.string() }).meta({ id: 'TestAnswered', example: {} });
  const refused: [what: string, line: Line, message: RegExp][] = [
    ['one name for two schemas', { body: Other }, /TestAnswered/],
    ['an error code that is not in the catalogue', { errors: ['NO_SUCH_CODE' as ErrorCode] }, /NO_SUCH_CODE/],
    ['a status of an answer and an error', { answers: { 503: Answered }, errors: ['OVERLOADED'] }, /503/],
  ];
  test.each(refused)('refuses %s', (_, given, message) => {
    expect(() => describeLine('POST /items', given)).toThrow(message);
  });

  test('refuses two operations with one name', () => {
    const twice = route({ ...line, handle: nobody });
    expect(() => documentOf({ 'GET /a': twice, 'GET /b': twice })).toThrow(/doIt/);
  });
});

test('health, metrics, well-known documents and the files of the console alone have no rate limit', () => {
  const table = Object.entries(routeTable());
  const unmetered = table.filter(([, operation]) => operation.unmetered).map(([name]) => name);
  const exempt = /^GET !?\/(health(\/ready)?|metrics|console(\/\{rest\})?|\.well-known\/[\w.-]+)$/;
  expect(unmetered.sort()).toEqual(
    table
      .map(([name]) => name)
      .filter((name) => exempt.test(name))
      .sort(),
  );
});

type Line = Partial<Parameters<typeof route>[0]> & { answer?: z.ZodType };

function describeLine(name: string, { answer = Answered, ...more }: Line, fields?: FieldTexts) {
  const table = { [name]: route({ ...line, answers: { 200: answer }, ...more, handle: nobody }) };
  const document = documentOf(table, fields);
  const [method = '', path = ''] = name.split(' ');
  return { ...document, operation: document.paths[`/api/v1${path}`]?.[method.toLowerCase()] };
}
